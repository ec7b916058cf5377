import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'an output of null and one of several megabytes, as far as the records show them',
  needs: ['scripted-worker'],
  script: (_, s) => [
    s.run('nothing', { plan: [{ return: null }] }),
    s.run('much', { plan: [{ returnBytes: 3_000_000 }] }),
    s.await(['nothing', 'much'], s.ended, { everyMs: 500 }),
  ],
});
