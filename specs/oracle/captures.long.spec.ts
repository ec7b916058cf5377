/**
 * Recorded traffic shows what some clients did. What others may have done, and what was not recorded, fails nothing; what
 * cannot have happened fails all the same.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Capture } from '../../src/history/capture.js';
import type { HistoryEvent, RunEvent } from '../../src/history/events.js';
import { judge } from '../../src/oracle/index.js';
import { drawOrLeaveOut } from '../../src/scenario/draw.js';
import { simulatorTarget } from '../../src/target/simulator/simulator-target.js';
import { createRandom } from '../../src/time/random.js';
import { named as shippedScenarios } from '../../scenarios/index.js';
import { runHeader } from '../support/run-header.js';
import { TraceBuilder } from './support/trace-builder.js';

const SEED = 3;
const CLOSED: Capture = { others: false, complete: true };
const OPEN: Capture = { others: true, complete: true };
const SAMPLED: Capture = { others: false, complete: false };

const header = (capture: Capture): RunEvent => ({
  ...runHeader({ target: { kind: 'http', name: 'recorded' }, capabilities: [] }),
  ...{ clock: 'real', graceMs: 2_000, earlyMs: 50, executionTimeoutDefaultMs: null, capture },
});

/** Of the simulator, as a recorder at its network sees it: it knows nothing of workers, nor of endpoints that do not exist. */
function recorded(): readonly HistoryEvent[] {
  const target = simulatorTarget({ seed: SEED });
  const scripts = shippedScenarios.flatMap((one) => {
    const drawn = drawOrLeaveOut(one, SEED, target.limits);
    return 'script' in drawn ? [drawn.script] : [];
  });
  const events: HistoryEvent[] = [];
  target.runSynchronously(scripts, { append: (event) => events.push(event) });
  const apart = new Set(
    events.flatMap((one) => (one.kind === 'script' && one.secondEndpoint ? [one.script] : [])),
  );
  return events.flatMap((event): readonly HistoryEvent[] => {
    if (apart.has(event.kind === 'run' ? -1 : event.script)) return [];
    if (event.kind === 'script') return [{ ...event, fresh: false, workers: null }];
    if (event.kind === 'call') return [{ ...event, arrivedByMs: null, label: null }];
    return event.kind === 'script-end' ? [event] : [];
  });
}

const HIDDEN: ReadonlySet<string | null> = new Set(['cancel', 'retry', 'purge-queue']);

describe('no failure on a correct service', () => {
  let all: readonly HistoryEvent[] = [];
  beforeAll(() => {
    all = recorded();
  }, 120_000);

  test.each<[string, Capture, (index: number, event: HistoryEvent, random: () => number) => boolean]>([
    ['every call of every client', CLOSED, () => true],
    ['an open world', OPEN, () => true],
    ['the beginning is missing', CLOSED, (index) => index > all.length / 3],
    ['a third of the calls is missing', SAMPLED, (_index, _event, random) => random() > 0.3],
    [
      'those who cancel, retry and purge are not in it',
      OPEN,
      (_index, event) => event.kind !== 'call' || !HIDDEN.has(event.op),
    ],
  ])('%s', { timeout: 120_000 }, (_, capture, keeps) => {
    const random = createRandom(SEED);
    const kept = all.filter(
      (event, index) => event.kind !== 'call' || keeps(index, event, () => random.intBetween(0, 99) / 100),
    );
    const { requirements } = judge([header(capture), ...kept]);
    const failed = requirements.filter(({ verdict }) => verdict === 'fail');
    expect(failed.map(({ id, failures }) => `${id}: ${failures[0]?.actual}`)).toEqual([]);
    const decided = requirements.filter(({ level, decided: times }) => level === 'must' && times > 0);
    expect(decided.length).toBeGreaterThan(80);
  });

  test(
    'of every second script a third of the calls is missing, and the others are whole',
    { timeout: 120_000 },
    () => {
      const random = createRandom(SEED);
      const kept = all.flatMap((event): readonly HistoryEvent[] => {
        const isSampled = event.kind !== 'run' && event.script % 2 === 0;
        if (event.kind === 'script' && isSampled) return [{ ...event, mayMissCalls: true }];
        return event.kind === 'call' && isSampled && random.intBetween(0, 2) === 0 ? [] : [event];
      });
      const { requirements } = judge([header(CLOSED), ...kept]);
      const failed = requirements.filter(({ verdict }) => verdict === 'fail');
      expect(failed.map(({ id, failures }) => `${id}: ${failures[0]?.actual}`)).toEqual([]);
      const sampled = judge([header(SAMPLED), ...kept]).requirements;
      const decidedIn = (found: typeof sampled): number =>
        found.reduce((sum, { decided }) => sum + decided, 0);
      expect(decidedIn(requirements)).toBeGreaterThan(decidedIn(sampled));
    },
  );

  test(
    'recorders mask keys, which leaves open nothing but what is said of keys',
    { timeout: 120_000 },
    () => {
      const decidedOf = (events: readonly HistoryEvent[]): readonly string[] => {
        const { requirements } = judge([header(OPEN), ...events]);
        expect(requirements.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
        return requirements.filter(({ decided }) => decided > 0).map(({ id }) => id);
      };
      const allowed = all.filter(
        (event) => event.kind !== 'call' || ['bare', 'bearer'].includes(event.request.auth),
      );
      const masked = allowed.map((event) =>
        event.kind === 'call'
          ? { ...event, request: { ...event.request, auth: 'none-needed' as const } }
          : event,
      );
      const open = new Set(decidedOf(masked));
      expect(decidedOf(allowed).filter((id) => !open.has(id) && !id.startsWith('5/'))).toEqual([]);
    },
  );
});

describe('a job in traffic', () => {
  const told = (capture: Capture): TraceBuilder =>
    new TraceBuilder(null, { ...header(capture), schema: 'runproof-history/1' }, false);
  const failedIn = (built: TraceBuilder): readonly string[] =>
    built.judged(100_000).requirements.flatMap(({ id, verdict }) => (verdict === 'fail' ? [id] : []));
  const day = { ttl: 86_400_000, executionTimeout: 60_000 };

  test('ends twice: somebody else has retried it, where somebody else may be', () => {
    const build = (capture: Capture): TraceBuilder =>
      told(capture)
        .submitted(0, 'a', [], day)
        .seen(5_000, 'a', 'FAILED')
        .seen(20_000, 'a', 'IN_PROGRESS')
        .seen(30_000, 'a', 'FAILED')
        .seen(40_000, 'a', 'IN_QUEUE');
    expect(failedIn(build(CLOSED))).toContain('3/failed-stays');
    expect(failedIn(build(OPEN))).toEqual([]);
    expect(failedIn(build(SAMPLED))).toEqual([]);
  });

  const lost = (built: TraceBuilder, fromMs: number): TraceBuilder =>
    [0, 50, 1_000].reduce((one, ms) => one.lost(fromMs + ms, 'health', null, 'refused'), built);

  test('ends twice before the service restarts: somebody else has retried it', () => {
    const build = (capture: Capture): TraceBuilder =>
      lost(
        told(capture)
          .submitted(0, 'a', [], day)
          .seen(5_000, 'a', 'FAILED')
          .seen(20_000, 'a', 'IN_PROGRESS')
          .seen(30_000, 'a', 'FAILED')
          .seen(40_000, 'a', 'IN_QUEUE')
          .seen(70_000, 'a', 'FAILED'),
        90_000,
      ).alive(100_000);
    expect(failedIn(build(CLOSED))).toContain('3/failed-stays');
    expect(failedIn(build(OPEN))).toEqual([]);
    expect(failedIn(build(SAMPLED))).toEqual([]);
  });

  test('is CANCELLED, and nobody in the recording has cancelled it', () => {
    const build = (capture: Capture): TraceBuilder =>
      told(capture).submitted(0, 'a', [], day).seen(5_000, 'a', 'IN_QUEUE').seen(9_000, 'a', 'CANCELLED');
    expect(failedIn(build(CLOSED))).not.toEqual([]);
    expect(failedIn(build(OPEN))).toEqual([]);
  });

  test('is answered with 410 ever since it was seen: somebody else may have purged it', () => {
    const build = (capture: Capture): TraceBuilder => {
      const built = told(capture).submitted(0, 'a', [], day);
      for (const atMs of [5_000, 6_000, 7_000, 8_000])
        built.call(atMs, 'status', 'a', 410, { error: 'purged' });
      return built;
    };
    expect(failedIn(build(CLOSED))).not.toEqual([]);
    expect(failedIn(build(OPEN))).toEqual([]);
  });

  test('is CANCELLED for good after a cancel whose answer said that it goes on', () => {
    const build = (capture: Capture, answered: string): TraceBuilder =>
      told(capture)
        .submitted(0, 'a', [], day)
        .seen(5_000, 'a', 'IN_PROGRESS')
        .call(9_000, 'cancel', 'a', 200, { id: 'a', status: answered })
        .seen(9_500, 'a', 'CANCELLED')
        .seen(30_000, 'a', 'CANCELLED');
    expect(failedIn(build(CLOSED, 'IN_PROGRESS'))).toEqual(['4.5/status-cancelled-running']);
    expect(failedIn(build(CLOSED, 'IN_QUEUE'))).toEqual(['4.5/status-cancelled-queued']);
    // It may have ended just before: what is answered then is open.
    for (const other of ['CANCELLED', 'COMPLETED']) expect(failedIn(build(CLOSED, other))).toEqual([]);
    // Others may have retried it since.
    expect(failedIn(build(OPEN, 'IN_PROGRESS'))).toEqual([]);
  });

  test.each(['COMPLETED', 'FAILED', 'TIMED_OUT'])(
    'is CANCELLED after it was %s: whether somebody else can do that is open',
    (end) => {
      const build = (capture: Capture): TraceBuilder =>
        told(capture).submitted(0, 'a', [], day).seen(61_000, 'a', end).seen(69_000, 'a', 'CANCELLED');
      expect(failedIn(build(CLOSED))).not.toEqual([]);
      expect(failedIn(build(OPEN))).toEqual([]);
    },
  );

  test('was COMPLETED and CANCELLED: nobody can complete it again', () => {
    const build = (capture: Capture): TraceBuilder => {
      const ended = told(capture).submitted(0, 'a', [], day).seen(5_000, 'a', 'COMPLETED');
      return ended.seen(9_000, 'a', 'CANCELLED').seen(12_000, 'a', 'COMPLETED');
    };
    expect(failedIn(build(OPEN))).not.toEqual([]);
    expect(failedIn(build(CLOSED))).not.toEqual([]);
  });

  test('ran twice, because its worker crashed: its times are those of the second run', () => {
    const built = told(CLOSED)
      .submitted(0, 'a', [], day)
      .seen(5_000, 'a', 'IN_PROGRESS')
      .seen(25_000, 'a', 'IN_PROGRESS')
      .seen(30_000, 'a', 'COMPLETED', { executionTime: 5_000 });
    expect(failedIn(built)).toEqual([]);
  });

  test('ran longer than executionTimeout allows: so it does unless its worker has crashed', () => {
    const built = (capture: Capture): TraceBuilder =>
      told(capture)
        .submitted(0, 'a', [], { ...day, executionTimeout: 5_000 })
        .seen(1_000, 'a', 'IN_PROGRESS')
        .seen(15_000, 'a', 'IN_PROGRESS');
    expect(failedIn(built(CLOSED))).toEqual([]);
    expect(failedIn(built({ ...CLOSED, crashes: false }))).toEqual(['2.2/execution-timeout-stops-run']);
    expect(failedIn(built({ ...OPEN, crashes: false }))).toEqual([]);
  });

  test('is kept for as long as its operation says, however often its worker crashed', () => {
    const record = { status: 'COMPLETED', output: {}, delayTime: 1, executionTime: 1 };
    const built = (capture: Capture): TraceBuilder =>
      told(capture)
        .call(0, 'runsync', null, 200, { id: 'a', ...record }, { body: { input: {} }, receivedMs: 500 })
        .seen(1_000, 'a', 'COMPLETED', record)
        .seen(1_000_000, 'a', 'COMPLETED', record);
    expect(failedIn(built(CLOSED))).toEqual(['4.1/retention-gone']);
    // Others may have retried it before it was completed.
    expect(failedIn(built(OPEN))).toEqual([]);
  });

  test('returns from COMPLETED: nobody can do that', () => {
    const built = told(OPEN)
      .submitted(0, 'a', [], day)
      .seen(5_000, 'a', 'COMPLETED')
      .seen(20_000, 'a', 'IN_PROGRESS');
    expect(failedIn(built)).toContain('3/completed-stays');
  });

  test('leaves open what the recording does not show, whatever a run would have needed', () => {
    const { requirements } = told(CLOSED).submitted(0, 'a', [], day).judged(100_000);
    const open = requirements.find(({ id }) => id === '2.2/ttl-removes-queued');
    expect(open).toMatchObject({
      verdict: 'not-exercised',
      reason: expect.stringMatching(/recorded traffic/),
    });
  });

  test('is unknown to the recording: it may have existed before', () => {
    const built = (capture: Capture): TraceBuilder => told(capture).seen(5_000, 'before', 'IN_PROGRESS');
    expect(failedIn(built(CLOSED))).toEqual([]);
    expect(failedIn(built(OPEN))).toEqual([]);
  });

  test('has its ttl set again by somebody else', () => {
    const build = (capture: Capture): TraceBuilder =>
      told(capture)
        .submitted(0, 'a', [], day)
        .call(
          1_000,
          'status',
          'a',
          200,
          { id: 'a', status: 'IN_QUEUE', delayTime: 0, executionTime: 0 },
          { query: { ttl: '10000' } },
        )
        .seen(60_000, 'a', 'IN_QUEUE');
    expect(failedIn(build(CLOSED))).not.toEqual([]);
    expect(failedIn(build(OPEN))).toEqual([]);
  });
});
