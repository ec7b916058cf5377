/** Known failures do not fail a run; one that passes or has expired does, with a code of its own. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../../src/shell/program.js';
import type { Baseline, Report } from '../../src/report/index.js';
import type { KnownFailure } from '../../src/report/compare/baseline.js';
import { startNaive } from '../naive/server.js';
import { createFakeIo, type FakeIo } from './fake-io.js';

const BROKEN = '2.2/ttl-removes-running';
const SOUND = '2.2/ttl-removes-queued';
const ELSEWHERE = '8/rate-run-above';
const TODAY = '2001-02-03';

/** A run against a server with one fault, judged again and again. */
let history = '';
let folder = '';
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(async () => {
  const server = await startNaive({ apiKey: 'k', clock: 'controlled', fault: 'ttl-ignored-while-running' });
  folder = mkdtempSync(join(tmpdir(), 'runproof-baseline-'));
  const io = createFakeIo({ cwd: folder, env: { RUNPROOF_API_KEY: 'k' } });
  const scope = ['--only', BROKEN, SOUND, '--seed', '1', '--runs', '1', '--out', folder];
  await runCli(['check', server.url, '--control', server.controlUrl, ...scope, '--format', 'json'], io);
  await server.close();
  history = join(folder, 'history.ndjson');
}, 60_000);

const known = (requirement: string, more: Partial<KnownFailure> = {}): KnownFailure => ({
  requirement,
  reason: 'the old scheduler',
  ...more,
});

async function judged(
  io: FakeIo,
  entries: readonly KnownFailure[] | null,
  ...args: readonly string[]
): Promise<number> {
  if (entries !== null)
    writeFileSync(
      join(io.cwd, 'known.json'),
      JSON.stringify({ schema: 'runproof-baseline/1', known: entries }),
    );
  const scope = ['--only', BROKEN, SOUND, '--out', 'out', '--format', 'terminal,json,junit,github,tap,sarif'];
  return runCli(['judge', history, ...scope, '--baseline', 'known.json', ...args], io);
}

const baselineIn = (io: FakeIo): Baseline =>
  JSON.parse(readFileSync(join(io.cwd, 'known.json'), 'utf8')) as Baseline;
const fileIn = (io: FakeIo, file: string): string => readFileSync(join(io.cwd, 'out', file), 'utf8');

describe('a run with a baseline', () => {
  it.each<[string, readonly KnownFailure[], number, RegExp]>([
    ['that knows nothing', [], 1, /^DOES NOT CONFORM: 1 failed, /m],
    ['that knows the failure', [known(BROKEN)], 0, /^NOTHING NEW: 1 failed, all known by the baseline, /m],
    ['that knows it to its last day', [known(BROKEN, { expires: TODAY })], 0, /^NOTHING NEW: /m],
    [
      'that knew it until yesterday',
      [known(BROKEN, { expires: '2001-02-02' })],
      5,
      /^BASELINE OUT OF DATE: expired: 2\.2\/ttl-removes-running; /m,
    ],
    [
      'that knows what passes',
      [known(BROKEN), known(SOUND)],
      5,
      /^BASELINE OUT OF DATE: no longer fails: 2\.2\/ttl-removes-queued; /m,
    ],
    ['that knows what passes, and not what fails', [known(SOUND)], 1, /^DOES NOT CONFORM: 1 failed, /m],
    ['that knows what nothing decided', [known(BROKEN), known(ELSEWHERE)], 0, /^NOTHING NEW: /m],
  ])('%s', async (_name, entries, exitCode, verdict) => {
    const io = createFakeIo();
    expect(await judged(io, entries)).toBe(exitCode);
    expect(io.printed()).toMatch(verdict);
    const report = JSON.parse(fileIn(io, 'report.json')) as Report;
    expect(report.exitCode).toBe(exitCode);
    const schema = JSON.parse(readFileSync('schemas/report.schema.json', 'utf8')) as object;
    const validate = new Ajv2020({ allowUnionTypes: true }).compile(schema);
    validate(report);
    expect(validate.errors).toBeNull();
  });

  it('tells of the known failure everywhere, and counts it nowhere as a failure', async () => {
    const io = createFakeIo();
    await judged(io, [known(BROKEN, { ticket: 'T-7', expires: '2001-12-31' })]);
    const words = 'the old scheduler, T-7, until 2001-12-31';
    expect(io.printed()).toContain(words);
    expect(fileIn(io, 'junit.xml')).toContain(`<skipped message="known failure: ${words}" />`);
    expect(fileIn(io, 'junit.xml')).not.toContain('<failure');
    expect(fileIn(io, 'github-annotations.txt')).toMatch(
      new RegExp(`^::notice title=${BROKEN}::.*${words}`, 'm'),
    );
    expect(fileIn(io, 'report.tap')).toMatch(
      new RegExp(`^not ok .*${BROKEN}.*# TODO known failure: ${words}`, 'm'),
    );
    expect(fileIn(io, 'report.sarif')).toContain(words);
  });
});

describe('--update-baseline', () => {
  it('writes a first baseline, with which the next run is green', async () => {
    const io = createFakeIo();
    expect(await judged(io, null, '--update-baseline')).toBe(0);
    expect(io.complained()).toContain(`known.json: 1 known failure; new: ${BROKEN}`);
    const schema = JSON.parse(readFileSync('schemas/baseline.schema.json', 'utf8')) as object;
    const validate = new Ajv2020().compile(schema);
    validate(baselineIn(io));
    expect(validate.errors).toBeNull();
    expect(await judged(io, null)).toBe(0);
  });

  it('takes out what passes, keeps what was not decided, and puts no day off', async () => {
    const io = createFakeIo();
    const entries = [
      known(BROKEN, { expires: '2001-02-02' }),
      known(SOUND),
      known(ELSEWHERE, { ticket: 'T-8' }),
    ];
    expect(await judged(io, entries, '--update-baseline')).toBe(5);
    expect(baselineIn(io).known).toEqual([entries[0], entries[2]]);
  });
});

describe('what is no baseline', () => {
  it.each([
    ['no JSON', 'known: []', /known\.json is not JSON/],
    ['something else', '{"known":[]}', /the file must be \{"schema"/],
    [
      'an entry without a reason',
      entry({ requirement: BROKEN }),
      /ttl-removes-running: "reason" must say why/,
    ],
    ['a day that is none', entry(known(BROKEN, { expires: 'soon' })), /"expires" must be a day such as/],
    ['an unknown member', entry({ ...known(BROKEN), expiry: '2001-01-01' }), /unknown member "expiry"/],
    [
      'a requirement that is none',
      entry(known('2.2/ttl-removes-runing')),
      /there is no requirement .*did you mean 2\.2\/ttl-removes-running/i,
    ],
    ['the same twice', entry(known(BROKEN), known(BROKEN)), /occurs twice/],
  ])('%s', async (_name, content, complaint) => {
    const io = createFakeIo();
    writeFileSync(join(io.cwd, 'known.json'), content);
    expect(await judged(io, null)).toBe(2);
    expect(io.complained()).toMatch(complaint);
  });

  it('a file that is not there', async () => {
    const io = createFakeIo();
    expect(await judged(io, null)).toBe(2);
    expect(io.complained()).toContain('known.json does not exist: --update-baseline creates it');
    expect(await runCli(['judge', history, '--update-baseline'], io)).toBe(2);
  });
});

function entry(...known: readonly object[]): string {
  return JSON.stringify({ schema: 'runproof-baseline/1', known });
}
