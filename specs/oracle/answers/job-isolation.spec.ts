/** What one submission carries (`input`, `s3Config`, `webhook`) reaches its own job alone. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/history/events.js';
import { failed, TraceBuilder, verdictOf } from '../support/trace-builder.js';

describe('data of one submission reach no other job', () => {
  const s3 = (name: string): Json => ({
    accessId: name,
    accessSecret: name,
    bucketName: name,
    endpointUrl: name,
  });
  const echo = (name: string): { readonly [key: string]: Json } => ({ name, plan: [{ echo: true }] });
  const again = (name: string): { readonly [key: string]: Json } => ({
    name,
    plan: [{ fail: 'once' }],
    planOnRetry: [{ echo: true }],
  });
  const run = (
    trace: TraceBuilder,
    id: string,
    input: Json,
    more: { readonly [key: string]: Json } = {},
  ): TraceBuilder =>
    trace.call(0, 'run', null, 200, { id, status: 'IN_QUEUE' }, { body: { input, ...more } });
  const done = (trace: TraceBuilder, ms: number, id: string, output: Json): TraceBuilder =>
    trace.seen(ms, id, 'COMPLETED', { output });

  test('an input', () => {
    const id = '2.1/input-not-mixed-between-jobs';
    const two = (): TraceBuilder => run(run(new TraceBuilder(1), 'a', echo('a')), 'b', echo('b'));
    expect(verdictOf(done(two(), 10, 'a', echo('a')).judged(20), id)).toBe('pass');
    expect(failed(done(two(), 10, 'a', echo('b')).judged(20))).toEqual([id]);
    const alone = done(run(new TraceBuilder(1), 'a', echo('a')), 10, 'a', echo('a'));
    expect(verdictOf(alone.judged(20), id)).toBe('not-exercised');
  });

  test('an input, of retried jobs', () => {
    const retried = run(run(new TraceBuilder(1), 'a', again('a')), 'b', again('b'))
      .seen(10, 'a', 'FAILED')
      .seen(10, 'b', 'FAILED')
      .call(20, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' })
      .call(20, 'retry', 'b', 200, { id: 'b', status: 'IN_QUEUE' });
    expect(failed(done(retried, 30, 'b', again('a')).judged(40))).toEqual([
      '2.1/input-not-mixed-between-jobs',
    ]);
  });

  test.each([
    ['its own', s3('a'), s3('b'), []],
    ['that of another', s3('a'), s3('a'), ['2.3/not-mixed-between-jobs']],
    ['that of another, although it has none', null, s3('a'), ['2.3/not-mixed-between-jobs']],
    ['none', s3('b'), null, ['2.3/passed-along-run']],
  ] as const)('an s3Config: a job is given %s', (what, own, given, ids) => {
    const plan: Json = { plan: [{ s3Config: true }] };
    const first = run(new TraceBuilder(1), 'a', plan, { s3Config: s3('a') });
    const config = what === 'that of another' || what === 'its own' ? s3('b') : own;
    const trace = run(first, 'b', plan, config === null ? {} : { s3Config: config });
    expect(failed(done(trace, 10, 'b', { s3Config: given }).judged(20))).toEqual(ids);
  });

  describe('a webhook', () => {
    const [one, other] = ['http://here/1', 'http://here/2'];
    const two = (): TraceBuilder =>
      done(
        done(
          run(
            run(new TraceBuilder(2), 'a', { plan: [{ return: 1 }] }, { webhook: one }),
            'b',
            { plan: [{ return: 2 }] },
            {
              webhook: other,
            },
          ),
          10,
          'a',
          1,
        ),
        10,
        'b',
        2,
      );
    const id = '6/each-job-its-own-url';

    test('to the address of another job, whose own calls name that job', () => {
      const trace = two()
        .webhook(10, one, 500, { id: 'a' })
        .webhook(10, other, 200, { id: 'b' })
        .webhook(9_000, other, 200, { id: 'a' });
      expect(failed(trace.judged(60_000))).toContain(id);
    });

    test('not if no call to that address ever named its own job', () => {
      const trace = two().webhook(10, one, 200, { id: 'b' }).webhook(10, other, 200, { id: 'a' });
      expect(failed(trace.judged(60_000))).not.toContain(id);
    });

    test('to the address of another job, which it does not name', () => {
      const trace = two().webhook(10, other, 200, { id: 'a' }).webhook(10, other, 200, { id: 'b' });
      expect(failed(trace.judged(60_000))).toEqual(['6/called-on-completion-run', id]);
    });

    test.each([
      ['each at its own', 'a', 'b'],
      ['the payload is not specified', 'b', 'b'],
      ['nor is the job that it names', 'c', 'd'],
    ])('%s', (_, atOne, atOther) => {
      const trace = two().webhook(10, one, 200, { id: atOne }).webhook(10, other, 200, { id: atOther });
      expect(failed(trace.judged(60_000))).toEqual([]);
    });
  });
});
