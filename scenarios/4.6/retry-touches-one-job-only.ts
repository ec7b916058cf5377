import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a retry of one failed job leaves the other failed ones as they are',
  exercises: ['4.6/this-job-only', '3/failed-stays'],
  needs: ['scripted-worker', 'worker-count-known'],
  workers: 4,
  exclusive: true,
  script: (_, s) => [
    // With the same input, so that only their ids tell them apart.
    ['a', 'b', 'c'].map((job) =>
      s.run(job, { plan: [{ fail: 'once' }], planOnRetry: [{ return: 'again' }] }),
    ),
    s.run('completed', { plan: [{ return: 1 }] }),
    ['a', 'b', 'c', 'completed'].map((job) => s.await(job, s.ended, { withinMs: 60_000, everyMs: 250 })),
    s.retry('b'),
    s.await('b', s.ended, { withinMs: 60_000, everyMs: 250 }),
    // Workers other than those of its first run will do.
    ['busy', 'busy, too'].map((job) => s.run(job, { plan: s.works(15_000) })),
    ['busy', 'busy, too'].map((job) => s.awaitStarted(job)),
    s.retry('c'),
    s.await('c', s.ended, { withinMs: 60_000, everyMs: 250 }),
    ['a', 'completed'].map((job) => s.status(job)),
  ],
});
