import { scenario } from '../../src/scenario/index.js';
import { RATE_WINDOW_MS } from '../../src/spec/rates.js';

export default scenario({
  title: 'the third purge within ten seconds is answered 429, and ten seconds later it is allowed again',
  exercises: [
    '8/rate-purge-queue-below',
    '8/rate-purge-queue-above',
    '8/rate-purge-queue-recovers',
    '1/json-error-body-429',
    '1/json-error-content-type-429',
  ],
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
