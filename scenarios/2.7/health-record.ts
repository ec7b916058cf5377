import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'the health record has every counter, before, during and after the run of a job',
  exercises: [
    '2.7/jobs-completed',
    '2.7/jobs-failed',
    '2.7/jobs-in-progress',
    '2.7/jobs-in-queue',
    '2.7/jobs-retried',
    '2.7/workers-idle',
    '2.7/workers-running',
    '1/json-body-health',
    '4/operation-health',
    '4.8/reading-changes-nothing',
  ],
  script: (_, s) => [
    s.health(),
    s.health(),
    s.run('job'),
    s.health(),
    s.await('job', s.ended, { withinMs: 60_000, everyMs: 1_000 }),
    s.health(),
  ],
});
