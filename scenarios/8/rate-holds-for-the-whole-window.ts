import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a limit that is used up does not recover gradually within its ten seconds',
  needs: ['dedicated'],
  workers: 0,
  exclusive: true,
  script: (_, s) => [
    s.purge(),
    s.purge(),
    // Six calls in eight seconds: wherever windows begin, two of them exceed the limit.
    [2_000, 4_000, 6_000, 8_000].map((ms) => s.purge({ at: s.sinceStart(ms) })),
    s.health(),
  ],
});
