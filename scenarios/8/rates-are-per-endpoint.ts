import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'using up the limit of one endpoint does not affect another endpoint',
  exercises: ['8/rate-per-endpoint', '8/rate-purge-queue-above', '8/rate-purge-queue-below'],
  needs: ['dedicated', 'worker-count-known'],
  secondEndpoint: true,
  workers: 0,
  exclusive: true,
  script: (_, s) => [
    s.purge(),
    s.purge(),
    s.purge(),
    s.purge({ endpoint: s.secondEndpoint }),
    s.purge({ endpoint: s.secondEndpoint }),
    s.purge({ endpoint: s.secondEndpoint }),
  ],
});
