import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'of jobs submitted at once to one free worker, one begins and the others wait',
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  script: (_, s) => [
    ['a', 'b', 'c'].map((job) =>
      s.lane(
        job,
        s.run(job, { plan: s.works(4_000), policy: s.noTimeouts }),
        s.status(job, { at: s.wait(1_000) }),
        s.await(job, s.ended, { withinMs: 100_000, everyMs: 1_000 }),
      ),
    ),
  ],
});
