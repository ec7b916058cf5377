import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a retried job lives as long as it was given, counted from its submission or from the retry',
  exercises: ['4.6/retried-job-runs', '3/retry-requeues-failed'],
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({ marginMs: arb.margin(limits) }),
  script: ({ marginMs }, s) => [
    s.run('job', {
      plan: [{ fail: 'on purpose' }],
      planOnRetry: [{ hang: true }],
      policy: { ...s.far, ttl: 20_000 + 4 * marginMs },
    }),
    s.await('job', s.ended, { withinMs: 10_000, everyMs: 250 }),
    s.retry('job', { at: s.after('job', 'submitted', 5_000 + 2 * marginMs).plus(0) }),
    s.begins('job'),
    s.status('job', { at: s.after('job', 'submitted', 20_000 + 4 * marginMs).plus(marginMs + 1) }),
    s.status('job', { at: s.after('job', 'retried', 20_000 + 4 * marginMs).plus(marginMs + 1) }),
  ],
});
