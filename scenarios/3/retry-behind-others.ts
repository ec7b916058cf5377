import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a retried job waits for a worker behind the other jobs, and shows nothing of its first run',
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  exclusive: true,
  script: (_, s) => [
    s.run('job', {
      plan: [{ stream: 'first run' }, { fail: 'once' }],
      planOnRetry: [{ stream: 'second run' }, { return: 'second run' }],
    }),
    s.await('job'),
    s.blocker('blocker'),
    s.awaitStarted('blocker'),
    s.retry('job'),
    s.status('job', { at: s.wait(1_000) }),
    s.health(),
    s.stream('job'),
    s.cancel('blocker', { at: s.wait(1_000) }),
    s.await('job'),
    s.stream('job'),
  ],
});
