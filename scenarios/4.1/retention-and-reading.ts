import { fits, scenario } from '../../src/scenario/index.js';
import { RUNSYNC_RETENTION_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'reading a result again and again does not keep it longer than its minute',
  exercises: ['4.1/retention-not-restarted-by-reading', '4.1/retention-gone', '4.3/reading-does-not-consume'],
  needs: ['scripted-worker'],
  draw: (arb, limits) => {
    fits(limits, RUNSYNC_RETENTION_MS + limits.marginMs);
    return { marginMs: arb.margin(limits) };
  },
  script: ({ marginMs }, s) => [
    s.runsync('job', { plan: s.works(500, { read: 'often' }) }),
    [10_000, 25_000, 40_000, 50_000].map((ms) => [
      s.status('job', { at: s.after('job', 'ended', ms).plus(0) }),
      s.stream('job'),
    ]),
    s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_MS).plus(marginMs) }),
  ],
});
