/** A 5xx leaves the effect of a call unknown, not its answer: again and again where another is due, it is wrong. */
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/history/events.js';
import type { Operation } from '../../../src/spec/types.js';
import type { Findings } from '../../../src/oracle/index.js';
import { TraceBuilder, verdictOf } from '../support/trace-builder.js';

const error = { error: 'internal error' };
const none = { error: 'not found' };
const TTL_MS = 10_000;
const LATER_MS = 20_000;
const OPERATIONS = ['status', 'stream', 'cancel', 'retry'] as const;

/** Ids of the musts that failed: that a 5xx came at all is advised against besides. */
function failed({ requirements }: Findings): readonly string[] {
  return requirements.flatMap(({ id, level, verdict }) =>
    level === 'must' && verdict === 'fail' ? [id] : [],
  );
}

/** Every operation is answered once as the document says. */
function inUse(trace: TraceBuilder): TraceBuilder {
  return trace
    .submitted(0, 'used', [{ hang: true }])
    .seen(1, 'used', 'IN_PROGRESS')
    .call(2, 'stream', 'used', 200, [])
    .call(3, 'retry', 'used', 409, { error: 'it runs' })
    .call(4, 'cancel', 'used', 200, { id: 'used', status: 'CANCELLED' });
}

/** So many jobs whose ttl is over, each of which is asked for once so, and is answered with this code. */
function expired(trace: TraceBuilder, op: Operation, codes: readonly number[]): TraceBuilder {
  for (const index of codes.keys()) {
    const id = `job-${index}`;
    trace.by(index).submitted(10, id, [{ hang: true }], { ttl: TTL_MS });
  }
  for (const [index, code] of codes.entries())
    trace.by(index).call(LATER_MS, op, `job-${index}`, code, code === 404 ? none : error);
  return trace;
}

describe.each(OPERATIONS)('/%s of jobs whose ttl expired', (op) => {
  const id = `7/ttl-expired-${op}`;

  it('is answered with 500 every time', () => {
    const findings = expired(inUse(new TraceBuilder(5)), op, [500, 500, 500]).judged(30_000);
    expect(failed(findings)).toEqual([id]);
    const actual = findings.requirements.find((one) => one.id === id)!.failures[0]!.actual;
    expect(actual).toContain(`${op} #`);
    expect(actual).toContain('was answered with 500');
  });

  it.each<[string, readonly number[], string]>([
    ['a fault that passes', [500, 404, 500, 500], 'pass'],
    ['too few to tell', [500, 503], 'inconclusive'],
  ])('%s', (_, codes, verdict) => {
    const findings = expired(inUse(new TraceBuilder(5)), op, codes).judged(30_000);
    expect(failed(findings)).toEqual([]);
    expect(verdictOf(findings, id)).toBe(verdict);
  });
});

describe('behind a network', () => {
  const real = (): TraceBuilder => inUse(new TraceBuilder(null, { clock: 'real' }, false));

  it('the errors of one script may be of one outage', () => {
    const trace = real();
    for (const id of ['a', 'b', 'c']) trace.submitted(10, id, [{ hang: true }], { ttl: TTL_MS });
    for (const id of ['a', 'b', 'c']) trace.call(LATER_MS, 'cancel', id, 502, error);
    const findings = trace.judged(30_000);
    expect(failed(findings)).toEqual([]);
    expect(verdictOf(findings, '7/ttl-expired-cancel')).toBe('inconclusive');
  });

  /** Submissions of an array, of so many scripts, which are answered so. */
  const ofAnArray = (codes: readonly number[]): TraceBuilder =>
    codes.reduce(
      (trace, code, script) => trace.by(script).call(100 + script, 'run', null, code, error, { body: [] }),
      real(),
    );

  it('a gateway may fail where a refusal is due', () => {
    const findings = ofAnArray([400, 502, 400]).judged(30_000);
    expect(failed(findings)).toEqual([]);
    expect(verdictOf(findings, '7/body-not-object-run')).toBe('pass');
    expect(verdictOf(findings, '7/no-500-in-normal-use')).toBe('fail');
  });

  it.each([
    ['the service does not fail', [400, 500, 400]],
    ['a gateway does not fail each time', [502, 502, 502]],
  ])('%s where a refusal is due', (_, codes) => {
    expect(failed(ofAnArray(codes).judged(30_000))).toEqual(['7/body-not-object-run']);
  });

  it('errors of several scripts, and never a 404', () => {
    const findings = expired(real(), 'cancel', [500, 500, 500]).judged(30_000);
    expect(failed(findings)).toEqual(['7/ttl-expired-cancel']);
  });

  it('a kind of submission that is always answered so', () => {
    const trace = real();
    for (const script of [1, 2, 3])
      trace.by(script).call(100 * script, 'run', null, 500, error, {
        body: { input: { plan: [{ hang: true }] }, webhook: 'https://example.com/hook' },
      });
    expect(failed(trace.judged(30_000))).toEqual(['2.1/webhook-accepted-run']);
  });

  it('a running job that can never be cancelled', () => {
    const trace = real();
    for (const script of [1, 2, 3]) {
      const id = `job-${script}`;
      trace
        .by(script)
        .submitted(100, id, [{ hang: true }])
        .seen(200, id, 'IN_PROGRESS')
        .call(300, 'cancel', id, 500, error)
        .seen(400, id, 'IN_PROGRESS');
    }
    trace.submitted(500, 'waiting', [{ hang: true }]).seen(501, 'waiting', 'IN_QUEUE');
    trace.call(502, 'cancel', 'waiting', 200, { id: 'waiting', status: 'CANCELLED' });
    trace.seen(503, 'waiting', 'CANCELLED');
    const findings = trace.judged(30_000);
    expect(verdictOf(findings, '4/operation-cancel')).toBe('pass');
    expect(failed(findings)).toEqual(['3/cancel-running']);
  });
});

it.each<[string, string, readonly string[]]>([
  // That it is refused is no must.
  ['7/status-ttl-not-integer', 'soon', []],
  ['4.3/ttl-accepted', '20000', ['4.3/ttl-accepted']],
])('%s: a ttl of /status that is always answered so', (id, ttl, musts) => {
  const trace = inUse(new TraceBuilder(5)).submitted(10, 'a', [{ hang: true }]);
  for (const ms of [100, 200, 300]) trace.call(ms, 'status', 'a', 500, error, { query: { ttl } });
  const findings = trace.seen(400, 'a', 'IN_PROGRESS').judged(30_000);
  expect(verdictOf(findings, id)).toBe('fail');
  expect(failed(findings)).toEqual(musts);
});

describe('a ttl of /status whose answer cannot be understood', () => {
  it.each<[string, Json]>([
    ['a state that the document does not list', { id: 'a', status: 'WAITING' }],
    ['no state', { id: 'a' }],
    ['no object', null],
  ])('may have been set: %s', (_, answer) => {
    const findings = new TraceBuilder(5)
      .submitted(0, 'a', [{ hang: true }])
      .call(1, 'status', 'a', 200, answer, { query: { ttl: `${TTL_MS}` } })
      .seen(5_000, 'a', 'IN_PROGRESS')
      .call(14_000, 'status', 'a', 404, none)
      .judged(30_000);
    expect(failed(findings).filter((id) => id.startsWith('2.2/'))).toEqual([]);
  });

  it('is not set by an answer that refuses it', () => {
    const findings = inUse(new TraceBuilder(5))
      .submitted(10, 'a', [{ hang: true }])
      .call(11, 'status', 'a', 400, error, { query: { ttl: `${TTL_MS}` } })
      .seen(5_000, 'a', 'IN_PROGRESS')
      .call(14_000, 'status', 'a', 404, none)
      .judged(30_000);
    expect(failed(findings)).toContain('2.2/ttl-default-not-early');
  });
});

it('an operation that does not work at all is the cause', () => {
  const trace = new TraceBuilder(5).submitted(0, 'used', [{ hang: true }]).seen(1, 'used', 'IN_PROGRESS');
  const findings = expired(trace, 'cancel', [500, 500, 500])
    .submitted(21_000, 'b', [{ hang: true }])
    .seen(21_001, 'b', 'IN_PROGRESS')
    .call(21_002, 'cancel', 'b', 500, error)
    .seen(21_003, 'b', 'IN_PROGRESS')
    .judged(30_000);
  expect(failed(findings)).toEqual(['4/operation-cancel']);
});
