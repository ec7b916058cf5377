/** A program with an earlier version of this project. usage: earlier.js COMMIT PROGRAM */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commitOf, treeOf } from '../trees.js';

const [name = '', program = ''] = process.argv.slice(2);
const commit = commitOf(name);
if (commit === null) throw new Error(`No such file or directory: a checkout with the commit ${name}`);
const args = [
  fileURLToPath(new URL(`${program}.js`, import.meta.url)),
  join(await treeOf(commit), 'dist/src'),
];
process.stdout.write(execFileSync(process.execPath, args));
