import { scenario } from '../../src/scenario/index.js';

const CLIENTS = 8;
const JOBS_EACH = 13;

export default scenario({
  title: 'no more than 100 waiting jobs can be cancelled in ten seconds',
  exercises: ['8/rate-cancel-below', '8/rate-cancel-above'],
  needs: ['dedicated', 'load-allowed', 'worker-count-known'],
  workers: 0,
  exclusive: true,
  script: (_, s) =>
    Array.from({ length: CLIENTS }, (__, client) => {
      const jobs = Array.from({ length: JOBS_EACH }, (___, i) => `job-${client}-${i}`);
      return s.lane(
        `client ${client}`,
        jobs.map((job) => s.run(job)),
        jobs.map((job) => s.cancel(job)),
      );
    }),
});
