/**
 * The whole suite under test control on a target far away: each reply arrives so many ms late. Prints the wall time, in
 * minutes for a unit.
 * usage: network.js FROM_MS TO_MS
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LOCAL_API_KEY, startServer } from '../../src/server/index.js';
import { lateReplies } from '../late-replies.js';
import { print } from './measured.js';

const MS_PER_MINUTE = 60_000;
const [fromMs, toMs] = process.argv.slice(2).map(Number) as [number, number];

const target = await startServer({ clock: 'controlled', endpoints: [] });
const proxy = await lateReplies(Number(new URL(target.url).port), fromMs, toMs);
const far = (url: string): string => url.replace(/:\d+/, `:${proxy.port}`);
const out = mkdtempSync(join(tmpdir(), 'runproof-bench-'));

const startedMs = performance.now();
const addresses = [far(target.url), '--control', far(target.controlUrl)];
const args = ['bin/runproof.js', 'check', ...addresses, '--seed', '1', '--progress', 'none', '--out', out];
const suite = spawn(process.execPath, args, {
  env: { ...process.env, RUNPROOF_API_KEY: LOCAL_API_KEY },
  stdio: ['ignore', 'ignore', 'inherit'],
});
const [status] = (await once(suite, 'exit')) as [number | null];
if (status !== 0) throw new Error(`the suite ended with ${status}`);
print(MS_PER_MINUTE, performance.now() - startedMs);
rmSync(out, { recursive: true });
process.exit();
