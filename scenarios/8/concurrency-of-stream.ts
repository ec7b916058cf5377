import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'four hundred reads of a stream may be under way at once, and one more is refused',
  exercises: ['8/concurrency-stream-below', '8/concurrency-stream-above', '8/concurrency-enforced'],
  needs: ['dedicated', 'load-allowed', 'worker-count-known'],
  workers: 0,
  exclusive: true,
  script: (_, s) => {
    const others = Array.from({ length: 21 }, (__, i) => `other-${i}`);
    return [
      s.run('job'),
      others.map((job) => s.run(job, { lane: 'beside' })),
      // Who refuses one of these has to refuse one of those.
      s.burst('cancel', 21, { held: true, jobs: others, lane: 'beside' }),
      // With a body that nobody needs, whose end is missing, for whoever reads a call before he answers it.
      s.burst('stream', 400, { held: true, job: 'job' }),
      s.burst('stream', 401, { held: true, job: 'job' }),
      s.purge(),
    ];
  },
});
