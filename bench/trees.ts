/** Other commits of this project, compiled in folders of their own, so that they can be measured beside this one. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Bundle from '../bundle.mjs';

/** Each commit is compiled once. */
const CACHE = 'node_modules/.cache/runproof-bench';

const git = (...args: readonly string[]): string | null => {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
};

/** The whole id of a commit, by any name that git knows; null: it is not in this clone, or this is none. */
export const commitOf = (name: string): string | null =>
  git('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`);

/** The commit from which this one goes on: where `origin/main` was left, unless this is `origin/main`. */
export function commitBefore(): string | null {
  const base = git('merge-base', 'HEAD', 'origin/main');
  return base === commitOf('HEAD') ? null : base;
}

/**
 * The folder of a commit, with `dist/` (programs and sources) and, where it can be built with the packages of today, `lib/`.
 *
 * @param commit its whole id
 */
export async function treeOf(commit: string): Promise<string> {
  const tree = resolve(CACHE, commit);
  if (existsSync(tree)) return tree;
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(resolve(CACHE), 'building-'));
  try {
    const input = execFileSync('git', ['archive', commit], { maxBuffer: 1 << 28 });
    execFileSync('tar', ['-x', '-C', folder], { input });
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    // At its place: it finds packages beside itself.
    const bundle = (await import(pathToFileURL(resolve('bundle.mjs')).href)) as typeof Bundle;
    await bundle.compileTree(folder);
    if (existsSync(join(folder, 'build.mjs')))
      spawnSync(process.execPath, ['build.mjs'], { cwd: folder, stdio: 'ignore' });
    renameSync(folder, tree);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return tree;
}
