/** Calls beside one with a large body: a server with one thread does nothing else while it reads that. */
import { expect, test } from 'vitest';
import { failed, TraceBuilder, verdictOf } from '../support/trace-builder.js';

const FAR = { ttl: 604_800_000, executionTimeout: 604_800_000 };

/** A cancel that is answered after 6 s; meanwhile a body of so many bytes is sent. */
function cancelledLate(bytes: number): readonly string[] {
  const trace = new TraceBuilder(
    null,
    { capabilities: ['scripted-worker'], clock: 'real', graceMs: 1_000, earlyMs: 20 },
    false,
  )
    .submitted(0, 'a', [{ hang: true }], FAR)
    .seen(100, 'a', 'IN_PROGRESS')
    .submitted(110, 'c', [{ hang: true }], FAR)
    .seen(120, 'c', 'IN_PROGRESS')
    .call(130, 'cancel', 'c', 200, { id: 'c', status: 'CANCELLED' })
    .call(
      200,
      'run',
      null,
      200,
      { id: 'b', status: 'IN_QUEUE' },
      { body: { input: { pad: 'x'.repeat(bytes) } }, receivedMs: 9_000, ticks: [10, 21] },
    )
    .call(
      1_000,
      'cancel',
      'a',
      200,
      { id: 'a', status: 'CANCELLED' },
      { receivedMs: 7_000, ticks: [11, 20] },
    );
  return failed(trace.judged(20_000)).filter((id) => id.startsWith('4.5/'));
}

test('a late answer is not held against it', () => {
  expect(cancelledLate(1_500_000)).toEqual([]);
});

test('but it is beside a small body', () => {
  expect(cancelledLate(10)).toEqual(['4.5/returns-at-once']);
});

test('a body above the limit: only a refusal shows with which code the service refuses', () => {
  const run = (trace: TraceBuilder, code: number): TraceBuilder =>
    trace.call(
      0,
      'run',
      null,
      code,
      code === 200 ? { id: 'b', status: 'IN_QUEUE' } : { error: 'too large' },
      {
        body: { input: { pad: 'x'.repeat(11_000_000) } },
      },
    );
  const judged = run(run(run(new TraceBuilder(1), 200), 413), 500).judged(20_000);
  const { readings, stable } = judged.openQuestions.find(({ id }) => id === '7/oversize-code')!;
  expect({ readings, stable }).toEqual({ readings: ['413'], stable: true });
  expect(verdictOf(judged, '4.2/payload-above-limit-refused')).toBe('fail');
});
