import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: "with any worker, a cancel returns the job's id and state",
  script: (_, s) => [s.run('job'), s.cancel('job'), s.status('job')],
});
