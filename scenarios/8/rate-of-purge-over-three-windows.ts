import { scenario } from '../../src/scenario/index.js';
import { RATE_WINDOW_MS } from '../../src/spec/rates.js';

export default scenario({
  title: 'wherever windows begin, nine purges do not fit into twenty-two seconds',
  needs: ['dedicated'],
  workers: 0,
  exclusive: true,
  script: (_, s) =>
    [0, 1, 2].map((window) => [
      s.pause(s.sinceStart(window * (RATE_WINDOW_MS + 500))),
      Array.from({ length: 6 }, () => s.purge()),
    ]),
});
