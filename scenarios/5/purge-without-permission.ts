import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a purge with a key without permission for the endpoint removes nothing',
  // A service that accepted it would empty the queue.
  needs: ['dedicated', 'unpermitted-key'],
  exclusive: true,
  script: (_, s) => [s.purge({ auth: 'unpermitted' })],
});
