import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a job cancelled while it waits leaves the queue and is never started',
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  exclusive: true,
  script: (_, s, { marginMs }) => [
    s.blocker('blocker'),
    s.awaitStarted('blocker'),
    s.run('before', { plan: s.works(300) }),
    s.run('job', { plan: [{ stream: 'ran after all' }, { return: 'ran after all' }] }),
    s.run('behind', { plan: s.works(300) }),
    s.cancel('job'),
    s.status('job'),
    s.status('before'),
    s.status('behind'),
    s.health({ at: s.wait(marginMs) }),
    s.cancel('blocker', { at: s.wait(1_000) }),
    s.await('before'),
    s.await('behind'),
    s.status('job', { at: s.wait(2_000) }),
    s.stream('job'),
    s.health({ at: s.wait(marginMs) }),
  ],
});
