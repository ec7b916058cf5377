/** Reports, histories and failures that come from elsewhere: damaged ones, and ones whose every text is hostile. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../src/shell/program.js';
import { shippedSchema } from '../../src/package-files.js';
import { violationOf, type Schema } from '../../src/util/json-schema.js';
import { HOSTILE, HISTORY, madeUpReport } from '../report/sample-report.js';
import { createFakeIo, filesBelow, type FakeIo } from './fake-io.js';

type Name = Parameters<typeof shippedSchema>[0];
const SCHEMAS = Object.fromEntries(
  (['report', 'history', 'explore', 'failure'] as const).map((name) => [name, shippedSchema(name)]),
) as { readonly [name in Name]: Schema };

/** Lines and the colours of our own aside, no character that a terminal obeys or hides. */
const RAW = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u;
const ALL_FORMATS = 'terminal,json,html,junit,ctrf,sarif,tap,markdown,github,har';

type Path = readonly (string | number)[];

function pathsOf(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const members = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...members.flatMap(([name, member]) => pathsOf(member, [...path, name]))];
}

/** The value with `change` applied to the member at the path; undefined: without that member. */
function changed(value: unknown, [name, ...rest]: Path, change: (member: unknown) => unknown): unknown {
  if (name === undefined) return change(value);
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as {
    [name: string | number]: unknown;
  };
  const member = changed(copy[name], rest, change);
  if (member === undefined) delete copy[name];
  else copy[name] = member;
  return Array.isArray(copy) ? copy.filter(() => true) : copy;
}

/** Every text hostile that the schema lets be anything. */
function hostile(value: unknown, schema: Schema): unknown {
  return pathsOf(value).reduce((made, path) => {
    const next = changed(made, path, (text) => (typeof text === 'string' ? `${text}${HOSTILE}` : text));
    return violationOf(next, schema) === null ? next : made;
  }, value);
}

const EXPLORE = {
  schema: 'runproof-explore/1',
  runproof: '0.1.0',
  exitCode: 0,
  seed: 1,
  shard: { index: 1, count: 2 },
  edition: 'document',
  mutant: 'none',
  runs: 1,
  calls: 2,
  coverage: { 'IN_QUEUE status': 1 },
  decided: ['4.6/retry-failed'],
  goals: { reached: 1, of: 2, missing: ['a'] },
  pairs: { reached: 1, of: 2, missing: ['b'] },
  breachCounts: { '4.6/retry-failed': 1 },
};
const FAILURE = {
  schema: 'runproof-failure/1',
  runproof: '0.1.0',
  edition: 'document',
  target: 'somewhere',
  expectedExit: 1,
  failures: [{ requirement: '2.2/ttl-removes-queued', expected: 'a', actual: 'b', proof: ['c'] }],
  script: { scenario: 'x', seed: 1, lanes: [] },
  found: {
    ...{ seed: 1, run: 3, mutant: null, alone: true },
    world: {
      ...{ seed: 4, graceMs: 100, ties: 'default', arrivals: 'known', variant: null },
      requestMs: { fromMs: 1, toMs: 2 },
      mishaps: [{ perMille: 3, action: { do: 'hang-up', afterMs: 4 } }],
      scaling: {
        ...{ min: 1, coldStartMs: { fromMs: 1, toMs: 2 }, idleTimeoutMs: 5 },
        scaler: { kind: 'queue-delay', delayMs: 3 },
      },
    },
  },
};
const REPORT = JSON.parse(JSON.stringify(madeUpReport())) as object;

function write(io: FakeIo, folder: string, files: { readonly [name: string]: string }): void {
  mkdirSync(join(io.cwd, folder), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(io.cwd, folder, name), text);
}

const ndjson = (events: readonly unknown[]): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join('');

it('no text of a report reaches the terminal or a file as it is', { timeout: 60_000 }, async () => {
  const io = createFakeIo();
  const report = hostile(REPORT, SCHEMAS.report) as { at: string };
  expect(JSON.stringify(report).split('\\u001b').length).toBeGreaterThan(40);
  const events = HISTORY.map((event) => hostile(event, SCHEMAS.history));
  expect(JSON.stringify(events).split('\\u001b').length).toBeGreaterThan(30);
  const files = { 'report.json': JSON.stringify(report), 'history.ndjson': ndjson(events) };
  write(io, 'a', files);
  write(io, 'b', { 'report.json': JSON.stringify({ ...report, edition: 'runpod', seed: 2 }) });
  write(io, 'c', { 'explore.json': JSON.stringify(hostile(EXPLORE, SCHEMAS.explore)) });
  const commands = [
    ['show', 'a'],
    ['show', 'a', '2.2/ttl-removes'],
    ['show', 'a', '#1', 'script:0'],
    ['report', 'render', 'a', '--format', ALL_FORMATS, '--out', 'a/again', '--verbose'],
    ['report', 'merge', 'a', 'a', '--format', ALL_FORMATS, '--out', 'a/both'],
    ['report', 'merge', 'c', '--out', 'c/both'],
    ['report', 'diff', 'a', 'b'],
    ['report', 'matrix', 'a', 'b', '--out', 'a/matrix'],
    ['report', 'history', '.', '--out', 'a/trend', '--verbose'],
    ['report', 'badge', 'a'],
    ['judge', 'a/history.ndjson', '--format', ALL_FORMATS, '--out', 'a/judged'],
  ];
  for (const command of commands) {
    const before = io.complained().length;
    if ((await runCli(command, io)) === 4)
      expect.fail(`${command.join(' ')}: ${io.complained().slice(before)}`);
  }
  for (const input of ['a/report.json', 'a/history.ndjson', 'b/report.json', 'c/explore.json'])
    writeFileSync(join(io.cwd, input), '');
  const printed = new Map([...filesBelow(io.cwd), ['stdout', io.printed()], ['stderr', io.complained()]]);
  expect(printed.size).toBeGreaterThan(25);
  for (const [name, text] of printed) expect([name, RAW.exec(text)?.[0]]).toEqual([name, undefined]);
});

it.each(['variant', 'mutant'])(
  'a failure with an unknown %s is refused, in harmless text',
  async (member) => {
    const io = createFakeIo();
    const { world, ...found } = FAILURE.found;
    const unknown = { [member]: `\u001b]0;${HOSTILE}` };
    const failure = {
      ...FAILURE,
      found: { ...found, ...unknown, world: { ...world, mishaps: [], ...unknown } },
    };
    if (member === 'mutant') delete (failure.found.world as { mutant?: string }).mutant;
    const script = {
      ...{ schema: 'runproof-script/1', scenario: 'x', title: 'x', seed: 1, needs: [], workers: 1 },
      ...{ exclusive: false, expectedMs: 1, steps: [{ do: 'health' }] },
    };
    write(io, 'a', { 'failure.json': JSON.stringify({ ...failure, script }) });
    expect(await runCli(['replay', 'a/failure.json'], io), io.complained()).toBe(2);
    expect(io.complained()).toContain('no such planted bug or variant');
    expect(RAW.exec(io.printed() + io.complained())).toBeNull();
  },
);

/** One change that damages a value: a member is missing, or something else. */
const damage = fc.record({
  at: fc.nat(),
  with: fc.constantFrom(undefined, null, 7, -1, 1.5, '', 'text', true, [], {}, [1], { a: 1 }),
});

/** Which command reads it, and by which name. */
const READERS: readonly (readonly [
  Name,
  object,
  string,
  (name: string) => readonly (readonly string[])[],
])[] = [
  [
    'report',
    REPORT,
    'a/report.json',
    () => [
      ['show', 'a'],
      ['report', 'render', 'a'],
      ['report', 'merge', 'a', 'a', '--format', 'html,junit,markdown'],
      ['report', 'diff', 'a', 'a'],
      ['report', 'matrix', 'a'],
      ['report', 'badge', 'a'],
    ],
  ],
  ['explore', EXPLORE, 'a/explore.json', () => [['report', 'merge', 'a']]],
  ['failure', FAILURE, 'a/failure.json', (name) => [['replay', name]]],
];

describe.each(READERS)('a damaged %s', (name, whole, file, commandsOf) => {
  it('is refused with its place, never taken for a bug', { timeout: 120_000 }, async () => {
    const io = createFakeIo({ env: { RUNPROOF_API_KEY: 'k' } });
    const paths = pathsOf(whole);
    await fc.assert(
      fc.asyncProperty(damage, async ({ at, with: instead }) => {
        const path = paths[at % paths.length]!;
        const value = changed(whole, path, () => instead);
        write(io, 'a', { [file.slice(2)]: JSON.stringify(value) ?? '' });
        const before = io.complained().length;
        const violates = violationOf(value ?? null, SCHEMAS[name]) !== null;
        for (const command of commandsOf(file)) {
          const code = await runCli(command, io);
          if (code === 4) expect.fail(`${command.join(' ')}: ${io.complained().slice(before)}`);
          if (violates) {
            expect(code).toBe(2);
            expect(io.complained().slice(before)).toMatch(/^runproof: a(\/|\b)/);
          }
        }
      }),
      { numRuns: 60, seed: 1 },
    );
  });

  it('is the same to us as to the reference of JSON Schema', () => {
    const { $defs: _, ...lax } = SCHEMAS[name];
    const ajv = new Ajv2020({ strict: false }).compile(withoutUnknown(SCHEMAS[name]));
    expect([ajv(whole), violationOf(whole, SCHEMAS[name]), Object.keys(lax).length > 3]).toEqual([
      true,
      null,
      true,
    ]);
    const paths = pathsOf(whole);
    fc.assert(
      fc.property(damage, ({ at, with: instead }) => {
        const value = changed(whole, paths[at % paths.length]!, () => instead) ?? null;
        expect(violationOf(value, SCHEMAS[name]) === null).toBe(ajv(value));
      }),
      { numRuns: 2_000, seed: 2 },
    );
  });
});

/** The schema as a reader takes it: members that it does not know are left alone. */
function withoutUnknown(schema: unknown): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"additionalProperties":false,', '')) as object;
}

describe('a damaged history', () => {
  let recorded: Promise<readonly object[]> | null = null;
  const history = (): Promise<readonly object[]> => (recorded ??= record());

  it('is none as we write it, for us and for the reference of JSON Schema', { timeout: 60_000 }, async () => {
    const ajv = new Ajv2020({ strict: false }).compile(SCHEMAS.history);
    for (const event of await history())
      expect([event, ajv(event), violationOf(event, SCHEMAS.history)]).toEqual([event, true, null]);
  });

  it('is refused with its line, or judged: never taken for a bug', { timeout: 300_000 }, async () => {
    const io = createFakeIo();
    const some = (await history()).slice(0, 60);
    await fc.assert(
      fc.asyncProperty(fc.nat(), damage, fc.boolean(), async (line, { at, with: instead }, whole) => {
        const index = line % some.length;
        const paths = pathsOf(some[index]);
        const event = whole ? instead : changed(some[index], paths[at % paths.length]!, () => instead);
        const lines = [
          ...some.slice(0, index),
          ...(event === undefined ? [] : [event]),
          ...some.slice(index + 1),
        ];
        writeFileSync(join(io.cwd, 'h.ndjson'), ndjson(lines));
        const before = io.complained().length;
        const code = await runCli(['judge', 'h.ndjson', '--out', 'out', '--quiet', '--format', 'json'], io);
        const said = io.complained().slice(before);
        if (code === 4) expect.fail(said);
        if (event !== undefined && violationOf(event, SCHEMAS.history) !== null) {
          expect(code).toBe(2);
          expect(said).toContain(`h.ndjson`);
        }
      }),
      { numRuns: 60, seed: 3 },
    );
  });
});

async function record(): Promise<readonly object[]> {
  const io = createFakeIo();
  const check = ['check', '--only', '4.5', '3/cancel-*', '--seed', '3', '--runs', '1', '--min-decided', '1'];
  expect(await runCli([...check, '--out', 'out', '--quiet'], io)).toBe(0);
  const lines = readFileSync(join(io.cwd, 'out/history.ndjson'), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as object);
}
