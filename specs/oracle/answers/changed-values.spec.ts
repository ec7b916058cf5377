/** Values that come back changed: on which way, and of which results of a stream. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/history/events.js';
import { failed, TraceBuilder } from '../support/trace-builder.js';

const VALUE = { text: 'one & two', deep: { none: null } };
const ESCAPED = { text: 'one &amp; two', deep: { none: null } };

/** One job that returns its input, and one each that returns and streams the same; what came back of them. */
function ways(echoed: Json, returned: Json | null, streamed: Json | null): readonly string[] {
  const done = (trace: TraceBuilder, id: string, input: Json, output: Json): TraceBuilder =>
    trace
      .call(0, 'run', null, 200, { id, status: 'IN_QUEUE' }, { body: { input } })
      .seen(10, id, 'COMPLETED', { output });
  const input = { plan: [{ echo: true }], value: VALUE };
  const trace = new TraceBuilder(3);
  done(trace, 'echo', input, { plan: [{ echo: true }], value: echoed });
  if (returned !== null) done(trace, 'back', { plan: [{ return: { value: VALUE } }] }, { value: returned });
  if (streamed !== null) {
    const plan = [{ stream: { value: VALUE } }];
    done(trace, 'stream', { plan }, { ok: true }).call(20, 'stream', 'stream', 200, [
      { output: { value: streamed } },
    ]);
  }
  return failed(trace.judged(1_000));
}

describe('a returned input that differs from the submitted one', () => {
  test('is taken to be changed on the way to the worker', () => {
    expect(ways(ESCAPED, null, null)).toEqual(['2.1/input-nested-unchanged']);
    expect(ways(ESCAPED, VALUE, VALUE)).toEqual(['2.1/input-nested-unchanged']);
  });

  test('was changed on the way back if outputs are changed in the same way', () => {
    expect(ways(ESCAPED, ESCAPED, VALUE)).toEqual(['2.4/output-object-unchanged']);
    expect(ways(ESCAPED, ESCAPED, null)).toEqual(['2.4/output-object-unchanged']);
  });

  test('and on the way to the worker if streams are changed in the same way, too', () => {
    expect(ways(ESCAPED, ESCAPED, ESCAPED)).toEqual([
      '2.1/input-reaches-worker-run',
      '2.1/input-nested-unchanged',
    ]);
  });

  test('a different change has a different cause', () => {
    const cut = { text: 'one', deep: { none: null } };
    expect(ways(ESCAPED, cut, VALUE)).toEqual(['2.1/input-nested-unchanged', '2.4/output-object-unchanged']);
    expect(ways(VALUE, VALUE, ESCAPED)).toEqual(['2.5/chunk-output-unchanged']);
  });
});

describe('if only one way is proven faulty', () => {
  /** Beside the jobs of `ways` one that shows a change by itself. */
  const beside = (
    echoed: Json,
    returned: Json,
    streamed: Json,
    alone: Json,
    got: Json,
  ): readonly string[] => {
    const trace = new TraceBuilder(4);
    const of = (id: string, input: Json, output: Json): TraceBuilder =>
      trace
        .call(0, 'run', null, 200, { id, status: 'IN_QUEUE' }, { body: { input } })
        .seen(10, id, 'COMPLETED', { output });
    of('echo', { plan: [{ echo: true }], value: VALUE }, { plan: [{ echo: true }], value: echoed });
    of('back', { plan: [{ return: { value: VALUE } }] }, { value: returned });
    of('stream', { plan: [{ stream: { value: VALUE } }] }, { ok: true });
    trace.call(20, 'stream', 'stream', 200, [{ output: { value: streamed } }]);
    of('alone', alone, got);
    return failed(trace.judged(1_000));
  };
  const input = { plan: [{ echo: true }], other: { text: 'x & y' } };

  test('a returned input was changed on that way, too', () => {
    const got = { plan: [{ echo: true }], other: { text: 'x &amp; y' } };
    expect(beside(ESCAPED, ESCAPED, VALUE, input, got)).toEqual(['2.4/output-object-unchanged']);
  });

  test('a result was changed on the way to the worker, too', () => {
    const returns = { plan: [{ return: ['x & y'] }] };
    const found = beside(ESCAPED, ESCAPED, ESCAPED, returns, ['x &amp; y']);
    expect(found).toEqual(['2.1/input-reaches-worker-run', '2.1/input-nested-unchanged']);
  });

  test('a value in a list is the same value as elsewhere', () => {
    const listed = { plan: [{ echo: true }], list: ['one & two'] };
    const trace = new TraceBuilder(2).call(
      0,
      'run',
      null,
      200,
      { id: 'a', status: 'IN_QUEUE' },
      { body: { input: listed } },
    );
    trace
      .seen(10, 'a', 'COMPLETED', { output: { plan: [{ echo: true }], list: ['one &amp; two'] } })
      .submitted(0, 'b', [{ return: 'one & two' }])
      .seen(10, 'b', 'COMPLETED', { output: 'one &amp; two' });
    expect(failed(trace.judged(1_000))).toEqual([
      '2.4/output-object-unchanged',
      '2.4/output-scalar-unchanged',
    ]);
  });

  test('s3Config is changed on the way back if results are', () => {
    const s3Config = {
      accessId: 'a & b',
      accessSecret: 'c',
      bucketName: 'd',
      endpointUrl: 'https://e.example',
    };
    const trace = (back: Json) =>
      new TraceBuilder(3)
        .submitted(0, 's3', [{ s3Config: true }], undefined, { s3Config })
        .seen(10, 's3', 'COMPLETED', { output: { s3Config: { ...s3Config, accessId: 'a &amp; b' } } })
        .submitted(20, 'back', [{ return: { accessId: 'a & b' } }])
        .seen(30, 'back', 'COMPLETED', { output: { accessId: back } });
    expect(failed(trace('a & b').judged(1_000))).toEqual(['2.3/access-id-reaches-worker']);
    expect(failed(trace('a &amp; b').judged(1_000))).toEqual(['2.4/output-object-unchanged']);
  });
});

describe('a wrong output is another job’s', () => {
  const trace = (mine: Json, other: Json, output: Json): readonly string[] => {
    const two = new TraceBuilder(2).submitted(0, 'a', mine).submitted(0, 'b', other);
    return failed(two.seen(10, 'a', 'COMPLETED', { output }).judged(1_000));
  };

  test('if it says so', () => {
    expect(trace([{ return: { of: 'a' } }], [{ return: { of: 'b' } }], { of: 'b' })).toEqual([
      '2.4/output-of-this-job',
    ]);
    const streams = (of: string): Json => [{ stream: `chunk of ${of}` }, { return: { of } }];
    for (const output of [{ of: 'b' }, ['chunk of b']])
      expect(trace(streams('a'), streams('b'), output)).toEqual(['2.4/output-of-this-job']);
  });

  test('not if many jobs return that', () => {
    expect(trace([{ return: [] }], [{ return: {} }], {})).toEqual(['2.4/output-array-unchanged']);
    expect(trace([{ return: { a: 1 } }], [], { ok: true })).toEqual(['2.4/output-object-unchanged']);
  });

  test('nor what a worker makes of an input without a plan', () => {
    expect(trace([{ return: { a: 1 } }], [], { echo: {} })).toEqual(['2.1/input-reaches-worker-run']);
  });

  test('what a streaming handler returns is open', () => {
    for (const output of [{ of: 'a' }, ['one'], null, { ok: true }])
      expect(trace([{ stream: 'one' }, { return: { of: 'a' } }], [{ return: { of: 'b' } }], output)).toEqual(
        [],
      );
  });

  test('nor one of its own results, although another job returns the same', () => {
    const both = { of: 'both' };
    expect(trace([{ stream: both }, { return: 1 }], [{ return: both }], both)).toEqual([]);
  });
});

describe('a read of a stream that does not continue as expected', () => {
  const read = (produced: readonly Json[], delivered: readonly Json[], others: readonly Json[] = []) => {
    const trace = new TraceBuilder(2).submitted(
      0,
      'a',
      produced.map((stream) => ({ stream })),
    );
    if (others.length > 0)
      trace.submitted(
        0,
        'b',
        others.map((stream) => ({ stream })),
      );
    trace.seen(10, 'a', 'COMPLETED').call(
      20,
      'stream',
      'a',
      200,
      delivered.map((output) => ({ output })),
    );
    return failed(trace.judged(1_000));
  };
  const large = (unit: string): string => unit + 'y'.repeat(1_000_000) + unit;

  test.each([
    ['in another order', ['a', '', null, 'b'], ['b', null, '', 'a'], '4.4/chunks-in-order'],
    [
      'pieces in another order',
      [large('abc')],
      [large('abc').slice(500_000), large('abc').slice(0, 500_000)],
      '4.4/chunks-in-order',
    ],
    [
      'a small one before a large one',
      ['a', 'x'.repeat(1_200_000), 'x'.repeat(10)],
      ['a', 'x'.repeat(10), 'x'.repeat(900_000), 'x'.repeat(300_000)],
      '4.4/chunks-in-order',
    ],
    [
      'changed into another’s like',
      [0, false, null, 'a'],
      [null, null, null, 'a'],
      '2.5/chunk-output-unchanged',
    ],
    ['changed altogether', ['a🚀'], ['a?'], '2.5/chunk-output-unchanged'],
    ['more than there were', ['a', 'b'], ['a', 'b', 'c', 'd'], '4.4/chunks-not-invented'],
    ['others altogether', ['a', 'b'], ['c', 'd', 'e'], '4.4/chunks-not-invented'],
    ['one twice', ['a', '', 'b'], ['a', '', 'b', 'b', 'b'], '4.4/chunks-not-duplicated'],
    [
      'all pieces of a text of more than 1 MB twice',
      ['é'.repeat(850_001)],
      ['é'.repeat(500_000), 'é'.repeat(350_001), 'é'.repeat(500_000), 'é'.repeat(350_001)],
      '4.4/chunks-not-duplicated',
    ],
    ['one of them not', ['a', '', 'b'], ['a', 'b'], '4.4/chunks-not-lost'],
    [
      'two twice and two not',
      ['a1', 'a2', 'a3', 'a4'],
      ['a1', 'a1', 'a2', 'a2'],
      '4.4/chunks-not-duplicated',
    ],
    ['lines of a text', ['a', 'b\nc\n', 1], ['a', 'b', 'c', 1], '2.5/chunk-output-unchanged'],
  ] as const)('%s', (_, produced, delivered, id) => {
    expect(read(produced, delivered)).toEqual([id]);
  });

  test.each([
    ['begins with the last chunk of the previous read', [1, 2], '4.4/chunks-not-duplicated'],
    ['leaves one out', [3], '4.4/chunks-not-lost'],
  ] as const)('a second read that %s', (_, second, id) => {
    const trace = new TraceBuilder(1).submitted(
      0,
      'a',
      [0, 1, 2, 3].map((stream) => ({ stream })),
    );
    trace.seen(10, 'a', 'COMPLETED').call(20, 'stream', 'a', 200, [{ output: 0 }, { output: 1 }]);
    trace.call(
      30,
      'stream',
      'a',
      200,
      second.map((output) => ({ output })),
    );
    expect(failed(trace.judged(1_000))).toEqual([id]);
  });

  test('results of another job among its own', () => {
    expect(read(['a'], ['b', 'c', 'a'], ['b', 'c'])).toEqual(['4.4/chunks-not-invented']);
  });

  test('a job whose record shows another one’s run streams what that one does', () => {
    const streams = (of: string): Json => [{ stream: `chunk of ${of}` }, { return: { of } }];
    const trace = new TraceBuilder(2).submitted(0, 'a', streams('a')).submitted(0, 'b', streams('b'));
    trace.seen(10, 'a', 'COMPLETED', { output: { of: 'b' } });
    trace.call(20, 'stream', 'a', 200, [{ output: 'chunk of b' }]);
    expect(failed(trace.judged(1_000))).toEqual(['2.4/output-of-this-job']);
  });

  test('a job that may be deleted has no chunks left', () => {
    const trace = new TraceBuilder().submitted(0, 'a', [{ stream: 1 }]).seen(10, 'a', 'COMPLETED');
    trace.call(1_900_000, 'stream', 'a', 200, []);
    expect(failed(trace.judged(2_000_000))).toEqual(['7/result-expired-run-stream']);
  });

  test('an answer that is not an array still shows that the operation works', () => {
    const trace = new TraceBuilder().submitted(0, 'a', [{ stream: 1 }]).seen(10, 'a', 'COMPLETED');
    trace.call(20, 'stream', 'a', 200, { output: 1 });
    expect(failed(trace.judged(1_000))).toEqual(['4.4/answer-is-array']);
  });
});
