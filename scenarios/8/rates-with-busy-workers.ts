import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'busy workers never lower the limit of an operation',
  needs: ['dedicated', 'load-allowed', 'worker-count-known', 'scripted-worker'],
  workers: 2,
  exclusive: true,
  script: (_, s) => [
    s.blocker('one'),
    s.blocker('two'),
    s.awaitStarted('two'),
    Array.from({ length: 5 }, () => s.burst('cancel', 18)),
    s.purge(),
    s.purge(),
    s.cancel('one'),
    s.cancel('two'),
  ],
});
