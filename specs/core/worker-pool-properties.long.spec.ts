/** Properties of scaled endpoints: the number of workers is within bounds, and every job is processed. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rulesFor } from '../../src/core/rules.js';
import type { Dialect, Rules } from '../../src/core/rules.js';
import type { Scaling } from '../../src/core/workers/scaling-settings.js';
import { createTestBed, failure, fields, success } from './test-bed.js';
import type { JsonRecord, TestBed } from './test-bed.js';

interface Setting {
  readonly scaling: Scaling;
  readonly jobsPerWorker: number;
  readonly redispatches: boolean;
}

type Act =
  | { readonly do: 'run'; readonly low: boolean }
  | { readonly do: 'report'; readonly nth: number; readonly kind: 'success' | 'error' | 'crash' }
  | { readonly do: 'cancel' | 'retry'; readonly nth: number }
  | { readonly do: 'purge' }
  | {
      readonly do: 'outside';
      readonly worker: string;
      readonly call: 'requests-jobs' | 'withdraws-request' | 'heartbeat' | 'leaves';
      readonly jobs: number;
    };

const setting: fc.Arbitrary<Setting> = fc
  .record({
    min: fc.nat({ max: 2 }),
    more: fc.nat({ max: 3 }),
    coldStartMs: fc.constantFrom(0, 500, 3_000),
    idleTimeoutMs: fc.constantFrom(0, 1_000, 5_000),
    delayMs: fc.constantFrom(0, 1_000, 4_000),
    perWorker: fc.integer({ min: 1, max: 4 }),
    byCount: fc.boolean(),
    jobsPerWorker: fc.integer({ min: 1, max: 3 }),
    redispatches: fc.boolean(),
  })
  .map(({ min, more, coldStartMs, idleTimeoutMs, delayMs, perWorker, byCount, ...rest }) => ({
    ...rest,
    scaling: {
      min,
      max: min + more,
      coldStartMs,
      idleTimeoutMs,
      scaler: byCount
        ? { kind: 'request-count', jobsPerWorker: perWorker }
        : { kind: 'queue-delay', delayMs },
    },
  }));

const nth = fc.nat({ max: 20 });
const inside = (low: fc.Arbitrary<boolean>): fc.Arbitrary<Act> =>
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ do: fc.constant('run' as const), low }) },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('report' as const),
        nth,
        kind: fc.constantFrom('success' as const, 'success' as const, 'error' as const, 'crash' as const),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('cancel' as const, 'retry' as const), nth }) },
    { weight: 1, arbitrary: fc.constant({ do: 'purge' as const }) },
  );
const outside: fc.Arbitrary<Act> = fc.record({
  do: fc.constant('outside' as const),
  worker: fc.constantFrom('pod-1', 'pod-2'),
  call: fc.constantFrom(
    'requests-jobs' as const,
    'requests-jobs' as const,
    'withdraws-request' as const,
    'heartbeat' as const,
    'leaves' as const,
  ),
  jobs: fc.integer({ min: 1, max: 3 }),
});
const steps = (act: fc.Arbitrary<Act>) =>
  fc.array(fc.tuple(fc.constantFrom(0, 0, 1, 400, 1_000, 4_000, 9_000, 45_000), act), { maxLength: 60 });

/** Performs commands, and tracks from the effects alone which attempts run. */
class EffectModel {
  readonly testBed: TestBed;
  readonly setting: Setting;
  readonly jobs: string[] = [];
  /** Running attempts. */
  readonly live = new Map<
    number,
    { readonly job: string; readonly worker: string; readonly external: boolean }
  >();
  readonly openRequests = new Map<string, number>();
  #read = 0;

  constructor(setting: Setting, fault: Partial<Rules> = {}) {
    this.setting = setting;
    const dialect: Dialect = {
      '3/worker-crash': setting.redispatches ? 're-dispatched' : 'fails',
      '4.5/worker-after-cancel': 'at-once',
    };
    this.testBed = createTestBed({
      rules: { ...rulesFor(dialect, 'runpod'), ...fault },
      endpoints: [{ id: 'ep', workers: setting.scaling, jobsPerWorker: setting.jobsPerWorker }],
    });
    this.check();
  }

  performAll(history: readonly (readonly [number, Act])[]): void {
    for (const [pauseMs, act] of history) {
      this.testBed.advance(pauseMs);
      this.check();
      this.perform(act);
      this.check();
    }
  }

  perform(act: Act): void {
    const { testBed } = this;
    switch (act.do) {
      case 'run':
        this.jobs.push(testBed.run(act.low ? { policy: { lowPriority: true } } : {}));
        return;
      case 'report': {
        const attempts = [...this.live.keys()];
        const attempt = attempts[act.nth % Math.max(1, attempts.length)];
        if (attempt === undefined) return;
        this.live.delete(attempt);
        const report =
          act.kind === 'error' ? failure() : act.kind === 'crash' ? { kind: act.kind } : success();
        return testBed.reportAttempt(attempt, report);
      }
      case 'cancel':
      case 'retry':
        if (this.jobs.length > 0) testBed.post(`/${act.do}/${this.jobs[act.nth % this.jobs.length]!}`);
        return;
      case 'purge':
        testBed.post('/purge-queue');
        return;
      case 'outside':
        if (act.call === 'requests-jobs') this.openRequests.set(act.worker, act.jobs);
        else if (act.call !== 'heartbeat') this.openRequests.delete(act.worker);
        if (act.call === 'requests-jobs')
          return testBed.worker(act.worker, { kind: 'worker-requests-jobs', jobs: act.jobs });
        if (act.call === 'heartbeat')
          return testBed.worker(act.worker, { kind: 'worker-heartbeat', jobs: null });
        return testBed.worker(act.worker, { kind: `worker-${act.call}` });
    }
  }

  workers(): { initializing: number; idle: number; running: number } {
    return fields(this.testBed.get('/health'))['workers'] as never;
  }

  check(): void {
    const { scaling, jobsPerWorker } = this.setting;
    const answered = new Set<string>();
    for (const { effect } of this.testBed.effects.slice(this.#read)) {
      if (effect.kind === 'stop') expect(this.live.delete(effect.attempt)).toBe(true);
      if (effect.kind !== 'start') continue;
      expect([...this.live.values()].filter(({ job }) => job === effect.job)).toEqual([]);
      this.live.set(effect.attempt, effect);
      if (!effect.external) continue;
      const asked = this.openRequests.get(effect.worker) ?? 0;
      expect(asked).toBeGreaterThan(0);
      this.openRequests.set(effect.worker, asked - 1);
      answered.add(effect.worker);
    }
    this.#read = this.testBed.effects.length;
    for (const worker of answered) this.openRequests.delete(worker);

    const own = new Map<string, number>();
    for (const { worker, external } of this.live.values())
      if (!external) own.set(worker, (own.get(worker) ?? 0) + 1);
    for (const jobs of own.values()) expect(jobs).toBeLessThanOrEqual(jobsPerWorker);
    expect(own.size).toBeLessThanOrEqual(scaling.max);

    const health = fields(this.testBed.get('/health')) as unknown as { jobs: JsonRecord };
    const { initializing, idle, running } = this.workers();
    expect(running).toBe(
      new Set([...this.live.values()].map(({ worker, external }) => `${external} ${worker}`)).size,
    );
    expect(health.jobs['inProgress']).toBe(this.live.size);
    const outsiders = new Set(
      [...this.live.values()].filter((each) => each.external).map((each) => each.worker),
    ).size;
    expect(initializing + running - outsiders).toBeLessThanOrEqual(scaling.max);
    if (this.openRequests.size === 0 && idle + outsiders === 0)
      expect(initializing + running).toBeGreaterThanOrEqual(scaling.min);
    if ([...this.openRequests.values()].some((jobs) => jobs > 0)) expect(health.jobs['inQueue']).toBe(0);
  }

  /** Lets every worker succeed, until nothing happens any more. */
  finish(): void {
    for (let rounds = 0; rounds < 200; rounds++) {
      for (const attempt of [...this.live.keys()]) {
        if (!this.live.delete(attempt)) continue;
        this.testBed.reportAttempt(attempt, success());
        this.check();
      }
      if (this.live.size === 0) this.testBed.advance(1_000);
      this.check();
    }
  }
}

const PROPERTIES = {
  'never has more workers than its maximum, runs no job twice at once, and gives jobs to workers that request them':
    (fault) =>
      fc.property(
        setting,
        steps(fc.oneof({ weight: 3, arbitrary: inside(fc.boolean()) }, outside)),
        (made, history) => new EffectModel(made, fault).performAll(history),
      ),

  'never has more workers than its minimum with lowPriority jobs only': (fault) =>
    fc.property(setting, steps(inside(fc.constant(true))), (made, history) => {
      const model = new EffectModel(made, fault);
      for (const step of history) {
        model.performAll([step]);
        const { initializing, idle, running } = model.workers();
        expect(initializing + idle + running).toBe(made.scaling.min);
      }
    }),

  'ends every job, and then returns to its minimum': (fault) =>
    fc.property(setting, steps(inside(fc.boolean())), (made, history) => {
      const model = new EffectModel(made, fault);
      model.performAll(history);
      if (made.scaling.max === 0) return;
      // Starts a worker for the jobs that trigger no scaling.
      model.perform({ do: 'run', low: false });
      model.finish();
      const { jobs, workers } = fields(model.testBed.get('/health')) as unknown as {
        [of: string]: JsonRecord;
      };
      expect(jobs).toMatchObject({ inQueue: 0, inProgress: 0 });
      expect(workers).toMatchObject({ initializing: 0, running: 0, idle: made.scaling.min });
    }),
} satisfies {
  [promise: string]: (fault: Partial<Rules>) => fc.IProperty<[Setting, (readonly [number, Act])[]]>;
};

describe('a scaled endpoint', () => {
  test.each(Object.entries(PROPERTIES))('%s', (_promise, property) => {
    fc.assert(property({}), { numRuns: 200 });
  });

  const LATE_MS = [1, 150, 2_500];
  test.each(LATE_MS)('does so, too, where it takes a free worker %i ms to be given a job', (lateMs) => {
    const property = PROPERTIES['ends every job, and then returns to its minimum'];
    fc.assert(property({ dispatchDelayMs: () => lateMs }), { numRuns: 100 });
  });

  const base = rulesFor({}, 'runpod');
  const faults: readonly (readonly [string, keyof typeof PROPERTIES, Partial<Rules>])[] = [
    [
      'a lowPriority job that starts a worker',
      'never has more workers than its minimum with lowPriority jobs only',
      { triggersScaling: () => true },
    ],
    [
      'a lowPriority job that never runs',
      'ends every job, and then returns to its minimum',
      { mayStart: (job) => job.submission.policy.lowPriority !== true },
    ],
    [
      'an idle worker that is never stopped',
      'ends every job, and then returns to its minimum',
      { idleTimeoutMs: () => null },
    ],
    [
      'a slot that a cancel keeps',
      'never has more workers than its maximum, runs no job twice at once, and gives jobs to workers that request them',
      { freesWorkerOn: (reason) => reason !== 'cancel' },
    ],
    [
      'a worker that is not replaced when it dies',
      'never has more workers than its minimum with lowPriority jobs only',
      { replacesCrashedWorker: () => false },
    ],
    [
      'a maximum that is overstepped',
      'never has more workers than its maximum, runs no job twice at once, and gives jobs to workers that request them',
      {
        workersToStart: (scaling, demand) =>
          base.workersToStart({ ...scaling, max: scaling.max + 1 }, demand),
      },
    ],
    [
      'a scaler that never scales',
      'ends every job, and then returns to its minimum',
      { workersToStart: () => 0 },
    ],
  ];
  test.each(faults)('%s is seen', (_fault, promise, rules) => {
    expect(fc.check(PROPERTIES[promise](rules), { numRuns: 300, endOnFailure: true }).failed).toBe(true);
  });
});
