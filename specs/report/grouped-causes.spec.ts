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
