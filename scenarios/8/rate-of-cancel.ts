import { scenario } from '../../src/scenario/index.js';
import { RATE_WINDOW_MS } from '../../src/spec/rates.js';

export default scenario({
  title: '100 cancels fit into ten seconds; further ones are refused and cancel nothing',
  needs: ['dedicated', 'load-allowed', 'worker-count-known', 'scripted-worker'],
  workers: 0,
  exclusive: true,
  script: (_, s, { marginMs }) => [
    s.run('job', { plan: s.works(100) }),
    s.run('other', { plan: s.works(100) }),
    Array.from({ length: 5 }, () => s.burst('cancel', 20, { job: 'other' })),
    s.cancel('job'),
    s.status('job'),
    s.cancel('job', { at: s.wait(RATE_WINDOW_MS + 2 * marginMs + 1) }),
    s.status('job'),
  ],
});
