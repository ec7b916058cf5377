import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'with a key without permission for the endpoint nobody empties its queue',
  exercises: ['5/key-without-permission'],
  // A service that let it in would empty the queue.
  needs: ['dedicated', 'unpermitted-key'],
  exclusive: true,
  script: (_, s) => [s.purge({ auth: 'unpermitted' })],
});
