import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'every operation, asked once in the ordinary way, answers JSON with a success',
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
