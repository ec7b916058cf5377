import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'using up the limit of one endpoint does not affect another endpoint',
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
