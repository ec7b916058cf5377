import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import {
  DAY_MS,
  EXECUTION_TIMEOUT_DEFAULT_MS,
  EXECUTION_TIMEOUT_MAX_MS,
  EXECUTION_TIMEOUT_MIN_MS,
  HOUR_MS,
  MINUTE_MS,
  TTL_DEFAULT_MS,
  TTL_MAX_MS,
} from '../../src/spec/limits.js';

export default scenario.each({ needs: ['scripted-worker'] }, (one) => ({
  'execution-timeout-default': one({
    title: 'a job without executionTimeout may run for ten minutes and no longer',
    workers: 4,
    draw: (arb, limits) => {
      assertWithinLimits(limits, EXECUTION_TIMEOUT_DEFAULT_MS + 2 * limits.marginMs);
      return { marginMs: arb.margin(limits) };
    },
    script: ({ marginMs }, s) => [
      s.run('none', { plan: [{ hang: true }] }),
      s.run('empty', { plan: [{ hang: true }], policy: {} }),
      s.run('ttl', { plan: [{ hang: true }], policy: { ttl: 2 * HOUR_MS } }),
      s.run('low', { plan: [{ hang: true }], policy: { lowPriority: true } }),
      ['none', 'empty', 'ttl', 'low'].map((job) =>
        s.lane(
          job,
          s.awaitStarted(job),
          s.status(job, { at: s.after(job, 'started', EXECUTION_TIMEOUT_DEFAULT_MS).minus(marginMs) }),
          s.status(job, { at: s.after(job, 'started', EXECUTION_TIMEOUT_DEFAULT_MS).plus(marginMs) }),
        ),
      ),
    ],
  }),
  'execution-timeout-above-the-default': one({
    title: 'a job with a long executionTimeout runs beyond the ten minutes of the default and completes',
    draw: (arb, limits) => {
      assertWithinLimits(limits, EXECUTION_TIMEOUT_DEFAULT_MS + MINUTE_MS);
      return {
        workMs: arb.duration(
          EXECUTION_TIMEOUT_DEFAULT_MS + 5 * limits.marginMs,
          Math.min(limits.maxWaitMs, 20 * HOUR_MS),
        ),
        marginMs: arb.margin(limits),
      };
    },
    script: ({ workMs, marginMs }, s) => [
      s.run('job', { plan: s.works(workMs), policy: { executionTimeout: workMs + HOUR_MS } }),
      s.awaitStarted('job'),
      s.status('job', { at: s.after('job', 'started', EXECUTION_TIMEOUT_DEFAULT_MS).plus(marginMs) }),
      s.awaitEnded('job', workMs, marginMs),
    ],
  }),
  'outlives-the-default': one({
    title: 'with ttl and executionTimeout set, a job runs longer than a day and completes',
    draw: (arb, limits) => {
      assertWithinLimits(limits, 2 * DAY_MS);
      return { workMs: arb.duration(DAY_MS + MINUTE_MS, 2 * DAY_MS - HOUR_MS), marginMs: arb.margin(limits) };
    },
    script: ({ workMs, marginMs }, s) => [
      s.run('job', { plan: s.works(workMs), policy: { ttl: 3 * DAY_MS, executionTimeout: 3 * DAY_MS } }),
      s.awaitStarted('job'),
      s.status('job', { at: s.after('job', 'submitted', TTL_DEFAULT_MS).plus(marginMs) }),
      s.awaitEnded('job', workMs, marginMs),
    ],
  }),
  'execution-timeout-smallest': one({
    title: 'the smallest executionTimeout is accepted, and one below it never takes effect as given',
    script: (_, s) => {
      const below = [4_999, 1_000, 250, 5, 1, 0, -1, -5_000];
      return [
        s.run('least', { plan: s.works(100), policy: { executionTimeout: EXECUTION_TIMEOUT_MIN_MS } }),
        s.await('least'),
        below.map((executionTimeout) => [
          s.run(`${executionTimeout}`, {
            plan: s.works(EXECUTION_TIMEOUT_MIN_MS - 1_000),
            policy: { executionTimeout },
            illegal: 'execution-timeout-below-minimum',
          }),
          s.await(`${executionTimeout}`),
        ]),
      ];
    },
  }),
  'execution-timeout-longest': one({
    title: 'a job with an executionTimeout above the longest never runs longer than seven days',
    needs: ['scripted-worker', 'worker-count-known'],
    workers: 6,
    draw: (arb, limits) => {
      assertWithinLimits(limits, EXECUTION_TIMEOUT_MAX_MS + 2 * limits.marginMs);
      return { marginMs: arb.margin(limits) };
    },
    script: ({ marginMs }, s) => {
      const above = [
        EXECUTION_TIMEOUT_MAX_MS + 1,
        EXECUTION_TIMEOUT_MAX_MS + 1_000,
        EXECUTION_TIMEOUT_MAX_MS + 12 * HOUR_MS,
        Number.MAX_SAFE_INTEGER,
      ];
      const longest = { at: s.after('begun', 'started', EXECUTION_TIMEOUT_MAX_MS).plus(2 * marginMs) };
      return [
        s.run('longest', { plan: s.works(100), policy: { executionTimeout: EXECUTION_TIMEOUT_MAX_MS } }),
        above.map((executionTimeout) =>
          s.run(`${executionTimeout}`, {
            plan: [{ hang: true }],
            policy: { ttl: TTL_MAX_MS, executionTimeout },
            illegal: 'execution-timeout-above-maximum',
          }),
        ),
        s.blocker('begun'),
        s.awaitStarted('begun'),
        above.map((executionTimeout) => s.status(`${executionTimeout}`)),
        // Where a `ttl` of `/status` counts from its call, it outlives the longest executionTimeout.
        above.map((executionTimeout) =>
          s.status(`${executionTimeout}`, {
            at: s.after('begun', 'started', DAY_MS).plus(0),
            ttl: TTL_MAX_MS,
          }),
        ),
        above.map((executionTimeout) => s.status(`${executionTimeout}`, longest)),
        [...above, 'begun'].map((job) => s.cancel(`${job}`)),
      ];
    },
  }),
  'execution-timeout-just-long-enough': one({
    title:
      'a job that ends just within its executionTimeout completes, and keeps its state when the time is over',
    draw: (arb, limits) => ({
      timeoutMs: arb.executionTimeout(limits, { minMs: Math.max(5_000, 4 * limits.marginMs) }),
      marginMs: arb.margin(limits),
    }),
    script: ({ timeoutMs, marginMs }, s) => {
      const workMs = timeoutMs - Math.min(marginMs, Math.floor(timeoutMs / 4));
      return [
        s.run('job', { plan: s.works(workMs), policy: { ...s.noTimeouts, executionTimeout: timeoutMs } }),
        s.awaitStarted('job'),
        s.awaitEnded('job', workMs, marginMs),
        s.status('job', { at: s.after('job', 'started', timeoutMs).plus(marginMs) }),
      ];
    },
  }),
}));
