/** Of a target that dies, the report names the calls that it held then. */
import { expect, test } from 'vitest';
import type { CallEvent, HistoryEvent } from '../../src/history/events.js';
import { callsAtLosses } from '../../src/report/calls/calls-at-losses.js';
import { TraceBuilder } from '../oracle/support/trace-builder.js';

const URL = 'http://127.0.0.1:8080';
const answered = new TraceBuilder().submitted(0, 'a', [{ return: 1 }]).seen(10, 'a', 'COMPLETED');
const [run, call] = [
  answered.history(20)[0]!,
  answered.history(20).find((event): event is CallEvent => event.kind === 'call')!,
];

const lost = (
  number: number,
  reason: 'reset' | 'refused',
  request: Partial<CallEvent['request']> = {},
): CallEvent => ({
  ...call,
  call: number,
  reply: null,
  lost: reason,
  request: { ...call.request, ...request },
});
const malformed = { body: { as: 'text', text: '{"input":', bytes: 9 }, illegal: 'truncated-json' } as const;
const told = (...events: readonly HistoryEvent[]): readonly string[] =>
  callsAtLosses([run, call, ...events], URL);

test('the most unusual one comes first, with its curl command', () => {
  const [warning, ...more] = told(lost(7, 'reset'), lost(8, 'reset', malformed), lost(9, 'refused'));
  expect(more).toEqual([]);
  expect(warning).toMatch(
    /^the target was lost while it held #8 POST \/run \(truncated-json\), #7 POST \/run: perhaps one of these calls stops it\. /,
  );
  expect(warning).toMatch(/send the first: curl .*\/run.*'\{"input":'$/);
});

test('each loss is told, up to three', () => {
  const loss = (number: number): readonly HistoryEvent[] => [
    lost(number, 'reset', malformed),
    lost(number + 1, 'refused'),
    call,
  ];
  expect(told(...loss(10), ...loss(20))).toHaveLength(2);
  expect(told(...loss(10), ...loss(20), ...loss(30), ...loss(40))).toHaveLength(3);
});

test('a connection that breaks stops nothing, and a target that nobody can reach held nothing', () => {
  expect(told(lost(7, 'reset', malformed), call)).toEqual([]);
  expect(told(lost(7, 'refused'), lost(8, 'refused'))).toEqual([]);
  // The end of the run aborts what is under way.
  expect(told(lost(7, 'reset', malformed), { ...lost(8, 'reset'), lost: 'aborted' })).toEqual([]);
});
