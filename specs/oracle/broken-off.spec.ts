/** Section 8: a call whose client has hung up is no call in progress any more, whatever it left behind. */
import { expect, it } from 'vitest';
import { failed, TraceBuilder, verdictOf } from './support/trace-builder.js';

const BELOW = '8/concurrency-runsync-below';
const WAIT = { wait: '5000' };
const body = { input: { plan: [{ return: 1 }] } };

/** So many calls are broken off after a second; one that is made at `laterMs` is answered with this code. */
function brokenOff(count: number, laterMs: number, code: 200 | 429): TraceBuilder {
  const trace = new TraceBuilder(0).call(
    0,
    'runsync',
    null,
    200,
    { id: 'a', status: 'IN_QUEUE' },
    { body, query: WAIT, receivedMs: 5_000 },
  );
  for (let nth = 0; nth < count; nth += 1)
    trace.call(5_000, 'runsync', null, null, null, { body, query: WAIT, receivedMs: 6_000, lost: 'hung-up' });
  const reply = code === 200 ? { id: 'b', status: 'IN_QUEUE' } : { error: 'too many requests' };
  const query = { wait: '1000' };
  return trace.call(laterMs, 'runsync', null, code, reply, {
    body,
    query,
    receivedMs: laterMs + (code === 200 ? 1_000 : 0),
  });
}

it.each([
  ['one is let in after that', 400, 80_000, 200, 'pass'],
  ['one is refused after that', 400, 80_000, 429, 'fail'],
  // The service may not have noticed yet.
  ['one is refused shortly after that', 400, 8_000, 429, 'not-exercised'],
] as const)('%s (%i calls)', (_, count, laterMs, code, verdict) => {
  const findings = brokenOff(count, laterMs, code).judged(200_000);
  expect(failed(findings)).toEqual(verdict === 'fail' ? [BELOW] : []);
  expect(verdictOf(findings, BELOW)).toBe(verdict);
});
