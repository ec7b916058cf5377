import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'several hundred calls of /health and of /retry at once',
  needs: ['dedicated', 'load-allowed'],
  exclusive: true,
  script: (_, s) => [
    Array.from({ length: 6 }, () => s.burst('health', 100)),
    Array.from({ length: 6 }, () => s.burst('retry', 100)),
    // Whatever limits these operations have, they share none with those above.
    s.purge(),
    Array.from({ length: 5 }, () => s.burst('cancel', 20)),
  ],
});
