/** While the disk syncs, a server in a process of its own answers what has nothing to wait for. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call } from '../damage/records.js';
import { compileSlowServer, type Compiled } from '../kill/compiled.js';
import { startChildServer } from '../kill/child-server.js';

const SYNC_MS = 400;

let root: string;
let compiled: Compiled;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'runproof-slow-'));
  compiled = await compileSlowServer(SYNC_MS);
}, 120_000);
afterAll(() => {
  compiled.dispose();
  rmSync(root, { recursive: true, force: true });
});

/** Of an answer, in ms. */
async function timed(url: string, path: string, body?: unknown): Promise<number> {
  const beganMs = performance.now();
  const response = await call(url, path, body);
  expect(response.status).toBe(200);
  await response.text();
  return performance.now() - beganMs;
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;

it('the page and /_ready answer at once, /health after two syncs, and a submission after its own', async () => {
  const served = await startChildServer(compiled, { data: join(root, 'data'), workers: 0 });
  const untilMs = performance.now() + 10 * SYNC_MS;
  const again = async (path: string, body?: unknown): Promise<number[]> => {
    const took: number[] = [];
    while (performance.now() < untilMs) took.push(await timed(served.url, path, body));
    return took;
  };
  const [ready, page, health, ...runs] = await Promise.all([
    again('/_ready'),
    again('/_page/state'),
    again('/v2/test/health'),
    ...Array.from({ length: 8 }, () => again('/v2/test/run', { input: {} })),
  ]);
  expect(median(ready!)).toBeLessThan(SYNC_MS / 4);
  expect(ready!.length).toBeGreaterThan(50);
  expect(median(page!)).toBeLessThan(SYNC_MS / 4);
  expect(median(health!)).toBeLessThan(2.5 * SYNC_MS);
  for (const took of runs) expect(Math.min(...took)).toBeGreaterThanOrEqual(SYNC_MS);
  await served.kill();
  const next = await startChildServer(compiled, { data: join(root, 'data'), workers: 0 });
  const { jobs } = (await (await call(next.url, '/v2/test/health')).json()) as { jobs: { inQueue: number } };
  expect(jobs.inQueue).toBeGreaterThanOrEqual(runs.flat().length);
  await next.kill();
}, 60_000);
