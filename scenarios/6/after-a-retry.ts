import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'the webhook of a job that fails and completes after a retry',
  needs: ['scripted-worker', 'webhook-reachable'],
  script: (_, s) => [
    // Attempts to tell of its failure leave as many for its completion.
    s.run('job', {
      plan: [{ fail: 'once' }],
      planOnRetry: s.works(3_000),
      webhook: [{ status: 500 }, { status: 200 }, { status: 500 }],
    }),
    s.await('job'),
    s.run('failing', { plan: [{ fail: 'once' }], planOnRetry: s.works(100), webhook: [{ status: 500 }] }),
    s.await('failing'),
    // A further call of its webhook may still be due.
    s.retry('failing', { at: s.wait(5_000) }),
    s.retry('job', { at: s.wait(10_000) }),
    s.await('failing'),
    s.await('job'),
    // Ample time for a first call of the one whose failure is not told.
    s.pause(s.wait(40_000)),
  ],
});
