import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a retried job waits for a worker behind the other jobs, and shows nothing of its first run',
  exercises: ['3/retry-requeues-failed', '4.6/removes-output', '4.6/removes-stream', '4.8/counts-in-queue'],
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  exclusive: true,
  script: (_, s) => [
    s.run('job', {
      plan: [{ stream: 'first run' }, { fail: 'once' }],
      planOnRetry: [{ stream: 'second run' }, { return: 'second run' }],
    }),
    s.await('job', s.ended, { withinMs: 60_000, everyMs: 250 }),
    s.blocker('blocker'),
    s.awaitStarted('blocker'),
    s.retry('job'),
    s.status('job', { at: s.wait(1_000) }),
    s.health(),
    s.stream('job'),
    s.cancel('blocker', { at: s.wait(1_000) }),
    s.await('job', s.ended, { withinMs: 60_000, everyMs: 250 }),
    s.stream('job'),
  ],
});
