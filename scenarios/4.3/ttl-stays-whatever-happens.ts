import { scenario } from '../../src/scenario/index.js';

export default scenario({
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
});
