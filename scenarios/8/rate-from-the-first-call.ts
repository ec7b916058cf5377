import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'whether a window begins with the first call or by the clock',
  needs: ['dedicated'],
  exclusive: true,
  script: (_, s) =>
    // Four are accepted by 10.2 s where windows are fixed, by the clock or from the first call; at 31 s only
    // by the clock.
    [0, 9_000, 10_100, 10_200, 25_000, 26_000, 31_000].map((ms) => s.purge({ at: s.sinceStart(ms) })),
});
