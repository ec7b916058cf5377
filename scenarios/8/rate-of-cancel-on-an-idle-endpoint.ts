import { scenario } from '../../src/scenario/index.js';
import { RATE_WINDOW_MS } from '../../src/spec/rates.js';

export default scenario({
  title: 'cancels of a job that does not exist count towards the rate limit like any others',
  needs: ['dedicated', 'load-allowed'],
  exclusive: true,
  script: (_, s, { marginMs }) => [
    Array.from({ length: 5 }, () => s.burst('cancel', 20)),
    s.burst('cancel', 5),
    s.burst('cancel', 1, { at: s.wait(RATE_WINDOW_MS + 2 * marginMs + 1) }),
  ],
});
