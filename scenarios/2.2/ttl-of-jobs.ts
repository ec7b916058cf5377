import { scenario } from '../../src/scenario/index.js';
import { DAY_MS, MINUTE_MS, RUN_RETENTION_MS, TTL_MAX_MS, TTL_MIN_MS } from '../../src/spec/limits.js';

export default scenario.each({ needs: ['scripted-worker'] }, (one) => ({
  'ttl-of-a-retried-job': one({
    title: 'a retry does not give a failed job a new ttl',
    draw: (arb, limits) => ({
      ttlMs: arb.ttl(limits, {
        maxMs: Math.min(RUN_RETENTION_MS - MINUTE_MS, Math.floor(limits.maxWaitMs / 1.6)),
      }),
      marginMs: arb.margin(limits),
    }),
    script: ({ ttlMs, marginMs }, s) => [
      s.run('job', {
        plan: [{ fail: 'once' }],
        planOnRetry: [{ hang: true }],
        policy: { ...s.noTimeouts, ttl: ttlMs },
      }),
      s.await('job'),
      s.retry('job', { at: s.after('job', 'submitted', Math.floor(ttlMs / 2)).plus(0) }),
      s.awaitStarted('job'),
      s.status('job', { at: s.after('job', 'submitted', ttlMs).minus(marginMs) }),
      s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(marginMs) }),
      s.status('job', { at: s.after('job', 'retried', ttlMs).plus(marginMs) }),
    ],
  }),
  'ttl-and-a-retry': one({
    title: 'the ttl of a retried job goes on from its submission',
    draw: (arb, limits) => ({ marginMs: arb.margin(limits) }),
    script: ({ marginMs }, s, limits) => {
      const laterMs = 1_000 + 3 * limits.marginMs;
      const ttlMs = TTL_MIN_MS + 2 * limits.marginMs;
      return [
        s.run('job', {
          plan: [{ fail: 'on purpose' }],
          planOnRetry: [{ hang: true }],
          policy: { ...s.noTimeouts, ttl: ttlMs },
        }),
        s.await('job', s.ended, { withinMs: 10_000, everyMs: 250 }),
        s.retry('job', { at: s.after('job', 'submitted', laterMs).plus(0) }),
        s.awaitStarted('job'),
        s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(marginMs + 1) }),
        s.status('job', { at: s.after('job', 'retried', ttlMs).plus(marginMs + 1) }),
      ];
    },
  }),
  'ttl-of-many-jobs': one({
    title: 'of many jobs whose ttl expires together none is left',
    needs: ['scripted-worker', 'worker-count-known'],
    exclusive: true,
    draw: (arb, limits) => ({ jobs: arb.integer(12, 24), marginMs: arb.margin(limits) }),
    script: ({ jobs, marginMs }, s) => {
      const policy = { ...s.noTimeouts, ttl: TTL_MIN_MS };
      return [
        Array.from({ length: 12 }, (_, i) => s.run(`done-${i}`, { plan: [{ return: i }], policy })),
        s.await('done-11', s.ended, { withinMs: 30_000, everyMs: 250 }),
        s.blocker('blocker'),
        s.awaitStarted('blocker'),
        Array.from({ length: jobs }, (_, i) => s.run(`waits-${i}`, { plan: [{ return: i }], policy })),
        s.status(`waits-${jobs - 1}`, {
          at: s.after(`waits-${jobs - 1}`, 'submitted', TTL_MIN_MS).plus(marginMs),
        }),
        s.status(['done-0', 'done-10', 'done-11', 'waits-0', 'waits-11']),
        s.health(),
        s.cancel('blocker'),
      ];
    },
  }),
  'ttl-of-one-job-only': one({
    title: 'the short ttl of one job does not affect other jobs, whether waiting, running or finished',
    needs: ['scripted-worker', 'worker-count-known'],
    workers: 3,
    exclusive: true,
    draw: (arb, limits) => ({
      ttlMs: arb.ttl(limits, { maxMs: 20 * MINUTE_MS }),
      marginMs: arb.margin(limits),
    }),
    script: ({ ttlMs, marginMs }, s) => [
      s.run('done', { plan: s.works(100), policy: s.noTimeouts }),
      s.await('done'),
      s.blocker('before'),
      s.run('short', { plan: [{ hang: true }], policy: { ...s.noTimeouts, ttl: ttlMs } }),
      s.blocker('after'),
      s.awaitStarted('short'),
      s.awaitStarted('after'),
      s.status('short', { at: s.after('short', 'submitted', ttlMs).plus(marginMs) }),
      s.status('before'),
      s.status('after'),
      s.status('done'),
      s.cancel('before'),
      s.cancel('after'),
    ],
  }),
  'ttl-counts-from-submission': one({
    title: 'a job that waited before it ran has only the rest of its ttl left',
    needs: ['scripted-worker', 'worker-count-known'],
    exclusive: true,
    draw: (arb, limits) => ({
      ttlMs: arb.ttl(limits, {
        maxMs: Math.max(TTL_MIN_MS, Math.min(TTL_MAX_MS, Math.floor(limits.maxWaitMs / 1.6))),
      }),
      marginMs: arb.margin(limits),
    }),
    script: ({ ttlMs, marginMs }, s) => [
      s.blocker('blocker'),
      s.awaitStarted('blocker'),
      s.run('job', { plan: s.works(ttlMs), policy: { ...s.noTimeouts, ttl: ttlMs } }),
      s.status('job', { at: s.after('job', 'submitted', Math.floor(ttlMs / 2)).minus(0) }),
      s.cancel('blocker'),
      s.awaitStarted('job'),
      s.status('job', { at: s.after('job', 'submitted', ttlMs).minus(marginMs) }),
      s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(marginMs) }),
      s.status('job', { at: s.after('job', 'started', ttlMs).plus(marginMs) }),
    ],
  }),
  'ttl-before-execution-timeout': one({
    title: 'a ttl shorter than the executionTimeout still deletes the job',
    draw: (arb, limits) => ({
      ttlMs: arb.ttl(limits, { maxMs: DAY_MS }),
      restMs: arb.duration(2 * limits.marginMs + 2_000, MINUTE_MS),
      marginMs: arb.margin(limits),
    }),
    script: ({ ttlMs, restMs, marginMs }, s) => [
      s.run('job', { plan: [{ hang: true }], policy: { ttl: ttlMs, executionTimeout: ttlMs + restMs } }),
      s.awaitStarted('job'),
      s.status('job', { at: s.after('job', 'submitted', ttlMs).minus(marginMs) }),
      s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(marginMs) }),
      s.status('job', { at: s.after('job', 'started', ttlMs + restMs).plus(marginMs) }),
    ],
  }),
}));
