import { scenario } from '../../src/scenario/index.js';
import { crowdsOf } from '../reads-of-one-job.js';

export default scenario({
  title: 'four hundred looks at a job may be under way at once, and one more is refused',
  exercises: ['8/concurrency-status-below', '8/concurrency-status-above', '8/concurrency-enforced'],
  needs: ['dedicated', 'load-allowed', 'worker-count-known'],
  workers: 0,
  exclusive: true,
  script: (_, s) => crowdsOf(s, 'status'),
});
