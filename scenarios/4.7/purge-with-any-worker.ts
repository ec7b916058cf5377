import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'jobs submitted after a purge are processed as usual',
  exercises: ['4.7/later-jobs-unaffected', '2.6/removed-integer', '2.6/status-completed'],
  needs: ['dedicated'],
  exclusive: true,
  script: (_, s) => [
    s.run('before'),
    s.purge(),
    s.run('later'),
    s.await('later', s.ended, { withinMs: 60_000, everyMs: 1_000 }),
  ],
});
