/** A run that would teach nothing more ends at once, with its cause, and keeps what was decided until then. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '../../../src/shell/program.js';
import type { Report } from '../../../src/report/index.js';
import { startNaive } from '../../naive/server.js';
import { createFakeIo, type FakeIo } from '../../cli/fake-io.js';
import { listen } from '../../support/servers.js';

const KEY = 'key-of-the-spec';

const reportIn = (io: FakeIo): Report =>
  JSON.parse(readFileSync(join(io.cwd, 'out/report.json'), 'utf8')) as Report;

it('fails a server that writes states in lower case after a few scripts', { timeout: 120_000 }, async () => {
  const naive = await startNaive({ clock: 'controlled', apiKey: KEY, fault: 'status-lower-case' });
  const io = createFakeIo({ env: { RUNPROOF_API_KEY: KEY } });
  const where = [naive.url, '--control', naive.controlUrl];
  const exit = await runCli(['check', ...where, '--seed', '1', '--runs', '1', '--out', 'out'], io);
  await naive.close();
  expect(exit, io.complained()).toBe(1);
  expect(io.complained()).toMatch(/stopped early: all \d+ answers lack a status of section 3, they have/);
  const { requirements, warnings } = reportIn(io);
  expect(warnings[0]).toMatch(/^stopped early, after \d of \d{3} scripts: .* they have "in_queue"/);
  expect(requirements.find(({ id }) => id === '2.4/status-known-status')).toMatchObject({ verdict: 'fail' });
  const unreached = requirements.filter(({ reason }) =>
    reason?.startsWith('not reached: the run stopped early'),
  );
  expect(unreached.length).toBeGreaterThan(100);
});

it('exits with 3 where nothing failed until then', { timeout: 120_000 }, async () => {
  await using server = await listen((request, response) => {
    const isHealth = request.url?.endsWith('/health') === true;
    const counts = { jobs: { completed: 0, failed: 0, inProgress: 0, inQueue: 0, retried: 0 } };
    response.writeHead(isHealth ? 200 : 429, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(isHealth ? { ...counts, workers: { idle: 4, running: 0 } } : { error: 'no' }),
    );
  });
  const io = createFakeIo({ env: { RUNPROOF_API_KEY: KEY } });
  const scope = ['--profile', 'quick', '--only', '2.2', '6', '--worker', 'scripted', '--seed', '1'];
  const address = `${server.url}/v2/test`;
  const exit = await runCli(['check', address, ...scope, '--out', 'out'], io);
  expect(exit, io.printed()).toBe(3);
  expect(io.printed()).toContain('STOPPED EARLY: nothing failed until then');
  expect(io.printed()).toContain('! stopped early, after ');
  expect(io.printed()).toContain('no submission created a job in 12 scripts');
  // The history alone tells it as well.
  expect(await runCli(['judge', 'out/history.ndjson', '--only', '2.2', '6'], io)).toBe(3);
});
