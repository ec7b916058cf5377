import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'whether purges refused for a missing key count towards the rate limit',
  needs: ['dedicated'],
  workers: 0,
  exclusive: true,
  script: (_, s) => [Array.from({ length: 3 }, () => s.purge({ auth: 'missing' })), s.purge(), s.purge()],
});
