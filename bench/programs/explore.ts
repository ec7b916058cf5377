/**
 * `explore` as users start it, with a thread for each core. usage: explore.js CORES. It may use no others: the
 * compiler and the collector of a single thread would.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { print } from './measured.js';

const RUNS = 12_000;

const out = mkdtempSync(join(tmpdir(), 'runproof-bench-'));
const cores = Number(process.argv[2] ?? 1);
const pinned = ['-c', `0-${cores - 1}`, process.execPath, 'bin/runproof.js'];
const options = ['--runs', String(RUNS), '--seed', '1', '--threads', String(cores), '--progress', 'none'];
const startedMs = performance.now();
const { status, stderr, error } = spawnSync('taskset', [...pinned, 'explore', ...options, '--out', out], {
  encoding: 'utf8',
});
// Linux has it.
if (error !== undefined) throw new Error(`No such file or directory: taskset (${error.message})`);
if (status !== 0) throw new Error(`explore ended with ${status}: ${stderr}`);
print(RUNS, performance.now() - startedMs);
rmSync(out, { recursive: true });
