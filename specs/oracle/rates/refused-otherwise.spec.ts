/** A refusal was due, and only its code is wrong: that says nothing of whether the operation is there. */
import { describe, expect, test } from 'vitest';
import { failed, TraceBuilder } from '../support/trace-builder.js';

const HANG = [{ hang: true }];

describe('a server error instead of a refusal', () => {
  test('beyond the rate violates the rate limit', () => {
    const trace = new TraceBuilder(0);
    for (let made = 0; made < 5; made += 1)
      trace.call(
        0,
        'purge-queue',
        null,
        made < 2 ? 200 : 503,
        made < 2 ? { removed: 0, status: 'completed' } : {},
      );
    const findings = trace.judged(1_000);
    expect(failed(findings)).toEqual(['7/no-500-in-normal-use', '8/rate-purge-queue-above']);
    expect(findings.requirements.find(({ id }) => id === '8/rate-purge-queue-above')!.failed).toBe(3);
  });

  test('within the rate means that the operation does not work', () => {
    const trace = new TraceBuilder(0).call(0, 'purge-queue', null, 503, {});
    expect(failed(trace.judged(1_000))).toEqual(['4/operation-purge-queue', '7/no-500-in-normal-use']);
  });

  test('beyond the base limit, which workers may raise, has its own cause', () => {
    const trace = new TraceBuilder(1);
    for (const code of [200, 200, 503])
      trace.call(0, 'purge-queue', null, code, code === 200 ? { removed: 0, status: 'completed' } : {});
    expect(failed(trace.judged(1_000))).toEqual(['7/no-500-in-normal-use']);
  });

  test('for a job that never existed proves nothing', () => {
    const trace = new TraceBuilder().submitted(0, 'a', HANG).seen(10, 'a', 'IN_PROGRESS');
    trace.call(20, 'status', 'other', 500, {}).call(30, 'cancel', 'other', 500, {});
    trace.seen(40, 'a', 'IN_PROGRESS');
    expect(failed(trace.judged(1_000)).filter((id) => id.startsWith('4/'))).toEqual([]);
  });

  test('for a running job means that the operation does not work', () => {
    const trace = new TraceBuilder().submitted(0, 'a', HANG).seen(10, 'a', 'IN_PROGRESS');
    trace.call(20, 'status', 'a', 500, {}).call(30, 'cancel', 'a', 500, {}).seen(40, 'a', 'IN_PROGRESS');
    expect(failed(trace.judged(1_000)).filter((id) => id.startsWith('4/'))).toEqual([
      '4/operation-status',
      '4/operation-cancel',
    ]);
  });

  test('for a ttl out of bounds may be a refusal as malformed', () => {
    const trace = new TraceBuilder().submitted(0, 'a', HANG).seen(10, 'a', 'IN_PROGRESS');
    trace.call(20, 'status', 'a', 500, {}, { query: { ttl: '99999999999999' } }).seen(30, 'a', 'IN_PROGRESS');
    expect(failed(trace.judged(1_000)).filter((id) => id.startsWith('4/'))).toEqual([]);
  });
});

describe('a 403 instead of a 429', () => {
  const forbidden = (workers: number, made: number): TraceBuilder => {
    const trace = new TraceBuilder(workers);
    for (let nth = 0; nth < made; nth += 1)
      trace.call(
        nth,
        'purge-queue',
        null,
        nth < 2 ? 200 : 403,
        nth < 2 ? { removed: 0, status: 'completed' } : {},
      );
    return trace;
  };

  test.each([0, 1])('violates the rate limit, whatever %s workers allow', (workers) => {
    const findings = forbidden(workers, 4).judged(1_000);
    expect(failed(findings)).toEqual(['8/rate-purge-queue-above']);
    expect(findings.requirements.find(({ id }) => id === '8/rate-purge-queue-above')!.failed).toBe(2);
  });

  test('proves nothing about the job to cancel', () => {
    const trace = new TraceBuilder(1).submitted(0, 'a', HANG).seen(10, 'a', 'IN_PROGRESS');
    for (let nth = 0; nth < 100; nth += 1) trace.call(20, 'cancel', 'none', 404, {});
    for (let nth = 0; nth < 100; nth += 1) {
      const id = `j${nth}`;
      trace.submitted(20, id, HANG).call(20, 'cancel', id, 200, { id, status: 'CANCELLED' });
    }
    trace.call(30, 'cancel', 'a', 403, {}).seen(40, 'a', 'IN_PROGRESS');
    expect(failed(trace.judged(1_000))).toEqual(['8/rate-cancel-above']);
  });

  test('within the rate means that the operation is not implemented', () => {
    const trace = new TraceBuilder(1).call(0, 'purge-queue', null, 403, {});
    expect(failed(trace.judged(1_000))).toEqual(['4/operation-purge-queue']);
  });
});

describe('a refusal below both limits of an operation', () => {
  /** Calls of `/runsync` that wait for two minutes each, many at once, each crowd followed by the next. */
  const crowds = (sizes: readonly (readonly [accepted: number, refused: number])[]): TraceBuilder => {
    const trace = new TraceBuilder(0);
    let tick = 0;
    let id = 0;
    sizes.forEach(([accepted, refused], crowd) => {
      const fromMs = crowd * 1_500;
      const body = { input: { plan: HANG } };
      const query = { wait: '1000' };
      const last = tick + 2 * (accepted + refused) + 2;
      for (let nth = 0; nth < accepted + refused; nth += 1) {
        const isIn = nth < accepted;
        trace.call(
          fromMs,
          'runsync',
          null,
          isIn ? 200 : 429,
          isIn ? { id: `j${id++}`, status: 'IN_QUEUE' } : {},
          {
            body,
            query,
            ticks: [tick + nth, isIn ? last + nth : tick + accepted + refused + nth],
            receivedMs: isIn ? fromMs + 1_000 : fromMs,
          },
        );
      }
      tick = last + accepted + refused;
    });
    return trace;
  };

  test('the same rate but less concurrency was accepted before: the concurrency limit is too low', () => {
    const findings = crowds([
      [200, 150],
      [200, 150],
      [200, 0],
    ]).judged(20_000);
    expect(failed(findings)).toEqual(['8/concurrency-runsync-below']);
    expect(findings.requirements.find(({ id }) => id === '8/concurrency-runsync-below')!.failed).toBe(300);
  });

  test('more concurrency was accepted before: the rate is too low', () => {
    const findings = crowds([
      [390, 0],
      [390, 0],
      [20, 100],
    ]).judged(20_000);
    expect(failed(findings)).toEqual(['8/rate-runsync-below']);
  });

  const purge = (trace: TraceBuilder, endpoint: string, code: number): TraceBuilder =>
    trace
      .on(endpoint)
      .call(0, 'purge-queue', null, code, code === 200 ? { removed: 0, status: 'completed' } : {});

  test('refused calls of another operation have used up nothing', () => {
    const trace = crowds([[100, 1_900]]).call(1_400, 'run', null, 429, {}, { body: { input: {} } });
    expect(failed(trace.judged(20_000))).toContain('8/rate-run-below');
    expect(failed(trace.judged(20_000))).not.toContain('8/rate-per-operation');
  });

  test('only one endpoint was refused that early', () => {
    const trace = new TraceBuilder(0);
    for (const code of [200, 429]) purge(trace, 'e', code);
    expect(failed(trace.judged(20_000))).toEqual(['8/rate-purge-queue-below']);
  });
});

describe('another code than 404 at an endpoint that does not exist', () => {
  const answered = (code: number, illegal?: string): readonly string[] => {
    const trace = new TraceBuilder()
      .submitted(0, 'a', HANG)
      .seen(10, 'a', 'IN_PROGRESS')
      .on('no-such-endpoint');
    const body = { input: illegal === undefined ? {} : 'text' };
    trace.call(20, 'run', null, code, code === 200 ? { id: 'b', status: 'IN_QUEUE' } : {}, {
      body,
      ...(illegal === undefined ? {} : { illegal }),
    });
    return failed(trace.judged(1_000)).filter((id) => id.startsWith('7/unknown-endpoint'));
  };

  test('may be how malformed requests are refused, if it is malformed as well', () => {
    expect(answered(422, 'input-text')).toEqual([]);
    expect(answered(400, 'input-text')).toEqual([]);
  });

  test('violates the sentence otherwise, and so does a malformed request that is accepted', () => {
    expect(answered(422)).toEqual(['7/unknown-endpoint-run']);
    expect(answered(200, 'input-text')).toEqual(['7/unknown-endpoint-run']);
  });
});
