import { scenario } from '../../src/scenario/index.js';
import { MINUTE_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a failed job is not run again without a retry',
  onlyWith: {
    '4.8/counts-failed': { needs: ['worker-count-known'] },
    '4.8/retried-counts-nothing-else': { needs: ['worker-count-known'] },
  },
  needs: ['scripted-worker', 'dedicated'],
  exclusive: true,
  draw: (arb, limits) => ({ laterMs: arb.duration(2_000, Math.min(10 * MINUTE_MS, limits.maxWaitMs)) }),
  script: ({ laterMs }, s) => [
    s.health(),
    s.run('job', {
      plan: [{ sleepMs: 500 }, { fail: 'on purpose' }],
      planOnRetry: [{ sleepMs: 500 }, { return: 'ran twice' }],
    }),
    s.awaitStarted('job'),
    s.await('job'),
    [1, 2, 3, 4].map(() => s.status('job', { at: s.wait(200) })),
    s.health(),
    s.status('job', { at: s.wait(laterMs) }),
    s.health(),
  ],
});
