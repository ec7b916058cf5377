import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { RUNSYNC_RETENTION_MS, WAIT_DEFAULT_MS } from '../../src/spec/limits.js';
import { looksTwice, RETENTION_GONE } from '../retention-looks.js';

export default scenario({
  title: 'reading a result repeatedly does not keep it longer than a minute',
  onlyWith: {
    '4.1/retention-gone': RETENTION_GONE,
    '4.1/retention-not-restarted-by-reading': RETENTION_GONE,
  },
  needs: ['scripted-worker'],
  draw: (arb, limits) => {
    assertWithinLimits(limits, RUNSYNC_RETENTION_MS + limits.marginMs);
    return { marginMs: arb.margin(limits) };
  },
  script: ({ marginMs }, s, limits) => [
    s.runsync('job', { plan: s.works(500, { read: 'often' }) }),
    [10_000, 25_000, 40_000, 50_000].map((ms) => [
      s.status('job', { at: s.after('job', 'ended', ms).plus(0) }),
      s.stream('job'),
      s.health(),
      s.requests(),
    ]),
    s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_MS).plus(marginMs) }),
    looksTwice(limits)
      ? s.status('job', { at: s.after('job', 'ended', WAIT_DEFAULT_MS).plus(marginMs) })
      : [],
  ],
});
