import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a purge of an empty queue removes nothing',
  exercises: [
    '4.7/empty-queue-removes-nothing',
    '2.6/removed-integer',
    '2.6/status-completed',
    '1/json-body-purge-queue',
    '5/key-accepted-purge-queue',
    '4/operation-purge-queue',
  ],
  needs: ['worker-count-known', 'dedicated'],
  exclusive: true,
  script: (_, s) => [s.purge(), s.run('later'), s.status('later')],
});
