import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, TTL_DEFAULT_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'with ttl and executionTimeout set, a job runs longer than a day and completes',
  needs: ['scripted-worker'],
  draw: (arb, limits) => {
    assertWithinLimits(limits, 2 * DAY_MS);
    return { workMs: arb.duration(DAY_MS + MINUTE_MS, 2 * DAY_MS - HOUR_MS), marginMs: arb.margin(limits) };
  },
  script: ({ workMs, marginMs }, s) => [
    s.run('job', { plan: s.works(workMs), policy: { ttl: 3 * DAY_MS, executionTimeout: 3 * DAY_MS } }),
    s.awaitStarted('job'),
    s.status('job', { at: s.after('job', 'submitted', TTL_DEFAULT_MS).plus(marginMs) }),
    s.awaitEnded('job', workMs, marginMs),
  ],
});
