import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'jobs submitted after a purge are processed as usual',
  needs: ['dedicated'],
  exclusive: true,
  script: (_, s) => [
    s.run('before'),
    s.purge(),
    s.run('later'),
    s.await('later', s.ended, { everyMs: 1_000 }),
  ],
});
