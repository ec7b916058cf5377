import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { HOUR_MS, RUN_RETENTION_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'how long jobs that failed, were cancelled or timed out can be read',
  needs: ['scripted-worker', 'worker-count-known'],
  workers: 3,
  draw: (arb, limits) => {
    assertWithinLimits(limits, 2 * HOUR_MS + limits.marginMs);
    return { marginMs: arb.margin(limits) };
  },
  script: ({ marginMs }, s) => {
    const jobs = ['failed', 'cancelled', 'timed out'];
    const policy = { ttl: 2 * HOUR_MS };
    return [
      s.run('failed', { plan: [{ fail: 'on purpose' }], policy }),
      s.run('cancelled', { plan: [{ hang: true }], policy }),
      s.run('timed out', { plan: [{ hang: true }], policy: { ...policy, executionTimeout: 5_000 } }),
      s.await('failed'),
      s.awaitStarted('cancelled'),
      s.cancel('cancelled'),
      s.status('cancelled'),
      s.await('timed out', s.ended, { everyMs: 500 }),
      s.status('cancelled', { at: s.wait(10_000) }),
      jobs.map((job) => s.status(job, { at: s.after(job, 'submitted', RUN_RETENTION_MS).minus(marginMs) })),
      jobs.map((job) => s.status(job, { at: s.after(job, 'ended', RUN_RETENTION_MS).plus(marginMs) })),
      jobs.map((job) => s.status(job, { at: s.after(job, 'submitted', 2 * HOUR_MS).minus(marginMs) })),
      jobs.map((job) => s.status(job, { at: s.after(job, 'submitted', 2 * HOUR_MS).plus(marginMs) })),
    ];
  },
});
