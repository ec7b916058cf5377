import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'using up the limit of one operation does not affect the others',
  needs: ['dedicated'],
  workers: 0,
  exclusive: true,
  script: (_, s) => [
    s.purge(),
    s.purge(),
    s.purge(),
    s.purge(),
    s.run('job'),
    s.status('job'),
    s.stream('job'),
    s.runsync('sync', { wait: 1_000 }),
    s.cancel('job'),
    s.health(),
  ],
});
