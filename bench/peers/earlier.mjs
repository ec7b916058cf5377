/** The same program with an earlier version of this project, taken from git. usage: earlier.mjs COMMIT PROGRAM */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [commit, program] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'runproof-bench-'));
try {
  let tree;
  try {
    tree = execFileSync('git', ['archive', commit], {
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    throw new Error(`No such file or directory: a checkout with the commit ${commit}`);
  }
  mkdirSync(join(folder, 'dist'));
  execFileSync('tar', ['-x', '-C', folder], { input: tree });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  // What it was compiled with may be gone; only the code is wanted.
  const compiler = resolve('node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', join(folder, 'tsconfig.build.json'), '--noCheck'], {
    stdio: 'ignore',
  });
  const args = [resolve(`dist/bench/programs/${program}.js`), join(folder, 'dist/src')];
  process.stdout.write(execFileSync(process.execPath, args));
} finally {
  rmSync(folder, { recursive: true });
}
