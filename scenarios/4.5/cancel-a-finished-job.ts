import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a cancel of a job that has completed or failed does not undo what happened',
  exercises: ['3/completed-stays', '3/failed-stays'],
  script: (_, s) => [
    s.run('completed', { plan: [{ return: { kept: true } }] }),
    s.run('failed', { plan: [{ fail: 'on purpose' }] }),
    s.await('completed', s.ended, { withinMs: 60_000, everyMs: 250 }),
    s.await('failed', s.ended, { withinMs: 60_000, everyMs: 250 }),
    ['completed', 'failed'].map((job) => [
      s.cancel(job),
      s.status(job),
      s.status(job, { at: s.wait(1_000) }),
    ]),
  ],
});
