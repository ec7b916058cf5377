import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a purge of an empty queue removes nothing',
  needs: ['worker-count-known', 'dedicated'],
  exclusive: true,
  script: (_, s) => [s.purge(), s.run('later'), s.status('later')],
});
