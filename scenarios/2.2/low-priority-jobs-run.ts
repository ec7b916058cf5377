import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a job of low priority runs when a worker is idle',
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  script: (_, s) => [
    s.run('low', { plan: s.works(300), policy: { lowPriority: true } }),
    s.awaitStarted('low'),
    s.await('low'),
    s.run('normal', { plan: s.works(300), policy: { lowPriority: false } }),
    s.await('normal'),
  ],
});
