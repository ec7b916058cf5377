import { scenario } from '../../src/scenario/index.js';

const JOBS = 104;

export default scenario({
  title: 'no more than 100 waiting jobs can be cancelled in ten seconds',
  exercises: ['8/rate-cancel-below', '8/rate-cancel-above'],
  needs: ['dedicated', 'load-allowed', 'worker-count-known'],
  workers: 0,
  exclusive: true,
  script: (_, s) => [
    Array.from({ length: JOBS }, (__, i) => s.run(`job-${i}`)),
    Array.from({ length: JOBS }, (__, i) => s.cancel(`job-${i}`)),
  ],
});
