import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'how many purges are allowed at once while a worker runs',
  needs: ['dedicated', 'load-allowed', 'worker-count-known', 'scripted-worker'],
  exclusive: true,
  script: (_, s) => [
    s.blocker('blocker'),
    s.awaitStarted('blocker'),
    Array.from({ length: 15 }, () => s.burst('purge-queue', 10)),
    s.cancel('blocker'),
  ],
});
