import { scenario } from '../../src/scenario/index.js';

const CLIENTS = 8;
const JOBS_EACH = 13;

export default scenario({
  title: 'no more than 100 waiting jobs can be cancelled in ten seconds',
  needs: ['dedicated', 'load-allowed', 'worker-count-known'],
  workers: 0,
  exclusive: true,
  script: (_, s) =>
    Array.from({ length: CLIENTS }, (__, client) => {
      const jobs = Array.from({ length: JOBS_EACH }, (___, i) => `job-${client}-${i}`);
      return s.lane(`client ${client}`, s.run(jobs), s.cancel(jobs));
    }),
});
