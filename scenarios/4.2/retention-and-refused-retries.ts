import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { MINUTE_MS, RUN_RETENTION_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'retries and cancels that come too late do not keep a result longer than thirty minutes',
  needs: ['scripted-worker'],
  draw: (arb, limits) => {
    assertWithinLimits(limits, RUN_RETENTION_MS + limits.marginMs);
    return { marginMs: arb.margin(limits) };
  },
  script: ({ marginMs }, s) => [
    s.run('cancelled', { plan: [{ return: 'too late' }] }),
    s.await('cancelled'),
    s.run('job', { plan: s.works(300) }),
    s.awaitStarted('job'),
    s.awaitEnded('job', 300, marginMs),
    [1, 10, 20, 28].map((minutes) => [
      s.retry('job', { at: s.after('job', 'ended', minutes * MINUTE_MS).plus(0) }),
    ]),
    s.status('job'),
    s.cancel('cancelled'),
    s.status('cancelled'),
    s.status('cancelled', { at: s.after('cancelled', 'ended', RUN_RETENTION_MS).plus(marginMs) }),
    s.status('job', { at: s.after('job', 'ended', RUN_RETENTION_MS).plus(marginMs) }),
  ],
});
