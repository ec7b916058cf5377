import { expect, it } from 'vitest';
import { failed, TraceBuilder } from '../support/trace-builder.js';

const none = { error: 'not found' };

it('a job that may be deleted does not prove that /status is not implemented', () => {
  const gone = new TraceBuilder(0)
    .submitted(0, 'a', [{ hang: true }], { ttl: 20_000 })
    .call(0, 'status', 'a', 400, none, { query: { ttl: '604800001' } })
    .seen(23_000, 'a', 'GONE')
    .seen(30_000, 'a', 'GONE')
    .seen(40_000, 'a', 'GONE');
  expect(failed(gone.judged(50_000))).toEqual([]);
});

it('a cancelled job need not be found', () => {
  const trace = new TraceBuilder(0)
    .submitted(0, 'a', [{ hang: true }])
    .call(0, 'cancel', 'a', 200, { id: 'a', status: 'CANCELLED' });
  for (const ms of [1, 2, 3]) trace.seen(ms, 'a', 'GONE');
  expect(failed(trace.judged(50_000))).toEqual([]);
});

it('jobs that must exist and are never found prove it', () => {
  const trace = new TraceBuilder(0).submitted(0, 'a', [{ hang: true }]);
  for (const ms of [1, 2, 3]) trace.call(ms, 'status', 'a', 405, none);
  expect(failed(trace.judged(50_000))).toContain('4/operation-status');
});

it('the status code that reports a failed job to a waiting call is open, however often it occurs', () => {
  const trace = new TraceBuilder(3);
  for (const ms of [0, 1, 2])
    trace.call(ms, 'runsync', null, 404, none, {
      body: { input: { plan: [{ sleepMs: 500 }, { fail: 'x' }] } },
      receivedMs: ms + 90_000,
      ticks: [ms, ms + 10],
    });
  expect(failed(trace.judged(100_000))).not.toContain('4/operation-runsync');
});

it('a valid submission that is refused every time', () => {
  const trace = new TraceBuilder(3);
  for (const ms of [0, 1, 2])
    trace.call(ms, 'runsync', null, 404, none, { body: { input: { plan: [{ return: 1 }] } } });
  expect(failed(trace.judged(100_000))).toContain('4/operation-runsync');
});

it('a job that ends and is retried may refuse every cancel, although it ran before and after', () => {
  const trace = new TraceBuilder(1)
    .submitted(0, 'a', [{ sleepMs: 300 }, { fail: 'x' }])
    .seen(100, 'a', 'IN_PROGRESS');
  for (const ms of [1_000, 2_000, 3_000])
    trace
      .call(ms, 'cancel', 'a', 400, { error: 'it has failed' })
      .call(ms + 10, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' })
      .seen(ms + 200, 'a', 'IN_PROGRESS');
  expect(failed(trace.judged(50_000))).toEqual([]);
});

const waiting = (query: { readonly wait?: string }, heldMs: number, code: number): TraceBuilder => {
  const trace = new TraceBuilder(3);
  for (const ms of [0, 1, 2, 3])
    trace.call(ms, 'runsync', null, code, none, {
      body: { input: { plan: [{ sleepMs: heldMs + 5_000 }, { return: 1 }] } },
      query,
      receivedMs: ms + heldMs,
      ticks: [ms, ms + 10],
    });
  return trace;
};

it.each([408, 504, 404])('that every `wait` elapses and is answered %i is open', (code) => {
  expect(failed(waiting({ wait: '1000' }, 1_000, code).judged(200_000))).toEqual([]);
  expect(failed(waiting({}, 90_000, code).judged(200_000))).toEqual([]);
});

it('says why a call had to succeed', () => {
  const trace = new TraceBuilder(3);
  for (const ms of [0, 1, 2])
    trace.call(ms, 'runsync', null, 409, none, { body: { input: { plan: [{ return: 1 }] } } });
  const found = trace.judged(100_000).requirements.find(({ id }) => id === '4/operation-runsync');
  expect(found?.failures[0]?.proof).toEqual([
    'the submission is well-formed, and its worker succeeds before `wait` elapses',
  ]);
});

it('a route is missing, although a body parser before it answers 400', () => {
  const trace = new TraceBuilder(3).submitted(0, 'a', [{ return: 1 }]);
  trace.call(1, 'runsync', null, 400, none, { illegal: 'truncated-json' });
  for (const ms of [2, 3, 4])
    trace.call(ms, 'runsync', null, 404, none, { body: { input: { plan: [{ return: 1 }] } } });
  const { missing, requirements } = trace.judged(100_000);
  expect(missing).toMatchObject([{ requirement: '4/operation-runsync', codes: [404], calls: 3 }]);
  expect(requirements.find(({ id }) => id === '4/operation-runsync')?.failures[0]?.actual).toMatch(
    /^3 calls of \/runsync with a valid key were answered with 404, and the others 400, as a gateway/,
  );
});
