import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'retried grows when a job is retried, and the job counts as waiting, running and ended again',
  exercises: [
    '4.8/counts-retried',
    '4.8/counts-failed',
    '4.8/counts-completed',
    '4.8/counts-in-progress',
    '4.8/counts-workers-running',
  ],
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  exclusive: true,
  script: (_, s, { marginMs }) => [
    s.health(),
    s.run('job', { plan: [{ fail: 'once' }], planOnRetry: s.works(2 * marginMs + 2_000) }),
    s.await('job', s.ended, { withinMs: 60_000, everyMs: 250 }),
    s.health({ at: s.wait(marginMs) }),
    s.status('job'),
    s.retry('job'),
    s.awaitStarted('job'),
    s.health({ at: s.wait(marginMs) }),
    s.await('job', s.ended, { withinMs: 60_000, everyMs: 250 }),
    s.health({ at: s.wait(marginMs) }),
  ],
});
