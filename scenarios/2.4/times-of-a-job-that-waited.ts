import { scenario } from '../../src/scenario/index.js';
import { HOUR_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'delayTime is how long a job waited and executionTime how long it ran, neither includes the other',
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  draw: (arb, limits) => {
    const leastMs = Math.max(2_000, 4 * limits.marginMs);
    const mostMs = Math.max(leastMs, Math.min(5 * HOUR_MS, Math.floor(limits.maxWaitMs / 2)));
    return {
      // Where waiting is free, hours: a display that leaves them out is detected.
      waitMs: arb.duration(mostMs > 2 * HOUR_MS ? HOUR_MS + leastMs : leastMs, mostMs),
      workMs: arb.duration(leastMs, mostMs),
      marginMs: arb.margin(limits),
    };
  },
  script: ({ waitMs, workMs, marginMs }, s) => [
    s.blocker('blocker'),
    s.awaitStarted('blocker'),
    s.run('job', { plan: s.works(workMs), policy: s.noTimeouts }),
    s.status('job', { at: s.wait(Math.floor(waitMs / 2)) }),
    s.status('job', { at: s.after('job', 'submitted', waitMs).plus(0) }),
    s.cancel('blocker'),
    s.awaitStarted('job'),
    s.status('job', { at: s.wait(Math.floor(workMs / 2)) }),
    s.awaitEnded('job', workMs, marginMs),
    s.status('job', { at: s.wait(5_000) }),
  ],
});
