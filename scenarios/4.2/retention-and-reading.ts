import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { MINUTE_MS, RUN_RETENTION_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'reading a result repeatedly does not keep it longer than thirty minutes',
  needs: ['scripted-worker'],
  draw: (arb, limits) => {
    assertWithinLimits(limits, RUN_RETENTION_MS + limits.marginMs);
    return { marginMs: arb.margin(limits) };
  },
  script: ({ marginMs }, s) => [
    s.run('job', { plan: s.works(300, { read: 'often' }) }),
    s.awaitStarted('job'),
    s.awaitEnded('job', 300, marginMs),
    [5, 15, 25, 29].map((minutes) => [
      s.status('job', { at: s.after('job', 'ended', minutes * MINUTE_MS).plus(0) }),
      s.stream('job'),
      s.health(),
      s.requests(),
    ]),
    s.status('job', { at: s.after('job', 'ended', RUN_RETENTION_MS).plus(marginMs) }),
  ],
});
