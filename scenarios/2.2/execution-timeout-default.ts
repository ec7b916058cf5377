import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { EXECUTION_TIMEOUT_DEFAULT_MS, HOUR_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a job without executionTimeout may run for ten minutes and no longer',
  needs: ['scripted-worker'],
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
});
