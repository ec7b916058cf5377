/** Requirements that one fault violates are told as one cause, the plainest of them first. */
import { expect, test } from 'vitest';
import { causesOf } from '../../src/report/causes.js';
import type { CallEvent } from '../../src/history/events.js';
import { HISTORY } from './sample-report.js';

type Failing = Parameters<typeof causesOf>[0][number];

const failing = (id: string, failed: number, decided: number, or?: readonly string[]): Failing => ({
  ...{ id, section: id.slice(0, id.indexOf('/')), failed, decided },
  failures: [{ calls: [0], ...(or === undefined ? {} : { or }) }],
});
const made = HISTORY.find((event): event is CallEvent => event.kind === 'call')!;
const answered = (status: number): ReadonlyMap<number, CallEvent> =>
  new Map([[0, { ...made, op: 'status', call: 0, reply: { ...made.reply!, status, body: { as: 'none' } } }]]);

test('what a second run of jobs explains', () => {
  const or = ['1/job-processed-once'];
  const found = causesOf(
    [
      failing('6/stops-after-200', 7, 51, or),
      failing('6/at-most-three-attempts', 6, 33, or),
      failing('4.4/chunks-not-duplicated', 2, 52, or),
      failing('6/pause-not-longer', 9, 40),
    ],
    answered(200),
  );
  expect(found.map(({ requirement, answer, sameAnswer }) => [requirement, answer, sameAnswer])).toEqual([
    ['6/pause-not-longer', null, []],
    [
      '6/at-most-three-attempts',
      'as if jobs had run twice',
      ['6/stops-after-200', '4.4/chunks-not-duplicated'],
    ],
  ]);
});

test('results that are not kept, before those with `wait` and of retried jobs', () => {
  const [cause, ...others] = causesOf(
    [
      failing('4.1/wait-does-not-shorten-retention', 2, 2),
      failing('4.1/retention-after-retry', 1, 1),
      failing('4.1/retention-kept', 2, 4),
    ],
    answered(404),
  );
  expect(cause?.requirement).toBe('4.1/retention-kept');
  expect(others).toEqual([]);
});

test('statuses that the document does not list, each by its word', () => {
  const saying = (call: number, op: 'run' | 'cancel', status: string): CallEvent => ({
    ...{ ...made, op, call },
    reply: { ...made.reply!, status: 200, body: { as: 'json', value: { id: 'a', status }, bytes: 30 } },
  });
  const of = (id: string, call: number): Failing => ({ ...failing(id, 3, 9), failures: [{ calls: [call] }] });
  const found = causesOf(
    [of('4.2/status-in-queue', 0), of('4.5/status-cancelled-running', 1)],
    new Map([
      [0, saying(0, 'run', 'QUEUED')],
      [1, saying(1, 'cancel', 'STOPPED')],
    ]),
  );
  expect(found.map(({ answer }) => answer)).toEqual([
    'answered with the status “QUEUED” or “STOPPED”, which section 3 does not list',
  ]);
});

const answers = (
  ...all: readonly (readonly [
    call: number,
    op: 'status' | 'cancel' | 'retry' | 'run',
    status: number,
    script: number,
  ])[]
): ReadonlyMap<number, CallEvent> =>
  new Map(
    all.map(([call, op, status, script]) => [
      call,
      { ...made, op, call, script, sentTick: call, reply: { ...made.reply!, status, body: { as: 'none' } } },
    ]),
  );
const at = (call: number, one: Failing): Failing => ({ ...one, failures: [{ calls: [call] }] });
const inCauses = (failed: readonly Failing[], calls: ReadonlyMap<number, CallEvent>) =>
  causesOf(failed, calls).map(({ requirement, sameAnswer, consequences }) => [
    requirement,
    ...sameAnswer,
    ...consequences,
  ]);

test('one sentence, said of several operations', () => {
  const failed = [
    at(0, failing('2.3/passed-along-run', 9, 9)),
    at(1, failing('2.3/passed-along-runsync', 4, 4)),
    at(1, failing('2.3/kept-across-retry', 3, 3)),
  ];
  expect(inCauses(failed, answers([0, 'status', 200, 0], [1, 'status', 200, 1]))).toEqual([
    ['2.3/passed-along-run', '2.3/passed-along-runsync'],
    ['2.3/kept-across-retry'],
  ]);
});

test('a job that /cancel refuses, whichever section shows it; of /run each section says something else', () => {
  const failed = [
    at(0, failing('3/cancel-running', 9, 9)),
    at(1, failing('4.5/cancels-runsync-job', 6, 9)),
    at(2, failing('2.2/ttl-min-accepted', 5, 9)),
    at(3, failing('2.1/policy-accepted-run', 2, 9)),
    at(4, failing('4.6/failed-again-can-be-retried', 1, 9)),
  ];
  const calls = answers(
    ...([0, 1] as const).map((call) => [call, 'cancel', 400, call] as const),
    ...([2, 3] as const).map((call) => [call, 'run', 400, call] as const),
    [4, 'retry', 400, 4],
  );
  expect(inCauses(failed, calls)).toEqual([
    ['3/cancel-running', '4.5/cancels-runsync-job'],
    ['2.2/ttl-min-accepted'],
    ['2.1/policy-accepted-run'],
    ['4.6/failed-again-can-be-retried'],
  ]);
});

test.each([
  ['that failed each time', 9, 9, 7, true],
  ['that failed in the same script', 3, 9, 0, true],
  ['but not one that held in this script', 3, 9, 7, false],
])('what presupposes a requirement %s', (_, times, of, script, isOne) => {
  const [general, special] = ['2.4/output-in-status', '4.1/answer-agrees-with-status'];
  const failed = [at(0, failing(general, times, of)), at(1, failing(special, 9, 9))];
  const found = inCauses(failed, answers([0, 'status', 200, 0], [1, 'status', 200, script]));
  expect(found).toEqual(isOne ? [[general, special]] : [[special], [general]]);
});

test('what becomes of retried jobs, where they lose their input', () => {
  const failed = [at(0, failing('4.6/keeps-input', 19, 40)), at(2, failing('4.6/retried-job-runs', 86, 107))];
  const calls = (of: number) => answers([0, 'status', 200, 0], [1, 'retry', 200, of], [2, 'status', 200, 1]);
  expect(inCauses(failed, calls(1))).toEqual([['4.6/keeps-input', '4.6/retried-job-runs']]);
  expect(inCauses(failed, calls(0))).toEqual([['4.6/retried-job-runs'], ['4.6/keeps-input']]);
  const seldom = [at(0, failing('4.6/keeps-input', 9, 40)), failed[1]!];
  expect(inCauses(seldom, calls(1))).toEqual([['4.6/retried-job-runs'], ['4.6/keeps-input']]);
});

test('timeouts after the end and in the queue, where the answers show the same state', () => {
  const failed = [
    at(0, failing('3/completed-stays', 34, 700)),
    at(1, failing('2.2/execution-timeout-not-in-queue', 12, 20)),
  ];
  const shown = (status: string) =>
    new Map(
      [...answers([0, 'status', 200, 0], [1, 'status', 200, 1])].map(([number, call]) => {
        const value = { status: number === 0 ? status : 'TIMED_OUT' };
        return [
          number,
          { ...call, reply: { ...call.reply!, body: { as: 'json' as const, value, bytes: 9 } } },
        ];
      }),
    );
  expect(inCauses(failed, shown('TIMED_OUT'))).toEqual([
    ['3/completed-stays', '2.2/execution-timeout-not-in-queue'],
  ]);
  expect(inCauses(failed, shown('FAILED'))).toEqual([
    ['2.2/execution-timeout-not-in-queue'],
    ['3/completed-stays'],
  ]);
});

test('outputs of other jobs, and jobs that cannot be cancelled', () => {
  const failed = [
    at(0, failing('2.4/output-of-this-job', 733, 2108)),
    at(1, failing('2.4/output-array-unchanged', 2, 4)),
    at(2, failing('3/cancel-queued', 9, 9)),
    at(3, failing('2.6/removed-counts-queued', 1, 215)),
  ];
  const calls = answers(...([0, 1, 2, 3] as const).map((call) => [call, 'status', 200, call] as const));
  expect(inCauses(failed, calls)).toEqual([
    ['3/cancel-queued', '2.6/removed-counts-queued'],
    ['2.4/output-of-this-job', '2.4/output-array-unchanged'],
  ]);
});
