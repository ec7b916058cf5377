import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a purge without a key or with a wrong one removes nothing',
  // A service that accepted one of these would empty the queue.
  needs: ['dedicated'],
  exclusive: true,
  script: (_, s) => [
    s.purge({ auth: 'missing' }),
    s.purge({ auth: 'wrong-bearer' }),
    s.purge({ auth: 'wrong', at: s.wait(11_000) }),
  ],
});
