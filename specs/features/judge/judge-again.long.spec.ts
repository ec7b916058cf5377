/**
 * A history judged again says what the run said, byte for byte: with a failure, and with nothing but passes. Only why a
 * must stayed open the run says otherwise, as it knows its scripts and plays them on a correct target.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { isOpenMust } from '../../../src/judging/missed-musts.js';
import { runCli } from '../../../src/shell/program.js';
import type { Report } from '../../../src/report/index.js';
import { startNaive, type NaiveOptions } from '../../naive/server.js';
import { createFakeIo, type FakeIo } from '../../cli/fake-io.js';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const RUN_ONLY: ReadonlySet<string> = new Set(['script', 'shell', 'curl', 'replay', 'stepsBefore']);

/** What was found, without what only a run knows: how to replay it, and from how many steps it was shrunk. */
function foundIn(io: FakeIo, folder: string): string {
  const report = JSON.parse(readFileSync(join(io.cwd, folder, 'report.json'), 'utf8')) as Report;
  const { openQuestions, lateness } = report;
  const requirements = report.requirements.map((one) => {
    if (!isOpenMust(one)) return one;
    const { missed: _missed, reason: _reason, ...found } = one;
    return { ...found, verdict: 'open' };
  });
  return JSON.stringify({ requirements, openQuestions, lateness }, (name, value: unknown) =>
    RUN_ONLY.has(name) ? undefined : value,
  );
}

it.each<[string, NaiveOptions, readonly string[], number]>([
  ['under test control', { clock: 'controlled', fault: 'cancel-only-queued' }, [], 1],
  ['in real time', { clock: 'real', endpoints: false, workers: 2 }, ['--profile', 'quick'], 0],
])('%s', { timeout: 120_000 }, async (_, options, more, code) => {
  const naive = await startNaive(options);
  closers.push(() => naive.close());
  const io = createFakeIo({ env: { RUNPROOF_API_KEY: naive.apiKey } });
  const control = options.clock === 'controlled' ? ['--control', naive.controlUrl] : [];
  const only = ['--only', '3/cancel-*', '4.5', '--seed', '4', '--runs', '1', '--min-decided', '1'];
  const address = `${naive.url}/v2/${naive.endpointId}`;
  expect(await runCli(['check', address, ...only, ...control, ...more, '--out', 'first'], io)).toBe(code);
  const again = ['judge', 'first/history.ndjson', '--out', 'second', '--min-decided', '1', '--only'];
  expect(await runCli([...again, '3/cancel-*', '4.5'], io)).toBe(code);
  expect(foundIn(io, 'second')).toBe(foundIn(io, 'first'));
  expect(foundIn(io, 'first')).toContain('"verdict":"pass"');
});

it('writes the smallest part of a history that still shows the failure', { timeout: 120_000 }, async () => {
  const naive = await startNaive({ clock: 'controlled', fault: 'cancel-only-queued' });
  closers.push(() => naive.close());
  const io = createFakeIo({ env: { RUNPROOF_API_KEY: naive.apiKey } });
  const address = `${naive.url}/v2/${naive.endpointId}`;
  const where = ['check', address, '--control', naive.controlUrl];
  const check = [...where, '--only', '4.5', '--seed', '4', '--runs', '1'];
  expect(await runCli([...check, '--out', 'first', '--min-decided', '1'], io)).toBe(1);
  const all = readFileSync(join(io.cwd, 'first/history.ndjson'), 'utf8').trim().split('\n');
  expect(
    await runCli(['judge', 'first/history.ndjson', '--only', '4.5', '--save-smallest', 'small.ndjson'], io),
  ).toBe(1);
  const small = readFileSync(join(io.cwd, 'small.ndjson'), 'utf8').trim().split('\n');
  expect(small.length).toBeLessThan(9);
  expect(small.length).toBeLessThan(all.length);
  const [, requirement] = /^(\S+): \d+ calls → \d+$/m.exec(io.printed())!;
  const alone = createFakeIo({ cwd: io.cwd });
  expect(await runCli(['judge', 'small.ndjson'], alone)).toBe(1);
  expect(alone.printed()).toContain('1 failed, 1 of 1 required rules checked');
  expect(alone.printed()).not.toContain('would add');
  const again = ['judge', 'small.ndjson', '--only', requirement!, '--min-decided', '1', '--out', 'second'];
  expect(await runCli(again, io)).toBe(1);
  const report = JSON.parse(readFileSync(join(io.cwd, 'second/report.json'), 'utf8')) as Report;
  expect(report.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toEqual([
    requirement,
  ]);
  expect(await runCli(['judge', 'small.ndjson', '--save-smallest', 'small.ndjson'], io)).toBe(2);
});
