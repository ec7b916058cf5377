import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a retried job can be cancelled while it waits for its second run',
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  exclusive: true,
  script: (_, s, { marginMs }) => [
    s.run('job', { plan: [{ fail: 'once' }], planOnRetry: [{ return: 'ran after all' }] }),
    s.await('job'),
    s.blocker('blocker'),
    s.awaitStarted('blocker'),
    s.retry('job'),
    s.cancel('job'),
    s.status('job'),
    s.health({ at: s.wait(marginMs) }),
    s.cancel('blocker', { at: s.wait(1_000) }),
    s.status('job', { at: s.wait(2_000) }),
  ],
});
