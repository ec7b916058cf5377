import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: "with any worker, a cancel returns the job's id and state",
  exercises: [
    '1/json-body-cancel',
    '1/json-content-type-cancel',
    '2.4/id-in-cancel',
    '2.4/id-matches-cancel',
    '2.4/status-in-cancel',
    '2.4/status-known-cancel',
    '4/operation-cancel',
    '5/key-accepted-cancel',
  ],
  script: (_, s) => [s.run('job'), s.cancel('job'), s.status('job')],
});
