import { assertWithinLimits, scenario } from '../../src/scenario/index.js';

/** The endpoint is idle for more than a window, and the next round begins at another offset. */
const ROUND_MS = 27_500;

export default scenario({
  title: 'two purges, then others half a window and a window later, at several offsets of a fixed window',
  needs: ['dedicated', 'worker-count-known'],
  workers: 0,
  exclusive: true,
  draw: (_, limits) => {
    assertWithinLimits(limits, 3 * ROUND_MS + 11_000);
    return {};
  },
  script: (_, s) => [
    [0, 1, 2, 3].map((round) => [
      s.purge({ at: s.sinceStart(round * ROUND_MS) }),
      s.purge(),
      s.purge({ at: s.sinceStart(round * ROUND_MS + 5_600) }),
      s.purge(),
      s.purge(),
      s.purge({ at: s.sinceStart(round * ROUND_MS + 10_600) }),
      s.purge(),
    ]),
  ],
});
