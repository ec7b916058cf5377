import { scenario } from '../../src/scenario/index.js';
import { DAY_MS, MINUTE_MS, TTL_MIN_MS } from '../../src/spec/limits.js';

export default scenario.each({}, (one) => ({
  'ttl-of-a-finished-job': one({
    title: 'a ttl given to /status deletes a result before its retention ends',
    needs: ['scripted-worker'],
    draw: (arb, limits) => ({
      ttlMs: arb.ttl(limits, { maxMs: 20 * MINUTE_MS }),
      marginMs: arb.margin(limits),
    }),
    script: ({ ttlMs, marginMs }, s) => [
      s.run('job', { plan: [{ return: 1 }] }),
      s.await('job'),
      s.status('job', { ttl: ttlMs }),
      // It has the default of the document, not what was given last.
      s.run('later', { plan: [{ return: 2 }] }),
      s.status('job', { at: s.after('job', 'submitted', ttlMs).minus(marginMs) }),
      s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(2 * marginMs + 1_000) }),
      s.status('later', { at: s.after('later', 'submitted', ttlMs).plus(marginMs) }),
    ],
  }),
  'ttl-of-a-waiting-job': one({
    title: 'a ttl given to /status deletes a job that still waits',
    needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
    exclusive: true,
    draw: (arb, limits) => ({ ttlMs: arb.ttl(limits, { maxMs: DAY_MS }), marginMs: arb.margin(limits) }),
    script: ({ ttlMs, marginMs }, s) => [
      s.blocker('blocker'),
      s.awaitStarted('blocker'),
      s.run('job', { plan: s.works(100), policy: s.noTimeouts }),
      s.status('job', { ttl: ttlMs }),
      s.status('job', { at: s.after('job', 'submitted', ttlMs).minus(marginMs) }),
      s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(2 * marginMs + 500) }),
      s.health(),
      s.cancel('blocker'),
      s.status('job', { at: s.wait(1_000) }),
    ],
  }),
  'ttl-of-retried-and-of-runsync-jobs': one({
    title: 'a ttl given to /status deletes retried jobs and those of /runsync as well',
    needs: ['scripted-worker', 'worker-count-known'],
    workers: 2,
    draw: (arb, limits) => ({ marginMs: arb.margin(limits) }),
    script: ({ marginMs }, s) => [
      s.run('retried', { plan: [{ fail: 'once' }], planOnRetry: [{ hang: true }], policy: s.noTimeouts }),
      s.await('retried'),
      s.retry('retried'),
      s.awaitStarted('retried'),
      s.runsync('called', { plan: [{ hang: true }], policy: s.noTimeouts, wait: 1_000 }),
      s.status('called', { ttl: TTL_MIN_MS }),
      s.status('retried', { ttl: TTL_MIN_MS }),
      // Later than that counted from the retry and from the call, too.
      s.status('retried', { at: s.wait(TTL_MIN_MS + 2 * marginMs) }),
      s.status('called'),
    ],
  }),
}));
