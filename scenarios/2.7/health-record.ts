import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'the health record has every counter, before, during and after the run of a job',
  script: (_, s) => [
    s.health(),
    s.health(),
    s.run('job'),
    s.health(),
    s.await('job', s.ended, { everyMs: 1_000 }),
    s.health(),
  ],
});
