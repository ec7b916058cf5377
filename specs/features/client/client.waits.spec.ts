/** The command line of `client`: what it names, what it gives to the command, what it prints and writes. */
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../../src/shell/program.js';
import { expectations, selectedWeathers } from '../../../src/features/client/chosen-weathers.js';
import { CLIENT_RULES } from '../../../src/client/rules/index.js';
import { WEATHERS } from '../../../src/client/weather/index.js';
import { FORMATS } from '../../../src/report/formats/names.js';
import type { Report } from '../../../src/report/index.js';
import { createFakeIo, filesBelow, type FakeIo } from '../../cli/fake-io.js';

const idsOf = (only: readonly string[], skip: readonly string[] = [], attach = false): readonly string[] =>
  selectedWeathers({ only, skip, attach }).map(({ id }) => id);

describe('weathers', () => {
  it('are all of them, those that a pattern names, or all others', () => {
    expect(idsOf([])).toHaveLength(WEATHERS.length);
    expect(idsOf(['read-answered-50*', 'clear'])).toEqual([
      'clear',
      'read-answered-500',
      'read-answered-502',
      'read-answered-503',
      'read-answered-504',
    ]);
    expect(idsOf(['read-*'], ['*-50*', '*-page'])).toEqual(['read-reset', 'read-half']);
    expect(idsOf([], [], true)).toEqual(['clear']);
  });

  it('are given their expected ends, the last of which counts', () => {
    const expected = expectations([
      { weathers: '*', expected: 'either' },
      { weathers: 'read-re*', expected: 'failure' },
      { weathers: 'read-reset', expected: 3 },
    ]);
    expect([...expected]).toEqual([
      ['*', 'either'],
      ['read-reset', 3],
    ]);
  });
});

it('--list describes every weather and every rule', async () => {
  const io = createFakeIo();
  expect(await runCli(['client', '--list'], io)).toBe(0);
  const lines = io.printed().split('\n');
  for (const { id } of WEATHERS) expect(lines).toContain(id);
  for (const { id, level } of CLIENT_RULES) expect(lines).toContain(`${id}  ${level}`);
});

it('--help says where the command stands', async () => {
  const io = createFakeIo();
  expect(await runCli(['client', '--help'], io)).toBe(0);
  expect(io.printed()).toContain('client [options] -- COMMAND…');
  expect(io.printed()).toMatch(/^ {2}6 {4}nothing was decided$/m);
});

/** Submits a job and reads it until it has ended; prints its arguments, its input and its key. */
const CLIENT = `
import { readFileSync } from 'node:fs';
const { RUNPROOF_ENDPOINT_URL: url, RUNPROOF_API_KEY: key } = process.env;
const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' };
console.log(JSON.stringify([process.argv.slice(2), readFileSync(0, 'utf8'), key]));
let job = await (await fetch(url + '/run', { method: 'POST', headers, body: '{"input":{"x":1}}' })).json();
while (job.status.startsWith('IN_')) {
  await new Promise((done) => setTimeout(done, 200));
  job = await (await fetch(url + '/status/' + job.id, { headers: { authorization: headers.authorization } })).json();
}
process.exitCode = job.output?.told === 'so' ? 0 : 1;
`;

function ioWithClient(): FakeIo {
  const io = createFakeIo({ env: process.env });
  writeFileSync(join(io.cwd, 'client.mjs'), CLIENT);
  writeFileSync(join(io.cwd, 'input.txt'), 'what it reads');
  return io;
}

const BEGIN = ['client', '--only', 'clear', '--seed', '7', '--expect', 'any'];
const COMMAND = ['--', process.execPath, 'client.mjs', '--only', '-v', '--', 'it'];

describe('a run', () => {
  it('gives the command its words, its input, and what jobs return, and writes what was asked for', async () => {
    const io = ioWithClient();
    const options = ['--output', '{"told":"so"}', '--input', 'input.txt', '--out', 'out'];
    const formats = ['--format', FORMATS.join()];
    const code = await runCli([...BEGIN, ...options, ...formats, ...COMMAND], io);
    expect([io.printed().split('\n')[0], code]).toEqual([
      expect.stringMatching(/^SURVIVED 1 condition: \d+ rules kept, \d+ never put to the test$/),
      0,
    ]);
    const files = filesBelow(join(io.cwd, 'out'));
    expect([...files.keys()].sort()).toEqual([
      ...['calls.har', 'ctrf.json', 'github-annotations.txt', 'junit.xml', 'report.html', 'report.json'],
      ...['report.md', 'report.sarif', 'report.tap'],
    ]);
    const report = JSON.parse(files.get('report.json')!) as Report;
    expect(JSON.parse(report.conditions![0]!.output.stdout)).toEqual([
      ['--only', '-v', '--', 'it'],
      'what it reads',
      '[redacted]',
    ]);
    expect(report.conditions?.[0]?.end).toMatchObject({ kind: 'ended', exitCode: 0 });
  }, 60_000);

  it('--quiet prints its first line alone', async () => {
    const io = ioWithClient();
    const expected = ['--expect', 'clear=0'];
    expect(await runCli([...BEGIN, ...expected, '--quiet', ...COMMAND], io)).toBe(1);
    expect(io.printed()).toBe(
      'IT DOES NOT WORK: with nothing going wrong, it ended with exit code 1  (exit 1)\n',
    );
    expect(io.complained()).toBe('');
  }, 60_000);

  it('--baseline tolerates what it knows, and --update-baseline writes it down', async () => {
    const io = ioWithClient();
    const known = [...BEGIN.slice(0, -2), '--expect', 'clear=0', '--baseline', 'known.json', '--quiet'];
    expect(await runCli([...known, '--update-baseline', ...COMMAND], io)).toBe(0);
    expect(JSON.parse(filesBelow(io.cwd).get('known.json')!)).toMatchObject({
      known: [{ requirement: 'client/ending', reason: 'not looked into yet' }],
    });
    expect(await runCli([...known, ...COMMAND], io)).toBe(0);
    expect(io.printed().split('\n')[1]).toBe(
      'NOTHING NEW: 1 failed, all known by the baseline, under 1 condition  (exit 0)',
    );
    writeFileSync(
      join(io.cwd, 'known.json'),
      '{"schema":"runproof-baseline/1","known":[{"requirement":"client/endings","reason":"x"}]}',
    );
    expect(await runCli([...known, ...COMMAND], io)).toBe(2);
    expect(io.complained()).toContain('there is no requirement "client/endings"');
  }, 60_000);

  it('report reads what it wrote, in any format, beside a report of an earlier version', async () => {
    const io = ioWithClient();
    await runCli([...BEGIN, '--output', '{"told":"so"}', '--out', 'out', ...COMMAND], io);
    expect(await runCli(['report', 'render', 'out', '--format', 'sarif,tap'], io)).toBe(0);
    expect(filesBelow(io.cwd).get('out/report.tap')).toContain('# SURVIVED 1 condition: ');
    expect(await runCli(['report', 'merge', 'out', 'out', '--out', 'both', '--format', 'json'], io)).toBe(0);
    // Both are the same report.
    expect(filesBelow(io.cwd).get('both/report.json')).toContain('SURVIVED 1 condition: ');
    copyFileSync('specs/report/client/first-format.json', join(io.cwd, 'client.json'));
    expect(await runCli(['report', 'render', 'client.json'], io)).toBe(0);
    expect(io.printed()).toContain('FAILED client/ending under 1 of 6 conditions: ');
    writeFileSync(join(io.cwd, 'client.json'), '{"schema":"runproof-client-report/1","results":[{}]}');
    expect(await runCli(['report', 'render', 'client.json'], io)).toBe(2);
    expect(io.complained()).toMatch(/client\.json is damaged: .* is missing\. Run the client again/);
  }, 60_000);

  it('--attach prints the variables that a client reads, and reports at Ctrl-C', async () => {
    const io = createFakeIo();
    const out = (text: string): void => {
      io.out(text);
      if (text.includes('RUNPROOF_WEATHER')) setTimeout(() => io.interrupt(), 100);
    };
    expect(await runCli(['client', '--attach', '--only', 'job-fails'], { ...io, out })).toBe(6);
    expect(io.printed()).toMatch(/^export RUNPROOF_ENDPOINT_URL=http:\/\/127\.0\.0\.1:\d+\/v2\/\w+$/m);
    expect(io.printed()).toMatch(/^NOTHING WAS DECIDED under 1 condition: /m);
  }, 60_000);
});
