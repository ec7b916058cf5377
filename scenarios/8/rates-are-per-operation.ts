import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'using up the limit of one operation does not affect the others',
  exercises: ['8/rate-per-operation', '8/rate-purge-queue-above', '7/no-500-in-normal-use'],
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
