import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import {
  MINUTE_MS,
  RUNSYNC_RETENTION_MS,
  RUNSYNC_RETENTION_WITH_WAIT_MAX_MS,
} from '../../src/spec/limits.js';

export default scenario({
  title:
    'with wait, a result expires between the first and the fifth minute, permanently and for every operation',
  needs: ['scripted-worker'],
  workers: 2,
  draw: (arb, limits) => {
    assertWithinLimits(limits, RUNSYNC_RETENTION_WITH_WAIT_MAX_MS + limits.marginMs);
    return { marginMs: arb.margin(limits) };
  },
  script: ({ marginMs }, s) => [
    s.runsync(['read', 'cancelled'], { plan: s.works(500), wait: 5_000 }),
    s.status('cancelled', { at: s.after('cancelled', 'ended', RUNSYNC_RETENTION_MS).plus(marginMs) }),
    s.cancel('cancelled'),
    [1, 2, 3].map((minutes) => [
      s.status('read', { at: s.after('read', 'ended', RUNSYNC_RETENTION_MS + minutes * MINUTE_MS).plus(0) }),
      s.status('read'),
    ]),
    s.status('read', {
      at: s.after('read', 'ended', RUNSYNC_RETENTION_WITH_WAIT_MAX_MS).plus(marginMs),
    }),
    s.cancel('read'),
  ],
});
