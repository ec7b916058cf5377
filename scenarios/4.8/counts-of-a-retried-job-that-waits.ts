import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a retried job that waits for a worker is counted as waiting',
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  exclusive: true,
  script: (_, s, { marginMs }) => [
    s.run('job', { plan: [{ fail: 'once' }], planOnRetry: s.works(200), policy: s.noTimeouts }),
    s.await('job', ['FAILED']),
    s.blocker('blocker'),
    s.awaitStarted('blocker'),
    s.retry('job'),
    s.status('job'),
    s.health({ at: s.wait(marginMs) }),
    s.status('job'),
    s.purge(),
    s.status('job'),
    s.health({ at: s.wait(marginMs) }),
    s.cancel('blocker'),
  ],
});
