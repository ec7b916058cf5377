import { scenario } from '../../src/scenario/index.js';
import { crowdsOf } from '../reads-of-one-job.js';

export default scenario({
  title: '400 concurrent reads of a stream are allowed, and one more is refused',
  needs: ['dedicated', 'load-allowed', 'worker-count-known'],
  workers: 0,
  exclusive: true,
  script: (_, s) => crowdsOf(s, 'stream'),
});
