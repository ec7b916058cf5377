/** The calls of a job that fails become a script: all that matter to it, and no others. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { LiveJudge } from '../../../src/judging/live/live-judge.js';
import type { FailingCalls } from '../../../src/judging/live/failing-calls.js';
import type { Finding } from '../../../src/judging/live/findings-life.js';
import { parseScript } from '../../../src/scenario/index.js';
import { forReader } from '../../../src/report/replay-line.js';
import { AT, read, record, run, seen, sentTo, settings, watch, type Seen, type Told } from './support.js';

/** What was taken of a judge that saw this. */
function failing(
  told: readonly Told[],
  findings: readonly Finding[] = [],
): ReadonlyMap<string, FailingCalls> {
  const judge = new LiveJudge(settings({ others: false, findings }));
  watch(judge, ...told);
  judge.look(AT + 60_000);
  const taken = new Map(judge.takeFailing());
  expect(judge.takeFailing()).toEqual([]);
  return taken;
}

const stepsOf = ({ text }: FailingCalls & { readonly file: string }): readonly string[] =>
  parseScript(JSON.parse(text).script).steps.map((step) =>
    'job' in step ? `${step.do} ${String(step.job)}` : step.do,
  );

/** Completed, and back in the queue. */
const returning = (input: object = {}): readonly Told[] => [
  { ...run(1_000, 'a'), input },
  read(2_000, 'a', 'COMPLETED'),
  read(3_000, 'a', 'IN_QUEUE'),
];
const purge = (atMs: number): Told => ({
  atMs,
  path: 'purge-queue',
  reply: { removed: 0, status: 'completed' },
});

test('the calls of the job and the purges that it met are in it, and none of other jobs', () => {
  const told = [purge(0), run(500, 'b'), ...returning()];
  told.splice(4, 0, purge(2_500), read(2_600, 'b', 'IN_PROGRESS'));
  const [calls] = failing(told).values();
  expect(calls!.whyNone).toBeNull();
  expect(stepsOf(calls as FailingCalls & { file: string })).toEqual([
    ...['run job-1', 'status job-1', 'purge-queue', 'status job-1'],
  ]);
});

test('calls that cannot be made again are none, and that is said', () => {
  const told = [...returning({ image: 'x'.repeat(5_000) })];
  told.splice(2, 0, purge(2_500));
  const whys = [...failing(told).values()].map(({ whyNone }) => whyNone);
  const body = '1 call with a body that was not read, or that a script cannot send';
  const others = '2 calls on jobs whose submission was not recorded';
  expect(new Set(whys)).toEqual(
    new Set([`its calls cannot be made again: 1 call seen by the proxy, without ${body}, without ${others}`]),
  );
});

test('a script of more than 200 KB is none, and that is said', () => {
  const large = Array.from({ length: 300 }, () => 'x'.repeat(1_000));
  const whys = [...failing(returning({ large })).values()].map(({ whyNone }) => whyNone);
  expect(new Set(whys)).toEqual(new Set(['its calls would make more than 200 KB']));
  expect([...failing(returning({ large: large.slice(0, 100) })).values()][0]!.whyNone).toBeNull();
});

test('a job of which the history has not the whole answer is known all the same', () => {
  const told = returning().map((one) => ({ ...one, reply: { ...one.reply, more: 'x'.repeat(600_000) } }));
  const [calls] = failing(told).values();
  expect(stepsOf(calls as FailingCalls & { file: string })).toEqual([
    ...['run job-1', 'status job-1', 'status job-1'],
  ]);
});

test('a finding of an earlier proxy has a script of the first job that fails now', () => {
  const [[requirement]] = [...failing(returning())] as [[string, FailingCalls]];
  const earlier: Finding = {
    ...{ requirement, level: 'must', text: 't', expected: 'e', actual: 'a', proof: [] },
    ...{ state: 'ongoing', firstMs: 0, lastMs: 0, times: 1 },
  };
  expect([...failing(returning(), [earlier]).keys()]).toContain(requirement);
});

const schema = JSON.parse(readFileSync('schemas/report.schema.json', 'utf8')) as object;
const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(schema);

test('where clients called several endpoints, each failure is replayed at its own', () => {
  const judge = new LiveJudge(settings({ others: false }));
  const elsewhere = (told: Told): readonly Seen[] =>
    seen(told).map((one) => sentTo(one, one.request.target.replace('/abc/', '/xyz/')));
  const wrong = { ...record('b', 'IN_QUEUE'), delayTime: -1 };
  watch(judge, run(0, 'a'), read(1_000, 'a', 'COMPLETED'));
  for (const told of [run(1_500, 'b'), { ...read(1_600, 'b', 'IN_QUEUE'), reply: wrong }])
    for (const one of elsewhere(told)) judge.take(one);
  watch(judge, read(2_000, 'a', 'IN_QUEUE'));
  for (const _ of judge.finish(AT + 5_000)) continue;
  validate(JSON.parse(JSON.stringify(judge.finished!.report)));
  expect(validate.errors).toBeNull();
  const report = forReader(judge.finished!.report, { program: 'runproof', directory: 'out' });
  const lines = report.requirements.flatMap(({ failures }) => failures.flatMap(({ replay }) => replay ?? []));
  expect(new Set(lines.map((line) => line.split(' ').at(-1)))).toEqual(
    new Set(['https://api.example.com/v2/abc', 'https://api.example.com/v2/xyz']),
  );
});
