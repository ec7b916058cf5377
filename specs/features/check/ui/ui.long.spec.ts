/** `check --ui`: what is chosen on the page runs as `check` runs it, and only the page may choose. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lastFailedOn } from '../../../../src/features/check/last-failed.js';
import { knownFault } from '../../../../src/cli/known-fault.js';
import { runCli } from '../../../../src/shell/program.js';
import { startServer } from '../../../../src/server/index.js';
import { createFakeIo } from '../../../cli/fake-io.js';
import { until } from '../../../support/until.js';
import { onPage, SCENARIO, statusOf, told } from './support.js';

const KEY = 'key-of-the-spec';
const RULE = '2.2/ttl-removes-running';

it('shows a planted bug, and in a correct endpoint none', { timeout: 240_000 }, async () => {
  const faulty = await onPage(['--mutant', 'ttl-spares-running']);
  expect(told(await faulty.live(), SCENARIO)).toBe('not run');
  expect(await faulty.act('run', { only: [SCENARIO] })).toBe(200);
  const failed = await faulty.idle();
  expect(failed).toContain('<h1>Does not conform</h1>');
  expect(told(failed, SCENARIO)).toBe('✘ failed');
  expect(told(failed, RULE)).toBe('✘ failed');
  expect(told(failed, 'scenarios/1/a-free-worker-takes-the-job')).toBe('not run');
  expect(failed).toContain(`href="/report/0#cause-${RULE}"`);
  const report = await (await fetch(`${faulty.url}report/0`)).text();
  expect(report).toContain(`id="cause-${RULE}"`);
  expect(faulty.io.printed()).toContain('DOES NOT CONFORM');
  expect((await fetch(`${faulty.url}report/1`)).status).toBe(404);

  expect(await faulty.act('run-failed')).toBe(200);
  expect(await faulty.idle()).toContain(`href="/report/1#cause-${RULE}"`);
  expect(await (await fetch(`${faulty.url}report/0`)).text()).toBe(report);
  expect(readdirSync(join(faulty.io.cwd, 'reports')).sort()).toEqual([
    'embedded-2',
    'embedded-2.2',
    'embedded.last-failed.json',
  ]);
  const { folder } = (await lastFailedOn('reports/embedded', undefined, faulty.io.cwd))!;
  expect(folder).toBe(join('reports', 'embedded-2.2'));
  expect(await faulty.end()).toBe(1);

  // What fails outside of what was chosen is counted, as the verdict does.
  const chosen = await onPage(['--mutant', 'ttl-spares-running']);
  await chosen.act('run', { only: ['2.2/ttl-ends-before-execution-timeout'] });
  const outside = await chosen.idle();
  expect(outside).toContain('outside the selection failed');
  expect(outside).toMatch(/✘ [1-9]\d* failed/);
  expect(await chosen.end()).toBe(1);

  const correct = await onPage([]);
  await correct.act('run', { only: [SCENARIO] });
  const passed = await correct.idle();
  expect(passed).toContain('data-failing="0"');
  expect(told(passed, SCENARIO)).toBe('✔ passed');
  expect(told(passed, RULE)).toBe('✔ passed');
  expect(await correct.act('run-failed')).toBe(409);
  expect(await correct.end()).toBe(0);
});

it('judges what --only selects, and counts what fails outside of it', { timeout: 120_000 }, async () => {
  const only = ['--only', '2.2/ttl-ends-before-execution-timeout', '4.5'];
  const page = await onPage(['--mutant', 'ttl-spares-running', ...only]);
  expect(await page.act('run', { only: [SCENARIO] })).toBe(200);
  const outside = await page.idle();
  expect(outside).toMatch(/outside the selection failed[^<]*, \d+ of 1 required rules? checked/);
  const failing = /data-failing="([1-9]\d*)"/.exec(outside)![1]!;
  expect(outside).toContain(`✘ ${failing} failed`);
  expect(await page.act('run-failed')).toBe(200);
  const again = await page.idle();
  expect(again).toContain(`${failing} failed, ${failing} of ${failing} required rule`);
  expect(again).toContain(`data-failing="${failing}"`);
  expect(await page.end()).toBe(1);
});

it('runs one thing at a time, stops it, and says what is wrong', { timeout: 120_000 }, async () => {
  const page = await onPage([]);
  expect(await page.act('run', { only: ['nowhere'] })).toBe(200);
  expect(await page.idle()).toContain('matches no requirement, section or scenario');
  expect(await page.act('run', { only: 'all' })).toBe(400);
  expect(await page.act('watch', { on: true })).toBe(400);
  expect(await page.act('run', { all: true })).toBe(200);
  expect(await page.act('run', { all: true })).toBe(409);
  await until(async () => / running<\/span>/.test(await page.live()), 60_000);
  await page.act('stop');
  expect(await page.idle()).toMatch(/<h1>Stopped|<h1>Interrupted|<h1>Incomplete/);
});

it('answers this machine alone, and acts for its own page alone', async () => {
  const { url, live } = await onPage([]);
  const { origin, host } = new URL(url);
  expect(await statusOf('GET', url, {})).toBe(200);
  expect(await statusOf('GET', url, { host: 'example.test' })).toBe(403);
  expect(await statusOf('GET', url, { 'sec-fetch-site': 'cross-site' })).toBe(403);
  expect(await statusOf('POST', `${url}run`, {})).toBe(403);
  expect(await statusOf('POST', `${url}run`, { origin: 'http://example.test' })).toBe(403);
  expect(await statusOf('POST', `${url}run`, { host: 'example.test', origin: 'http://example.test' })).toBe(
    403,
  );
  expect(await live()).toContain('data-busy="false"');
  expect(await statusOf('DELETE', url, {})).toBe(405);
  expect(await statusOf('POST', `${url}nothing`, { origin, host })).toBe(404);
  expect(await statusOf('GET', `${url}report/../../package.json`, {})).toBe(404);
});

it('runs nothing for a body that does not say what', async () => {
  const { url, live } = await onPage([]);
  const { origin } = new URL(url);
  for (const body of [
    'not json',
    '',
    '[]',
    '{}',
    '{"only":null}',
    '{"only":[]}',
    '{"only":[2]}',
    '{"all":1}',
  ])
    expect(await statusOf('POST', `${url}run`, { origin }, { body }), body).toBe(400);
  expect(await live()).toContain('data-busy="false"');
  expect(await live()).toContain('Nothing has run yet');
});

it('answers a path that is no part of a URL, and goes on', async () => {
  const { url, live } = await onPage([]);
  const path = (sent: string) => statusOf('GET', url, {}, { path: sent });
  expect(await path('//')).toBe(404);
  expect(await path('///live')).toBe(404);
  expect(await path('/report/%')).toBe(404);
  expect(await path(`${url}live?at=1`)).toBe(200);
  expect(await live()).toContain('data-busy="false"');
});

it(
  'with its switch on, runs again after a restart of the server: what failed first',
  { timeout: 240_000 },
  async () => {
    const options = { clock: 'controlled', apiKeys: [KEY] } as const;
    const { rules } = await knownFault('ttl-spares-running');
    const faulty = await startServer({ ...options, rules });
    const port = Number(new URL(faulty.url).port);
    const page = await onPage([faulty.url, '--control', faulty.controlUrl!], { RUNPROOF_API_KEY: KEY });
    await page.act('run', { only: [SCENARIO] });
    expect(await page.idle()).toContain('<h1>Does not conform</h1>');
    expect(await page.act('watch', { on: true })).toBe(200);
    await faulty.close();
    await until(() => page.io.complained().includes('has stopped'));
    const fixed = await startServer({ ...options, port });
    await until(() => (page.io.printed().match(/\(exit \d\)/g) ?? []).length === 3, 100_000);
    const mended = await page.idle();
    expect(told(mended, RULE)).toBe('✔ passed');
    expect(mended).toContain('data-failing="0"');
    expect(mended).not.toContain(KEY);
    expect(await page.end()).toBe(0);
    await fixed.close();
  },
);

it('says of what the server cannot run what it would need', { timeout: 120_000 }, async () => {
  const server = await startServer({ apiKeys: [KEY], endpoints: ['own'] });
  const page = await onPage([`${server.url}/v2/own`, '--profile', 'quick'], { RUNPROOF_API_KEY: KEY });
  await page.act('run', { only: ['scenarios/2.7/health-record', 'scenarios/2.6/purge-result'] });
  const live = await page.idle();
  expect(told(live, 'scenarios/2.7/health-record')).toBe('✔ passed');
  expect(told(live, 'scenarios/2.6/purge-result')).toMatch(/^needs .*--/);
  await page.end();
  await server.close();
});

it('has its own button for what failed', async () => {
  const io = createFakeIo();
  expect(await runCli(['check', '--ui', '--last-failed'], io)).toBe(2);
  expect(io.complained()).toContain('omit --last-failed');
});
