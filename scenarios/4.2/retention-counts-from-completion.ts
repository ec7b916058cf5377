import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { HOUR_MS, MINUTE_MS, RUN_RETENTION_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a job that waited and ran for hours is still readable for thirty minutes',
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  draw: (arb, limits) => {
    assertWithinLimits(limits, 2 * HOUR_MS);
    return {
      queueMs: arb.duration(31 * MINUTE_MS, 2 * HOUR_MS),
      workMs: arb.duration(31 * MINUTE_MS, 12 * HOUR_MS),
      marginMs: arb.margin(limits),
    };
  },
  script: ({ queueMs, workMs, marginMs }, s) => [
    s.blocker('blocker'),
    s.awaitStarted('blocker'),
    s.run('job', { plan: s.works(workMs), policy: s.noTimeouts }),
    s.status('job', { at: s.after('job', 'submitted', queueMs).plus(0) }),
    s.cancel('blocker'),
    s.awaitStarted('job'),
    s.awaitEnded('job', workMs, marginMs),
    s.status('job', { at: s.after('job', 'ended', RUN_RETENTION_MS).minus(marginMs) }),
    s.status('job', { at: s.after('job', 'ended', RUN_RETENTION_MS).plus(marginMs) }),
  ],
});
