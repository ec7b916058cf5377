import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'without a key or with a wrong one nobody empties a queue',
  exercises: ['5/missing-key-purge-queue', '5/wrong-key-purge-queue'],
  // A service that let one of these in would empty the queue.
  needs: ['dedicated'],
  exclusive: true,
  script: (_, s) => [s.purge({ auth: 'missing' }), s.purge({ auth: 'wrong', at: s.wait(11_000) })],
});
