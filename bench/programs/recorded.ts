/** Calls of recorded traffic in CPU time of all threads, start included. usage: recorded.js judge|parse JOBS */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exchangeOfCall } from '../../src/traffic/exchange-of-call.js';
import { lineOf } from '../../src/traffic/write-line.js';
import { costMs, onSharedEndpoint } from '../histories.js';
import { print } from './measured.js';

const BASE = 'https://api.example.com';
const BEGUN_MS = Date.UTC(2026, 10, 27);

const [what = 'judge', jobs = '10000'] = process.argv.slice(2);
const lines: string[] = [];
for (const event of onSharedEndpoint(Number(jobs)))
  if (event.kind === 'call') lines.push(lineOf(exchangeOfCall(event, BASE, BEGUN_MS), null));
const parse = (): void => lines.forEach((line) => void JSON.parse(line));
print(lines.length, what === 'parse' ? costMs(parse) : judgingMs(lines.join('')));

function judgingMs(recording: string): number {
  const folder = mkdtempSync(join(tmpdir(), 'runproof-bench-'));
  const file = join(folder, 'calls.ndjson');
  writeFileSync(file, recording);
  const script = 'TIMEFORMAT="%U %S"; time "$0" bin/runproof.js judge "$1" > /dev/null';
  const { status, stderr } = spawnSync('bash', ['-c', script, process.execPath, file], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  if (status !== 0) throw new Error(`judging failed: ${stderr}`);
  const [user = NaN, system = NaN] = stderr.trim().split('\n').at(-1)!.split(' ').map(Number);
  return (user + system) * 1_000;
}
