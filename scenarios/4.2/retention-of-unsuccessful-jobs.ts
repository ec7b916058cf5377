import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { MINUTE_MS, RUN_RETENTION_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'what happens after thirty minutes to jobs that failed, were cancelled or timed out',
  needs: ['scripted-worker', 'worker-count-known'],
  workers: 3,
  draw: (arb, limits) => {
    assertWithinLimits(limits, RUN_RETENTION_MS + limits.marginMs);
    return { marginMs: arb.margin(limits) };
  },
  script: ({ marginMs }, s) => [
    s.run('failed', { plan: [{ fail: 'on purpose' }] }),
    s.run('retried late', { plan: [{ fail: 'on purpose' }], planOnRetry: s.works(100) }),
    s.run('cancelled', { plan: [{ hang: true }] }),
    s.run('timed out', { plan: [{ hang: true }], policy: { executionTimeout: 5_000 } }),
    s.run('completed', { plan: [{ return: 'kept' }] }),
    s.await('failed'),
    s.await('completed'),
    s.awaitStarted('cancelled'),
    s.cancel('cancelled'),
    s.await('timed out', s.ended, { everyMs: 500 }),
    s.status('retried late', { at: s.after('failed', 'ended', RUN_RETENTION_MS - 5 * MINUTE_MS).plus(0) }),
    s.retry('retried late'),
    s.await('retried late'),
    ['failed', 'cancelled', 'timed out'].map((job) =>
      s.status(job, { at: s.after(job, 'ended', RUN_RETENTION_MS).minus(marginMs) }),
    ),
    ['failed', 'cancelled', 'timed out'].map((job) =>
      s.status(job, { at: s.after(job, 'ended', RUN_RETENTION_MS).plus(marginMs) }),
    ),
    s.retry('failed'),
    s.status('failed', { at: s.wait(1_000) }),
    s.retry('completed', { at: s.after('completed', 'ended', RUN_RETENTION_MS).plus(marginMs) }),
  ],
});
