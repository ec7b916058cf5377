import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'where there are no workers, nothing lets more than two thousand reads of a stream through',
  exercises: ['8/rate-stream-above'],
  needs: ['dedicated', 'load-allowed', 'worker-count-known'],
  workers: 0,
  exclusive: true,
  script: (_, s) => [
    s.run('job'),
    Array.from({ length: 5 }, () => s.burst('stream', 400, { job: 'job' })),
    s.burst('stream', 20, { job: 'job' }),
  ],
});
