import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'many jobs submitted together all have different ids',
  draw: (arb) => ({ jobs: arb.integer(3, 20) }),
  script: ({ jobs }, s) => [
    s.burst('run', jobs),
    s.run('one'),
    s.run('two'),
    s.runsync('sync'),
    s.status('one'),
    s.status('two'),
    s.status('sync'),
  ],
});
