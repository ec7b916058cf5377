import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'retried grows when a job is retried, and the job counts as waiting, running and ended again',
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  exclusive: true,
  script: (_, s, { marginMs }) => [
    s.health(),
    s.run('job', { plan: [{ fail: 'once' }], planOnRetry: s.works(2 * marginMs + 2_000) }),
    s.await('job'),
    s.health({ at: s.wait(marginMs) }),
    s.status('job'),
    s.retry('job'),
    s.awaitStarted('job'),
    s.health({ at: s.wait(marginMs) }),
    s.await('job'),
    s.health({ at: s.wait(marginMs) }),
  ],
});
