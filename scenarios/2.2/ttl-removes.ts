import { scenario } from '../../src/scenario/index.js';
import { DAY_MS, MINUTE_MS, RUN_RETENTION_MS, SECOND_MS } from '../../src/spec/limits.js';

export default scenario.each(
  {
    needs: ['scripted-worker'],
    draw: (arb, limits) => ({ ttlMs: arb.ttl(limits), marginMs: arb.margin(limits) }),
  },
  (one) => ({
    'ttl-removes-a-waiting-job': one({
      title: 'a job that waits behind another is deleted when its ttl expires, and never runs',
      needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
      exclusive: true,
      script: ({ ttlMs, marginMs }, s) => [
        s.blocker('blocker'),
        s.awaitStarted('blocker'),
        // Nobody asks for the others.
        s.run(['job', 'second', 'third'], {
          plan: s.works(100),
          policy: { ...s.noTimeouts, ttl: ttlMs },
        }),
        s.status('job', { at: s.after('job', 'submitted', ttlMs).minus(marginMs) }),
        s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(marginMs) }),
        // Counts that are made in the background have settled by then.
        s.health({ at: s.wait(marginMs + 8_000) }),
        s.purge(),
        s.cancel('blocker'),
        s.status('job', { at: s.wait(1_000) }),
        s.health({ at: s.wait(marginMs) }),
      ],
    }),
    'ttl-removes-a-running-job': one({
      title: 'a running job is deleted when its ttl expires, and stays deleted',
      draw: (arb, limits) => ({
        ttlMs: arb.ttl(limits),
        marginMs: arb.margin(limits),
        // Where waiting costs no real time: a job that is still there a day later is late by no margin.
        laterMs: arb.oneOf(limits.maxWaitMs > 2 * DAY_MS ? DAY_MS : 5 * SECOND_MS),
      }),
      script: ({ ttlMs, marginMs, laterMs }, s) => [
        s.run('job', { plan: [{ hang: true }], policy: { ...s.noTimeouts, ttl: ttlMs } }),
        s.awaitStarted('job'),
        s.status('job', { at: s.after('job', 'submitted', ttlMs).minus(marginMs) }),
        s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(marginMs) }),
        s.status('job', { at: s.wait(laterMs) }),
      ],
    }),
    'ttl-removes-a-completed-job': one({
      title: 'a completed job is deleted at its ttl although its result would be kept longer',
      draw: (arb, limits) => ({
        ttlMs: arb.ttl(limits, { maxMs: RUN_RETENTION_MS - MINUTE_MS }),
        // So long that a ttl counted from the job's end would not have expired at the last read.
        workMs: arb.duration(2 * limits.marginMs + 500, 2 * limits.marginMs + 2_000),
        marginMs: arb.margin(limits),
      }),
      script: ({ ttlMs, workMs, marginMs }, s) => [
        s.run('job', { plan: s.works(workMs), policy: { ttl: ttlMs } }),
        s.awaitStarted('job'),
        s.awaitEnded('job', workMs, marginMs),
        s.stream('job'),
        s.status('job', { at: s.after('job', 'submitted', ttlMs).minus(marginMs) }),
        // Calls that only read: none of them lets it live longer.
        s.stream('job'),
        s.health(),
        s.requests(),
        s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(marginMs) }),
        s.stream('job'),
      ],
    }),
    'ttl-removes-a-failed-job': one({
      title: 'a failed job is deleted at its ttl',
      draw: (arb, limits) => ({
        ttlMs: arb.ttl(limits, { maxMs: RUN_RETENTION_MS - MINUTE_MS }),
        marginMs: arb.margin(limits),
      }),
      script: ({ ttlMs, marginMs }, s) => [
        s.run('job', { plan: [{ sleepMs: 500 }, { fail: 'on purpose' }], policy: { ttl: ttlMs } }),
        s.awaitStarted('job'),
        s.awaitEnded('job', 500, marginMs),
        s.run('twice', { plan: [{ fail: 'on purpose' }], policy: { ttl: ttlMs } }),
        s.await('twice'),
        s.retry('twice'),
        s.await('twice'),
        s.status('job', { at: s.after('job', 'submitted', ttlMs).minus(marginMs) }),
        s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(marginMs) }),
        s.status('job', { at: s.wait(3_000) }),
        // Later than a ttl counted from the retry, too.
        s.status('twice', { at: s.after('twice', 'retried', ttlMs).plus(marginMs) }),
      ],
    }),
    'ttl-removes-a-cancelled-job': one({
      title: 'a cancelled job is deleted at its ttl',
      draw: (arb, limits) => ({
        ttlMs: arb.ttl(limits, { maxMs: RUN_RETENTION_MS - MINUTE_MS }),
        marginMs: arb.margin(limits),
      }),
      script: ({ ttlMs, marginMs }, s) => [
        s.run('job', { plan: [{ hang: true }], policy: { ...s.noTimeouts, ttl: ttlMs } }),
        s.awaitStarted('job'),
        s.cancel('job'),
        s.status('job'),
        s.status('job', { at: s.after('job', 'submitted', ttlMs).minus(marginMs) }),
        s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(marginMs) }),
      ],
    }),
    'ttl-removes-a-timed-out-job': one({
      title: 'a job that its executionTimeout has ended is deleted at its ttl',
      draw: (arb, limits) => ({
        timeoutMs: arb.executionTimeout(limits, {
          maxMs: Math.min(MINUTE_MS, Math.floor(limits.maxWaitMs / 3)),
        }),
        restMs: arb.remainingBudget(
          limits,
          Math.floor(limits.maxWaitMs / 2),
          5 * SECOND_MS + 2 * limits.marginMs,
          10 * MINUTE_MS,
        ),
        marginMs: arb.margin(limits),
      }),
      script: ({ timeoutMs, restMs, marginMs }, s) => {
        const ttlMs = Math.max(10_000, timeoutMs + restMs);
        return [
          s.run('job', { plan: [{ hang: true }], policy: { executionTimeout: timeoutMs, ttl: ttlMs } }),
          s.awaitStarted('job'),
          s.awaitEnded('job', timeoutMs, marginMs),
          s.status('job', { at: s.after('job', 'submitted', ttlMs).minus(marginMs) }),
          s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(marginMs) }),
        ];
      },
    }),
    'ttl-removes-a-runsync-job': one({
      title: 'a job of /runsync is deleted at its ttl like any other',
      script: ({ ttlMs, marginMs }, s) => [
        s.runsync('job', { plan: [{ hang: true }], policy: { ...s.noTimeouts, ttl: ttlMs }, wait: 1_000 }),
        s.status('job', { at: s.after('job', 'submitted', ttlMs).minus(marginMs) }),
        s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(marginMs) }),
      ],
    }),
    'ttl-removes-a-finished-runsync-job': one({
      title: 'the finished job of /runsync is deleted at its ttl, before its minute of retention is over',
      draw: (arb, limits) => ({ ttlMs: arb.ttl(limits, { maxMs: 40_000 }), marginMs: arb.margin(limits) }),
      script: ({ ttlMs, marginMs }, s) => [
        s.runsync('job', { plan: s.works(200), policy: { ttl: ttlMs } }),
        s.status('job', { at: s.after('job', 'submitted', ttlMs).minus(marginMs) }),
        s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(marginMs) }),
      ],
    }),
  }),
);
