import { scenario } from '../../src/scenario/index.js';
import { MINUTE_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'how the counters count jobs that failed, timed out, were cancelled, retried or deleted',
  needs: ['scripted-worker', 'worker-count-known', 'dedicated', 'test-control'],
  workers: 2,
  exclusive: true,
  draw: (arb, limits) => ({ marginMs: arb.margin(limits) }),
  script: ({ marginMs }, s, { maxWaitMs }) => {
    const end = { withinMs: 60_000, everyMs: 250 };
    return [
      s.run('failed', { plan: [{ fail: 'on purpose' }], planOnRetry: s.works(200), policy: s.noTimeouts }),
      s.await('failed', s.ended, end),
      s.health({ at: s.wait(marginMs) }),
      s.run('timed out', { plan: [{ hang: true }], policy: { executionTimeout: 5_000 } }),
      s.await('timed out', s.ended, end),
      s.health({ at: s.wait(marginMs) }),
      s.blocker('cancelled'),
      s.awaitStarted('cancelled'),
      s.cancel('cancelled'),
      s.status('cancelled'),
      s.health({ at: s.wait(marginMs) }),
      s.status('failed'),
      s.status('timed out'),
      s.retry('failed'),
      s.await('failed', s.ended, end),
      s.health({ at: s.wait(marginMs) }),
      s.status('timed out'),
      s.run('died', { plan: [{ crash: true }], planOnRetry: [{ return: 'second' }], policy: s.noTimeouts }),
      s.await('died', s.ended, { withinMs: 120_000, everyMs: 1_000 }),
      s.health({ at: s.wait(marginMs) }),
      s.run('deleted at work', { plan: [{ hang: true }], policy: { ttl: 10_000 } }),
      s.awaitStarted('deleted at work'),
      s.run('deleted', { plan: s.works(100), policy: { ttl: 10_000 } }),
      s.await('deleted', s.ended, end),
      s.health({ at: s.wait(marginMs) }),
      s.status('deleted', { at: s.after('deleted', 'submitted', 10_000).plus(2 * marginMs + 1) }),
      s.status('deleted at work'),
      s.health({ at: s.wait(marginMs) }),
      // A counter may cover a limited period: only jobs kept for longer show that all stored jobs are
      // counted.
      ...(maxWaitMs > 5 * MINUTE_MS
        ? [s.health({ at: s.wait(2 * MINUTE_MS) }), s.status(['failed', 'timed out', 'died'])]
        : []),
      // Operations on ended jobs do not reduce the count of running ones.
      s.blocker('blocker'),
      s.awaitStarted('blocker'),
      s.cancel('failed'),
      s.health({ at: s.wait(marginMs) }),
      s.retry('timed out'),
      s.awaitStarted('timed out'),
      s.health({ at: s.wait(marginMs) }),
      s.cancel('timed out'),
      s.health({ at: s.wait(marginMs) }),
      s.cancel('blocker'),
      // By then every worker is available again, however its last job ended.
      ...(maxWaitMs > 5 * MINUTE_MS
        ? [s.health({ at: s.wait(marginMs) }), s.health({ at: s.wait(3 * MINUTE_MS) })]
        : []),
    ];
  },
});
