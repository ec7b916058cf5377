import { scenario } from '../../src/scenario/index.js';
import { RATE_WINDOW_MS } from '../../src/spec/rates.js';

export default scenario({
  title: 'the third purge within ten seconds is answered with 429, and ten seconds later it is allowed again',
  needs: ['dedicated'],
  workers: 0,
  exclusive: true,
  script: (_, s, { marginMs }) => [
    s.purge(),
    s.purge(),
    s.purge(),
    s.purge({ at: s.wait(RATE_WINDOW_MS + 2 * marginMs + 1) }),
    s.purge(),
  ],
});
