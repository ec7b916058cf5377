import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'an output of null and one of several megabytes, as far as the records show them',
  exercises: ['3/success-completes-run', '7/no-500-in-normal-use'],
  needs: ['scripted-worker'],
  script: (_, s) => [
    s.run('nothing', { plan: [{ return: null }] }),
    s.run('much', { plan: [{ returnBytes: 3_000_000 }] }),
    ['nothing', 'much'].map((job) => s.await(job, s.ended, { withinMs: 60_000, everyMs: 500 })),
  ],
});
