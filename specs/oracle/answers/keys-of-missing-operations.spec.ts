/** An operation that may not exist asks for no key: 404 instead of 401 is an error only where the operation is there. */
import { expect, test } from 'vitest';
import { TraceBuilder, verdictOf } from '../support/trace-builder.js';

const gone = { error: 'not found' };
const ID = '5/missing-key-stream';

const streams = (...withKey: readonly (readonly [code: number, body: object])[]): string | undefined => {
  const trace = new TraceBuilder().submitted(0, 'a', [{ return: 1 }]).seen(10, 'a', 'COMPLETED');
  for (const [code, body] of withKey) trace.call(20, 'stream', 'a', code, body as never);
  trace.call(30, 'stream', 'a', 404, gone, { auth: 'missing' });
  return verdictOf(trace.seen(40, 'a', 'COMPLETED').judged(1_000), ID);
};

test('it is open where no call of the operation was answered otherwise', () => {
  expect(streams()).toBe('inconclusive');
  expect(streams([404, gone])).toBe('inconclusive');
});

test('it fails where one was', () => {
  expect(streams([200, []])).toBe('fail');
});
