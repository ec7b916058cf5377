import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'which webhook calls are made for a job that fails, times out or is cancelled',
  needs: ['scripted-worker', 'webhook-reachable', 'worker-count-known'],
  workers: 3,
  script: (_, s) => [
    s.run('fails', { plan: [{ fail: 'on purpose' }], webhook: [{ status: 200 }] }),
    s.run('times out', {
      plan: [{ hang: true }],
      policy: { executionTimeout: 5_000 },
      webhook: [{ status: 200 }],
    }),
    s.run('cancelled', { plan: [{ hang: true }], webhook: [{ status: 200 }] }),
    s.awaitStarted('cancelled'),
    s.cancel('cancelled'),
    s.await('fails'),
    s.await('times out', s.ended, { everyMs: 500 }),
    s.pause(s.wait(25_000)),
  ],
});
