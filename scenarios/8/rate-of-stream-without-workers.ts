import { scenario } from '../../src/scenario/index.js';
import { beyondTheRate } from '../reads-of-one-job.js';

export default scenario({
  title: 'where there are no workers, nothing lets more than two thousand reads of a stream through',
  exercises: ['8/rate-stream-above'],
  needs: ['dedicated', 'load-allowed', 'worker-count-known'],
  workers: 0,
  exclusive: true,
  script: (_, s) => beyondTheRate(s, 'stream'),
});
