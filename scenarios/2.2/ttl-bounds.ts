import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import {
  DAY_MS,
  EXECUTION_TIMEOUT_MAX_MS,
  HOUR_MS,
  TTL_DEFAULT_MS,
  TTL_MAX_MS,
  TTL_MIN_MS,
} from '../../src/spec/limits.js';

export default scenario.each(
  {
    needs: ['scripted-worker'],
    draw: (arb, limits) => {
      assertWithinLimits(limits, TTL_MAX_MS + 2 * limits.marginMs);
      return { marginMs: arb.margin(limits) };
    },
  },
  (one) => ({
    'ttl-smallest': one({
      title: 'the smallest ttl is accepted, and one below it never takes effect as given',
      draw: (arb, limits) => ({ marginMs: arb.margin(limits) }),
      script: ({ marginMs }, s) => {
        const below = [-10_000, -1, 0, 1, 5_000, 6_000, 9_999];
        return [
          s.run('least', { plan: s.works(100), policy: { ttl: TTL_MIN_MS } }),
          below.map((ttl) =>
            s.run(`${ttl}`, { plan: s.works(200), policy: { ttl }, illegal: 'ttl-below-minimum' }),
          ),
          below.map((ttl) => s.status(`${ttl}`)),
          below.map((ttl) =>
            s.lane(
              `${ttl}`,
              s.status(`${ttl}`, {
                at: s.after(`${ttl}`, 'submitted', Math.max(ttl, 0)).plus(Math.min(marginMs, 2_000)),
              }),
              s.status(`${ttl}`, { at: s.after(`${ttl}`, 'submitted', TTL_MIN_MS).minus(marginMs) }),
            ),
          ),
        ];
      },
    }),
    'ttl-longest': one({
      title: 'a job with the longest ttl exists for seven days',
      needs: ['scripted-worker', 'worker-count-known'],
      exclusive: true,
      script: ({ marginMs }, s) => [
        s.run('blocker', { plan: s.works(DAY_MS), policy: s.noTimeouts }),
        s.awaitStarted('blocker'),
        s.run('job', { plan: [{ hang: true }], policy: s.noTimeouts }),
        s.status('job', { at: s.after('job', 'submitted', TTL_MAX_MS).minus(marginMs) }),
        s.status('job', { at: s.after('job', 'submitted', TTL_MAX_MS).plus(marginMs) }),
      ],
    }),
    'ttl-seven-days-two-of-them-waiting': one({
      title: 'seven days of ttl, two of them in the queue, leave five to run',
      needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
      exclusive: true,
      script: ({ marginMs }, s) => [
        s.blocker('blocker'),
        s.awaitStarted('blocker'),
        s.run('job', {
          plan: [{ hang: true }],
          policy: { ttl: TTL_MAX_MS, executionTimeout: EXECUTION_TIMEOUT_MAX_MS },
        }),
        s.status('job', { at: s.after('job', 'submitted', 2 * DAY_MS).plus(0) }),
        s.cancel('blocker'),
        s.awaitStarted('job'),
        s.status('job'),
        s.status('job', { at: s.after('job', 'started', 4 * DAY_MS).plus(0) }),
        s.status('job', { at: s.after('job', 'submitted', TTL_MAX_MS).minus(marginMs) }),
        s.status('job', { at: s.after('job', 'submitted', TTL_MAX_MS).plus(marginMs) }),
      ],
    }),
    'ttl-above-the-longest': one({
      title: 'a ttl above seven days never takes effect as given',
      draw: (arb, limits) => {
        assertWithinLimits(limits, TTL_MAX_MS + 2 * limits.marginMs + 1);
        return { marginMs: arb.margin(limits) };
      },
      script: ({ marginMs }, s) => {
        const above = [
          TTL_MAX_MS + 1,
          TTL_MAX_MS + 1 * HOUR_MS,
          TTL_MAX_MS + 12 * HOUR_MS,
          30 * DAY_MS,
          Number.MAX_SAFE_INTEGER,
        ];
        return [
          above.map((ttl) =>
            s.run(`${ttl}`, {
              plan: [{ hang: true }],
              policy: { executionTimeout: EXECUTION_TIMEOUT_MAX_MS, ttl },
              illegal: 'ttl-above-maximum',
            }),
          ),
          above.map((ttl) => s.status(`${ttl}`)),
          above.map((ttl) =>
            s.status(`${ttl}`, { at: s.after(`${ttl}`, 'submitted', TTL_MAX_MS).plus(marginMs) }),
          ),
          above.map((ttl) => s.cancel(`${ttl}`)),
        ];
      },
    }),
    'ttl-default-of-a-running-job': one({
      title: 'a long executionTimeout alone does not keep a job beyond 24 hours',
      draw: (arb, limits) => {
        assertWithinLimits(limits, TTL_DEFAULT_MS + 2 * limits.marginMs);
        return { marginMs: arb.margin(limits) };
      },
      workers: 2,
      script: ({ marginMs }, s) => [
        s.runsync('called', {
          plan: [{ hang: true }],
          policy: { executionTimeout: EXECUTION_TIMEOUT_MAX_MS },
          wait: 1_000,
        }),
        s.run('job', { plan: [{ hang: true }], policy: { executionTimeout: EXECUTION_TIMEOUT_MAX_MS } }),
        s.awaitStarted('job'),
        s.awaitStarted('called'),
        ['called', 'job'].map((job) =>
          s.status(job, { at: s.after(job, 'submitted', TTL_DEFAULT_MS).minus(marginMs) }),
        ),
        ['called', 'job'].map((job) =>
          s.status(job, { at: s.after(job, 'submitted', TTL_DEFAULT_MS).plus(marginMs) }),
        ),
      ],
    }),
    'ttl-default-of-a-waiting-job': one({
      title: 'a waiting job without ttl exists for 24 hours and no longer',
      needs: ['scripted-worker', 'worker-count-known'],
      exclusive: true,
      draw: (arb, limits) => {
        assertWithinLimits(limits, TTL_DEFAULT_MS + 2 * limits.marginMs);
        return { marginMs: arb.margin(limits) };
      },
      script: ({ marginMs }, s) => [
        s.blocker('blocker'),
        s.awaitStarted('blocker'),
        s.run('job', { plan: s.works(100) }),
        s.status('job', { at: s.after('job', 'submitted', TTL_DEFAULT_MS).minus(marginMs) }),
        s.status('job', { at: s.after('job', 'submitted', TTL_DEFAULT_MS).plus(marginMs) }),
        s.cancel('blocker'),
      ],
    }),
  }),
);
