import { scenario } from '../../src/scenario/index.js';
import { RATE_WINDOW_MS } from '../../src/spec/rates.js';

export default scenario({
  title: 'a refused purge does not delay the next one that is allowed',
  needs: ['dedicated'],
  exclusive: true,
  script: (_, s, { marginMs }) => [
    s.purge(),
    s.purge(),
    s.purge({ at: s.wait(RATE_WINDOW_MS - 2_000) }),
    s.purge({ at: s.sinceStart(RATE_WINDOW_MS + 2 * marginMs + 1) }),
  ],
});
