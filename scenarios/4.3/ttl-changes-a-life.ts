import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import {
  DAY_MS,
  HOUR_MS,
  RUNSYNC_RETENTION_MS,
  TTL_MAX_MS,
  TTL_MIN_MS,
  WAIT_DEFAULT_MS,
} from '../../src/spec/limits.js';

export default scenario.each({ needs: ['scripted-worker'] }, (one) => ({
  'ttl-lengthens-a-life': one({
    title: 'a ttl given to /status in time keeps a job beyond the ttl of its submission',
    draw: (arb, limits) => {
      const shortMs = TTL_MIN_MS + 1_000;
      return {
        shortMs: arb.just(shortMs),
        ttlMs: arb.ttl(limits, { minMs: shortMs + 2 * limits.marginMs + 1_000, maxMs: 2 * DAY_MS }),
        marginMs: arb.margin(limits),
      };
    },
    script: ({ shortMs, ttlMs, marginMs }, s, limits) => [
      s.run('job', { plan: [{ hang: true }], policy: { ...s.noTimeouts, ttl: shortMs } }),
      s.awaitStarted('job'),
      s.status('job', { ttl: ttlMs }),
      s.status('job', { at: s.after('job', 'submitted', shortMs).plus(limits.marginMs) }),
      s.status('job', { at: s.after('job', 'submitted', ttlMs).minus(limits.marginMs) }),
      s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(marginMs + 2_000) }),
    ],
  }),
  'ttl-lengthens-the-life-of-a-waiting-job': one({
    title: 'a ttl given to /status in time keeps a job that waits beyond the ttl of its submission',
    draw: (arb, limits) => {
      const shortMs = TTL_MIN_MS + 1_000;
      return {
        shortMs: arb.just(shortMs),
        ttlMs: arb.ttl(limits, { minMs: shortMs + 2 * limits.marginMs + 1_000, maxMs: DAY_MS }),
      };
    },
    script: ({ shortMs, ttlMs }, s, limits) => [
      // The other waits behind it where there is one worker.
      s.blocker('ahead'),
      s.run('job', { plan: [{ hang: true }], policy: { ...s.noTimeouts, ttl: shortMs } }),
      s.status('job', { ttl: ttlMs }),
      s.status('job', { at: s.after('job', 'submitted', shortMs).plus(limits.marginMs) }),
      s.status('job', { at: s.after('job', 'submitted', ttlMs).minus(limits.marginMs) }),
      s.cancel(['job', 'ahead']),
    ],
  }),
  'ttl-shortens-a-life': one({
    title: 'a ttl given to /status deletes a job that its policy would keep for days',
    needs: ['scripted-worker', 'worker-count-known'],
    workers: 2,
    draw: (arb, limits) => ({
      ttlMs: arb.ttl(limits, { maxMs: Math.min(DAY_MS, limits.maxWaitMs - 10_000) }),
      laterMs: arb.integer(0, 5_000),
      marginMs: arb.margin(limits),
    }),
    script: ({ ttlMs, laterMs, marginMs }, s) => [
      s.blocker('other'),
      s.blocker('job'),
      s.awaitStarted('job'),
      s.status('job', { ttl: ttlMs, at: s.after('job', 'submitted', laterMs).plus(0) }),
      s.status('job', { at: s.after('job', 'submitted', ttlMs).minus(marginMs) }),
      s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(marginMs) }),
      s.status('job', { at: s.after('job', 'submitted', laterMs + ttlMs).plus(2 * marginMs + 500) }),
      s.status('other'),
      s.cancel('other'),
    ],
  }),
  'ttl-given-again-to-any-job': one({
    title:
      'a ttl given to /status replaces an earlier one, and outlasts a retry, however many workers there are',
    draw: (arb, limits) => ({ marginMs: arb.margin(limits) }),
    script: ({ marginMs }, s) => [
      // It fails soon, so that one worker is enough for both.
      s.run('retried', {
        plan: [{ sleepMs: 2_000 }, { fail: 'once' }],
        planOnRetry: [{ hang: true }],
        policy: s.noTimeouts,
      }),
      s.status('retried', { ttl: TTL_MIN_MS }),
      s.await('retried'),
      s.run('shorter', { plan: [{ hang: true }], policy: s.noTimeouts }),
      s.status('shorter', { ttl: 600_000 }),
      s.status('shorter', { ttl: TTL_MIN_MS }),
      s.retry('retried'),
      // Later than that, from whichever call it counts.
      s.status('shorter', { at: s.wait(TTL_MIN_MS + 2 * marginMs + 500) }),
      s.status('retried'),
      s.cancel(['shorter', 'retried']),
    ],
  }),
  'ttl-beyond-the-longest': one({
    title: 'which ttl applies where /status accepts one above seven days',
    needs: ['scripted-worker', 'worker-count-known', 'test-control'],
    // It hangs, and no other timer of the job comes near.
    workers: 0,
    exclusive: true,
    draw: (arb, limits) => {
      assertWithinLimits(limits, TTL_MAX_MS + 2 * limits.marginMs + 1);
      return { marginMs: arb.margin(limits) };
    },
    script: ({ marginMs }, s) => [
      s.run('job', { plan: [{ hang: true }], policy: { ttl: 2 * DAY_MS } }),
      s.status('job', { ttl: TTL_MAX_MS + HOUR_MS }),
      s.status('job', { at: s.after('job', 'submitted', 2 * DAY_MS).plus(2 * marginMs + 1_000) }),
      s.raw('GET', '/status/no-such-job', 'unknown-job'),
      s.status('job', { at: s.after('job', 'submitted', TTL_MAX_MS).plus(2 * marginMs + 1_000) }),
      s.cancel('job'),
    ],
  }),
  'ttl-beyond-the-retention': one({
    title: 'a ttl given to /status that exceeds the retention of the result',
    draw: (arb, limits) => {
      assertWithinLimits(limits, WAIT_DEFAULT_MS + limits.marginMs);
      return { marginMs: arb.margin(limits) };
    },
    script: ({ marginMs }, s) => [
      s.runsync('job', { plan: s.works(500) }),
      s.status('job', { ttl: 600_000 }),
      s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_MS).minus(marginMs) }),
      s.status('job', { at: s.after('job', 'ended', WAIT_DEFAULT_MS).plus(marginMs + 1) }),
    ],
  }),
  'ttl-stays-whatever-happens': one({
    title: 'a ttl given to /status still applies when the job starts, ends and is retried afterwards',
    needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
    exclusive: true,
    draw: (arb, limits) => ({
      ttlMs: arb.ttl(limits, { minMs: 12_000, maxMs: Math.floor(limits.maxWaitMs / 2) }),
      marginMs: arb.margin(limits),
    }),
    script: ({ ttlMs, marginMs }, s) => [
      s.blocker('blocker'),
      s.awaitStarted('blocker'),
      s.run('waits', { plan: [{ hang: true }], policy: s.noTimeouts }),
      s.run('ends', { plan: s.works(200), policy: s.noTimeouts }),
      s.run('fails', { plan: [{ fail: 'once' }], planOnRetry: [{ hang: true }], policy: s.noTimeouts }),
      s.status(['waits', 'ends', 'fails'], { ttl: ttlMs }),
      s.workers(3),
      s.await('ends'),
      s.await('fails'),
      s.retry('fails'),
      ['waits', 'ends', 'fails'].map((job) =>
        s.status(job, { at: s.after(job, 'submitted', ttlMs).minus(marginMs) }),
      ),
      // Later than the ttl, whether it is counted from the submission, the call or the retry.
      s.status('fails', { at: s.after('fails', 'retried', ttlMs).plus(marginMs) }),
      s.status('ends'),
      s.status('waits'),
      s.cancel('blocker'),
    ],
  }),
  'ttl-frees-what-the-job-held': one({
    title: 'jobs that a ttl given to /status has deleted occupy neither a worker nor a place in the queue',
    needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
    exclusive: true,
    draw: (arb, limits) => ({ marginMs: arb.margin(limits) }),
    script: ({ marginMs }, s) => [
      s.run('runs', { plan: [{ hang: true }], policy: s.noTimeouts }),
      s.awaitStarted('runs'),
      s.run('waits', { plan: [{ hang: true }], policy: s.noTimeouts }),
      s.run('behind', { plan: s.works(200), policy: s.noTimeouts }),
      s.status('waits', { ttl: TTL_MIN_MS }),
      s.status('runs', { ttl: TTL_MIN_MS + 100 }),
      s.status('waits', { at: s.wait(TTL_MIN_MS + marginMs) }),
      s.status('runs', { at: s.wait(100) }),
      s.health({ at: s.wait(marginMs) }),
      s.await('behind', s.ended, { withinMs: 100_000, everyMs: 500 }),
    ],
  }),
}));
