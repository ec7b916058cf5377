import { scenario } from '../../src/scenario/index.js';
import { RATE_WINDOW_MS } from '../../src/spec/rates.js';

export default scenario({
  title: 'the eleventh call of /requests within ten seconds is answered with 429',
  needs: ['dedicated'],
  workers: 0,
  exclusive: true,
  script: (_, s, { marginMs }) => [
    Array.from({ length: 12 }, () => s.requests()),
    s.requests({ at: s.wait(RATE_WINDOW_MS + 2 * marginMs + 1) }),
  ],
});
