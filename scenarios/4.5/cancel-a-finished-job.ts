import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a cancel of a job that has completed or failed does not undo what happened',
  script: (_, s) => [
    s.run('completed', { plan: [{ return: { kept: true } }] }),
    s.run('failed', { plan: [{ fail: 'on purpose' }] }),
    s.await('completed'),
    s.await('failed'),
    ['completed', 'failed'].map((job) => [
      s.cancel(job),
      s.status(job),
      s.status(job, { at: s.wait(1_000) }),
    ]),
  ],
});
