import { basename, relative } from 'node:path';

/**
 * How the user starts this program, for commands to copy: as `runproof` where that is found in the path, by `npx` where
 * the package is installed in a project, and by its file in a clone.
 *
 * @param script the file that node was started with
 */
export function programName(
  script: string,
  cwd: string,
  env: { readonly [name: string]: string | undefined },
): string {
  if (env['npm_command'] === 'exec' || /[\\/]node_modules[\\/]/.test(script)) return 'npx runproof';
  if (!basename(script).endsWith('.js')) return 'runproof';
  const near = relative(cwd, script);
  return `node ${near.startsWith('..') ? script : near}`;
}
