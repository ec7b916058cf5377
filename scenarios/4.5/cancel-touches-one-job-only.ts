import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a cancel ends the job it names and no other, whether waiting or running',
  needs: ['scripted-worker', 'worker-count-known'],
  workers: 3,
  exclusive: true,
  script: (_, s) => [
    s.run('ended', { plan: [{ return: 1 }] }),
    s.await('ended'),
    // With the same input as the one that is cancelled, before it and after it.
    s.run('running', { plan: s.works(8_000) }),
    s.run('to cancel', { plan: s.works(8_000) }),
    s.run('running too', { plan: s.works(8_000) }),
    s.awaitStarted('running'),
    s.awaitStarted('to cancel'),
    s.awaitStarted('running too'),
    s.run('waiting', { plan: s.works(500) }),
    s.run('to cancel too', { plan: s.works(500) }),
    s.run('waiting too', { plan: s.works(500) }),
    s.cancel('to cancel too'),
    s.cancel('to cancel'),
    // Whatever is answered, other jobs wait in the queue.
    s.cancel('ended'),
    ['running', 'running too', 'waiting', 'waiting too'].map((job) => [s.status(job), s.await(job)]),
    s.status('to cancel'),
    s.status('to cancel too'),
  ],
});
