import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'an allowance that is used up does not come back piece by piece within its ten seconds',
  exercises: ['8/rate-purge-queue-above', '1/json-error-body-429'],
  needs: ['dedicated'],
  workers: 0,
  exclusive: true,
  script: (_, s) => [
    s.purge(),
    s.purge(),
    // Six calls in eight seconds: whichever way windows are cut, two of them are too many.
    [2_000, 4_000, 6_000, 8_000].map((ms) => s.purge({ at: s.sinceStart(ms) })),
    s.health(),
  ],
});
