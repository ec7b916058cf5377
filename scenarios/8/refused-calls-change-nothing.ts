import { scenario } from '../../src/scenario/index.js';
import { RATE_WINDOW_MS } from '../../src/spec/rates.js';

export default scenario({
  title: 'a purge that is answered with 429 removes nothing',
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  workers: 0,
  exclusive: true,
  script: (_, s, { marginMs }) => [
    s.purge(),
    s.purge(),
    s.run('one', { plan: s.works(100) }),
    s.run('two', { plan: s.works(100) }),
    s.purge(),
    s.status('one'),
    s.health({ at: s.wait(marginMs) }),
    s.purge({ at: s.wait(RATE_WINDOW_MS + 2 * marginMs + 1) }),
    s.health({ at: s.wait(marginMs) }),
  ],
});
