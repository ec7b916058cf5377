/** Of all that a refused submission holds, or lacks, what is to blame shows beside the others of the run. */
import { expect, test } from 'vitest';
import { failed, TraceBuilder } from '../support/trace-builder.js';

const input = { plan: [{ return: 1 }] };
const webhook = 'http://here/1';

function trace(refuses: (op: 'run' | 'runsync', body: object) => boolean): TraceBuilder {
  const submissions = [
    ['run', { input }],
    ['run', { input, webhook }],
    ['run', { input, s3Config: { accessId: 'id' } }],
    ['runsync', { input }],
    ['runsync', { input, webhook }],
    ['runsync', { input, policy: { ttl: 10_000 } }],
  ] as const;
  const all = new TraceBuilder(1);
  for (const [index, [op, body]] of submissions.entries()) {
    const reply = refuses(op, body) ? { error: 'no' } : { id: `j${index}`, status: 'IN_QUEUE' };
    all.call(1_000 * index, op, null, 'error' in reply ? 400 : 200, reply, { body: body as never });
  }
  return all;
}

const attributed = (of: TraceBuilder): readonly string[] =>
  failed(of.judged(60_000)).filter((id) => !id.startsWith('4.1/wait') && !id.startsWith('6/'));

test('what only the refused submissions lack is required by the target', () => {
  expect(attributed(trace((_, body) => !('webhook' in body)))).toEqual(['2.1/webhook-optional']);
});

test('an operation that refuses every call is not implemented', () => {
  expect(attributed(trace((op) => op === 'run'))).toEqual(['4/operation-run']);
});

test('both operations, if each refuses every call', () => {
  expect(attributed(trace(() => true))).toEqual(['4/operation-runsync', '4/operation-run']);
});

test('an input shared by all refused submissions is named before their operation', () => {
  const all = new TraceBuilder(1).call(0, 'run', null, 400, { error: 'no' }, { body: { input: {} } });
  expect(attributed(all)).toEqual(['2.1/input-empty-accepted-run']);
});
