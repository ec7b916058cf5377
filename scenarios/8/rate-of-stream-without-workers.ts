import { scenario } from '../../src/scenario/index.js';
import { beyondTheRate } from '../reads-of-one-job.js';

export default scenario({
  title: 'without workers, no more than 2000 stream reads are accepted',
  needs: ['dedicated', 'load-allowed', 'worker-count-known'],
  workers: 0,
  exclusive: true,
  script: (_, s) => beyondTheRate(s, 'stream'),
});
