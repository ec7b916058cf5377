/** `explore` as users start it. usage: explore.js THREADS */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { print } from './measured.js';

const RUNS = 6_000;

const out = mkdtempSync(join(tmpdir(), 'runproof-bench-'));
const args = ['explore', '--runs', String(RUNS), '--seed', '1', '--progress', 'none', '--out', out];
const startedMs = performance.now();
const { status, stderr } = spawnSync(
  process.execPath,
  ['bin/runproof.js', ...args, '--threads', process.argv[2] ?? '1'],
  { encoding: 'utf8' },
);
if (status !== 0) throw new Error(`explore ended with ${status}: ${stderr}`);
print(RUNS, performance.now() - startedMs);
rmSync(out, { recursive: true });
