import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'more calls under way at once than an operation allows',
  exercises: [
    '8/concurrency-run-above',
    '8/concurrency-status-above',
    '8/concurrency-stream-above',
    '8/concurrency-cancel-above',
  ],
  needs: ['dedicated', 'load-allowed', 'worker-count-known'],
  workers: 0,
  exclusive: true,
  script: (_, s) => [
    s.run('job'),
    s.burst('run', 230),
    s.burst('status', 430, { job: 'job' }),
    s.burst('stream', 430, { job: 'job' }),
    s.burst('cancel', 30, { job: 'job' }),
    s.health(),
    s.purge(),
  ],
});
