import { delimiter, dirname, relative, resolve } from 'node:path';
import { quoteForShell } from './report/escape.js';

/** How a project starts a program that is installed in it, or that npm fetches. */
const BY_NPX = 'npx runproof';
/** The file that this package starts with, and the names that package managers give to it. */
const OWN_FILE = /[\\/]runproof(\.js)?$/;

/**
 * How the user starts this program, for commands to copy: by `npx` where the package is installed in the project, and
 * for users of the library; as `runproof` where that is found in the path; by its file otherwise.
 *
 * @param script the file that node was started with
 * @param cwd where commands are typed
 */
export function programName(
  script: string,
  cwd: string,
  env: { readonly [name: string]: string | undefined },
): string {
  if (!OWN_FILE.test(script)) return BY_NPX;
  const project = /^(.*?)[\\/]node_modules[\\/]/.exec(script)?.[1];
  if (project !== undefined && (/[\\/]_npx[\\/]/.test(script) || isBelow(cwd, project))) return BY_NPX;
  const isFile = script.endsWith('.js');
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  if (!isFile && folders.some((folder) => resolve(cwd, folder) === dirname(script))) return 'runproof';
  const path = quoteForShell(fromHere(script, cwd));
  if (isFile) return `node ${path}`;
  return path.includes('/') ? path : `./${path}`;
}

/** The name of this process, from where it stands. */
export const program = (): string => programName(process.argv[1] ?? '', process.cwd(), process.env);

/** A path to type: relative below the working directory, absolute elsewhere. */
export function fromHere(path: string, cwd: string): string {
  if (!isBelow(path, cwd)) return path;
  return relative(cwd, path) || '.';
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !/^\.\.($|[\\/])/.test(way) && resolve(folder, way) === resolve(path);
}
