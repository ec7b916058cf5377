import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'every operation, called once in the ordinary way, succeeds and answers with JSON',
  script: (_, s) => [
    s.health(),
    s.run('job'),
    s.status('job'),
    s.runsync('sync'),
    s.status('sync'),
    s.stream('job'),
    s.run('to cancel'),
    s.cancel('to cancel'),
    s.status('to cancel'),
    s.health(),
  ],
});
