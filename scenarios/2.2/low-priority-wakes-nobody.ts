import { assertWithinLimits, scenario } from '../../src/scenario/index.js';

/** How long an endpoint may take to stop its idle workers. */
const SCALE_DOWN_MS = 30_000;
/** The sum of all waits, which come one after the other. */
const LASTS_MS = 200_000;
const LOOKS = [1, 2, 3, 4, 5, 6];

export default scenario({
  title:
    'alone on an endpoint without workers, a job with lowPriority starts no worker, and one without it does',
  needs: ['dedicated', 'scales-from-zero'],
  exclusive: true,
  // The next jobs show what a worker was started for.
  draw: (_, limits) => {
    assertWithinLimits(limits, LASTS_MS);
    return {};
  },
  script: (_, s) =>
    ['', ' again'].map((round) => {
      const alone = (job: string, lowPriority?: boolean) => [
        s.health(),
        s.health({ at: s.wait(10_000) }),
        s.run(job, {
          plan: s.works(100),
          policy: { ttl: 3_600_000, ...(lowPriority === undefined ? {} : { lowPriority }) },
        }),
      ];
      const started = { withinMs: 60_000, everyMs: 1_000 };
      return [
        s.pause(s.wait(SCALE_DOWN_MS)),
        alone(`low${round}`, true),
        LOOKS.map(() => [s.status(`low${round}`, { at: s.wait(5_000) }), s.health()]),
        s.cancel(`low${round}`),
        alone(`plain${round}`),
        s.await(`plain${round}`, ['IN_PROGRESS', ...s.ended], started),
        s.cancel(`plain${round}`),
        alone(`high${round}`, false),
        s.await(`high${round}`, ['IN_PROGRESS', ...s.ended], started),
        s.cancel(`high${round}`),
      ];
    }),
});
