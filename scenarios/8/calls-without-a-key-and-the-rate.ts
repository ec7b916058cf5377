import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'purges that are refused for want of a key, and then two with one',
  exercises: ['5/missing-key-purge-queue', '8/rate-purge-queue-below'],
  needs: ['dedicated'],
  workers: 0,
  exclusive: true,
  script: (_, s) => [Array.from({ length: 3 }, () => s.purge({ auth: 'missing' })), s.purge(), s.purge()],
});
