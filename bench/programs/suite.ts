/**
 * The whole suite under test control, and the bare round trips of as many requests.
 * usage: suite.js suite|round-trips
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { Agent, request } from 'undici';
import { print } from './measured.js';

const REQUESTS = 5_000;
const [what = 'suite'] = process.argv.slice(2);

if (what === 'suite') {
  const out = mkdtempSync(join(tmpdir(), 'runproof-bench-'));
  const startedMs = performance.now();
  const args = ['bin/runproof.js', 'check', '--seed', '1', '--progress', 'none', '--out', out];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const ms = performance.now() - startedMs;
  if (status !== 0) throw new Error(`the suite ended with ${status}: ${stderr}`);
  const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as {
    readonly totals: { readonly calls: number };
  };
  rmSync(out, { recursive: true });
  print(report.totals.calls, ms);
} else {
  const server = spawn(process.execPath, ['bench/peers/node-http.mjs', '{"status":"IN_QUEUE"}'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = (await once(server.stdout, 'data')) as [Buffer];
  const dispatcher = new Agent();
  const trips = async (): Promise<void> => {
    for (let sent = 0; sent < REQUESTS; sent++) {
      const { body } = await request(`http://127.0.0.1:${String(port).trim()}/v2/test/run`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"input":{"prompt":"a few words"}}',
        dispatcher,
      });
      await body.text();
    }
  };
  await trips();
  const startedMs = performance.now();
  await trips();
  print(REQUESTS, performance.now() - startedMs);
  await dispatcher.close();
  server.kill();
}
