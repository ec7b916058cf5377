import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a job stays cancelled whether it was waiting or running, and one that had ended stays as it was',
  needs: ['scripted-worker'],
  workers: 2,
  script: (_, s) => [
    s.run('running', { plan: [{ hang: true }] }),
    s.run('completed', { plan: [{ return: { kept: true } }] }),
    s.awaitStarted('running'),
    s.await('completed'),
    ['running', 'completed'].map((job) => [
      s.cancel(job),
      s.status(job),
      s.status(job, { at: s.wait(500) }),
      s.cancel(job),
      s.status(job),
      s.status(job, { at: s.wait(1_000) }),
    ]),
  ],
});
