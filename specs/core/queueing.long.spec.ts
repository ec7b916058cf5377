/**
 * The numbers of the simulator are right: waiting times and losses are those that queueing theory gives, within four
 * standard errors of batch means. The seeds are fixed, so each run gives the same numbers.
 */
import { describe, expect, it } from 'vitest';
import { createService } from '../../src/core/service.js';
import { createEventQueue } from '../../src/time/event-queue.js';
import { createRandom } from '../../src/time/random.js';

const BATCHES = 25;
const STANDARD_ERRORS = 4;

interface Model {
  readonly workers: number;
  readonly arrivalMs: number;
  /** Draws how long a job runs, given uniform numbers between 0 and 1. */
  readonly serviceMs: (uniform: () => number) => number;
  readonly ttlMs?: (uniform: () => number) => number;
  /** After this time its client cancels a job that no worker has started. */
  readonly patienceMs?: number;
  readonly seed?: number;
  /** Jobs of a batch. */
  readonly jobs?: number;
}

interface Batch {
  jobs: number;
  waitedMs: number;
  completed: number;
}

const exponential = (meanMs: number) => (uniform: () => number) => -Math.log(uniform()) * meanMs;

function simulate(model: Model): readonly Batch[] {
  const { workers, arrivalMs, serviceMs, ttlMs, patienceMs, seed = 1, jobs = 3_000 } = model;
  const random = createRandom(seed);
  const uniform = (): number => (random.nextUint32() + 1) / 2 ** 32;
  const service = createService({ keys: ['k'], endpoints: [{ id: 'e', workers }] });
  const ends = createEventQueue<number>();
  const impatient = createEventQueue<string>();
  const batches = Array.from({ length: BATCHES }, (): Batch => ({ jobs: 0, waitedMs: 0, completed: 0 }));
  const batchOf = new Map<string, Batch>();
  const running = new Map<number, Batch>();
  let latest: Batch = batches[0]!;

  function obey(nowMs: number, input: Parameters<typeof service.apply>[1]): void {
    const { reply, effects } = service.apply(nowMs, input);
    const { id } = (reply?.body ?? {}) as { readonly id?: string };
    if (input.kind === 'submit' && id !== undefined) {
      batchOf.set(id, latest);
      if (patienceMs !== undefined) impatient.schedule(nowMs + patienceMs, 0, id);
    }
    for (const effect of effects) {
      if (effect.kind === 'stop') running.delete(effect.attempt);
      if (effect.kind !== 'start') continue;
      const batch = batchOf.get(effect.job) ?? latest;
      batchOf.delete(effect.job);
      batch.waitedMs += effect.queuedForMs;
      running.set(effect.attempt, batch);
      ends.schedule(nowMs + Math.round(serviceMs(uniform)), 0, effect.attempt);
    }
  }
  function cancelUnlessStarted(nowMs: number, id: string): void {
    if (!batchOf.delete(id)) return;
    const path = `/v2/e/cancel/${id}`;
    const request = {
      method: 'POST',
      path,
      query: {},
      headers: { authorization: 'k' },
      body: '',
      bodyBytes: 0,
    };
    obey(nowMs, { kind: 'request', callId: 1, request });
  }
  /** Timers, cancellations and ends of jobs, each at its own instant. */
  function goOnUntil(ms: number): void {
    for (;;) {
      const dueMs = [ends.nextAtMs(), impatient.nextAtMs(), service.nextDeadlineMs()];
      const atMs = Math.min(...dueMs.map((each) => each ?? Infinity));
      if (atMs > ms || atMs === Infinity) return;
      if (atMs === impatient.nextAtMs()) cancelUnlessStarted(atMs, impatient.pop()!.value);
      else if (atMs !== ends.nextAtMs()) obey(atMs, { kind: 'settle' });
      else {
        const attempt = ends.pop()!.value;
        const batch = running.get(attempt);
        if (batch !== undefined) batch.completed += 1;
        running.delete(attempt);
        obey(atMs, { kind: 'worker', attempt, report: { kind: 'success', output: null } });
      }
    }
  }
  let nowMs = 0;
  for (const batch of batches) {
    latest = batch;
    for (; batch.jobs < jobs; batch.jobs += 1) {
      nowMs += exponential(arrivalMs)(uniform);
      const atMs = Math.round(nowMs);
      goOnUntil(atMs);
      const ttl = ttlMs === undefined ? null : Math.max(1, Math.round(ttlMs(uniform)));
      const policy = { executionTimeoutMs: 7 * 86_400_000, lowPriority: null, ttlMs: ttl };
      const submission = { input: {}, webhook: null, s3Config: null, policy };
      obey(atMs, { kind: 'submit', endpoint: 'e', submission });
    }
  }
  goOnUntil(nowMs + 3_600_000);
  // The first batch begins with an empty queue.
  return batches.slice(1);
}

function expectMean(values: readonly number[], theory: number): void {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  const error = Math.sqrt(variance / values.length);
  expect(Math.abs(mean - theory), `mean ${mean} ± ${error}, theory ${theory}`).toBeLessThan(
    STANDARD_ERRORS * error,
  );
  // Otherwise the comparison would say nothing.
  expect(error / theory).toBeLessThan(0.08);
}

const meanWaits = (model: Model): readonly number[] =>
  simulate(model).map(({ jobs, waitedMs }) => waitedMs / jobs);
const completedShares = (model: Model): readonly number[] =>
  simulate(model).map(({ jobs, completed }) => completed / jobs);

/** Erlang C: the probability that a job has to wait, with `a` busy workers on average. */
function erlangC(workers: number, a: number): number {
  let blocked = 1;
  for (let n = 1; n <= workers; n += 1) blocked = (a * blocked) / (n + a * blocked);
  return (workers * blocked) / (workers - a * (1 - blocked));
}

describe('a submission', () => {
  it('/run as a value is /run: the same job, the same reply, the same start', () => {
    const submission = { input: { a: 1 }, webhook: null, s3Config: null };
    const policy = { executionTimeoutMs: null, lowPriority: null, ttlMs: null };
    const options = { keys: ['k'], endpoints: [{ id: 'e', workers: 1 }] };
    const request = {
      ...{ method: 'POST', path: '/v2/e/run', query: {}, body: '{"input":{"a":1}}', bodyBytes: 17 },
      headers: { authorization: 'k', 'content-type': 'application/json' },
    };
    const asRequest = createService(options).apply(5, { kind: 'request', callId: 1, request });
    const service = createService(options);
    const asValue = service.apply(5, {
      kind: 'submit',
      endpoint: 'e',
      submission: { ...submission, policy },
    });
    expect(asValue).toEqual(asRequest);
    expect(asValue.effects).toHaveLength(1);
    const elsewhere = { kind: 'submit', endpoint: 'x', submission: { ...submission, policy } } as const;
    expect(service.apply(6, elsewhere)).toEqual({ reply: null, effects: [] });
  });
});

describe('the mean waiting time', { timeout: 60_000 }, () => {
  it.each([
    [1, 0.6],
    [4, 0.8],
    [8, 0.9],
  ])('of M/M/%i with load %f is that of Erlang C', (workers, load) => {
    const serviceMs = 1_000;
    const arrivalMs = serviceMs / (workers * load);
    const theory = (erlangC(workers, workers * load) * serviceMs) / (workers * (1 - load));
    expectMean(meanWaits({ workers, arrivalMs, serviceMs: exponential(serviceMs) }), theory);
  });

  it('of M/D/1 is half of that of M/M/1', () => {
    const [serviceMs, load] = [1_000, 0.7];
    const theory = (load * serviceMs) / (2 * (1 - load));
    expectMean(meanWaits({ workers: 1, arrivalMs: serviceMs / load, serviceMs: () => serviceMs }), theory);
  });

  it('of M/G/1 is that of Pollaczek and Khinchine', () => {
    const [shortMs, longMs, share, load] = [200, 4_000, 0.9, 0.6];
    const mean = share * shortMs + (1 - share) * longMs;
    const square = share * shortMs ** 2 + (1 - share) * longMs ** 2;
    const theory = (load / mean) * (square / (2 * (1 - load)));
    const serviceMs = (uniform: () => number): number => (uniform() < share ? shortMs : longMs);
    expectMean(meanWaits({ workers: 1, arrivalMs: mean / load, serviceMs, jobs: 6_000 }), theory);
  });
});

describe('a ttl over the whole life of a job', { timeout: 60_000 }, () => {
  it.each([
    [5_000, 4_000, 15_000],
    [4_000, 5_000, 20_000],
  ])(
    'of M/M/1, arrivals every %i ms, work of %i ms, ttl of %i ms, lets as many complete as theory says',
    (arrivalMs, serviceMs, ttl) => {
      const [arrivals, ends] = [1 / arrivalMs, 1 / serviceMs];
      const integral = (1 - Math.exp(-(ends - arrivals) * ttl)) / (ends - arrivals);
      const theory = (ends * (1 - 1 / (1 + arrivals * integral))) / arrivals;
      const model = { workers: 1, arrivalMs, serviceMs: exponential(serviceMs), ttlMs: () => ttl };
      expectMean(completedShares(model), theory);
    },
  );

  it('that is drawn for each job loses what the birth-death process of M/M/4 loses', () => {
    const [workers, arrivalMs, serviceMs, ttl] = [4, 100_000, 380_000, 2_000_000];
    // Births at 1/arrivalMs; in state n, deaths by work of min(n, c) workers and by the ttl of n jobs.
    let [weight, total, jobs] = [1, 1, 0];
    for (let n = 1; n < 400; n += 1) {
      weight /= arrivalMs * (Math.min(n, workers) / serviceMs + n / ttl);
      total += weight;
      jobs += n * weight;
    }
    const lost = (jobs / total / ttl) * arrivalMs;
    const model = { workers, arrivalMs, serviceMs: exponential(serviceMs), ttlMs: exponential(ttl) };
    expectMean(completedShares(model), 1 - lost);
  });
});

describe('a limit of the waiting alone', { timeout: 60_000 }, () => {
  it('of M/M/4, by clients that cancel what has not started, loses what Boots and Tijms say', () => {
    const [workers, arrivalMs, serviceMs, patienceMs] = [4, 1_000, 3_800, 8_000];
    const load = serviceMs / (arrivalMs * workers);
    const tail = Math.exp(-(workers / serviceMs - 1 / arrivalMs) * patienceMs);
    const waitsLonger = erlangC(workers, workers * load) * tail;
    const lost = ((1 - load) * waitsLonger) / (1 - load * waitsLonger);
    const model = { workers, arrivalMs, serviceMs: exponential(serviceMs), patienceMs };
    expectMean(completedShares(model), 1 - lost);
  });
});
