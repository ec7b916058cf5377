/** Section 5: what an answer of 401 shows of a job, wherever it stands. */
import { expect, test } from 'vitest';
import type { Json } from '../../src/history/events.js';
import { TraceBuilder, verdictOf } from './support/trace-builder.js';

const ID = '5/unauthorized-reveals-nothing';
const OUTPUT = { text: 'a result' };

/** Each call on one job without a key, after it has completed. */
function refused(body: Json): string | undefined {
  const trace = new TraceBuilder()
    .submitted(0, 'a', [{ return: OUTPUT }])
    .seen(10, 'a', 'COMPLETED', { output: OUTPUT });
  for (const op of ['status', 'stream', 'cancel', 'retry'] as const)
    trace.call(20, op, 'a', 401, body, { auth: 'missing' });
  return verdictOf(trace.judged(1_000), ID);
}

test.each<Json>([
  { error: 'no key', output: OUTPUT },
  { error: 'no key', job: { id: 'a', output: 1 } },
  { error: { data: [{ output: 'chunk' }] } },
  { id: 'a', status: 'COMPLETED' },
  { job: { state: 'IN_PROGRESS' } },
  { id: 'a', status: 'FAILED', error: 'no key' },
  { error: 'no key', result: OUTPUT },
])('%j shows something', (body) => {
  expect(refused(body)).toBe('fail');
});

test.each<Json>([
  { error: 'no key' },
  { status: 401, message: 'no key for a' },
  { status: 'FAILED', message: 'no key' },
  { output: null, error: 'no key' },
  'COMPLETED',
  ['no key'],
])('%j shows nothing', (body) => {
  expect(refused(body)).toBe('pass');
});
