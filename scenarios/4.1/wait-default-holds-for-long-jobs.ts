import { ExceedsLimits, assertWithinLimits, scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'without wait, a call still waits for a job that takes more than a minute',
  needs: ['scripted-worker'],
  draw: (arb, limits) => {
    assertWithinLimits(limits, 80_000);
    // It occupies a worker for all that time; where this wait fits, the whole default wait can be tested
    // instead.
    if (limits.preferredWaitMaxMs !== undefined) throw new ExceedsLimits('covered by 4.1/wait-default');
    return { workMs: arb.duration(61_000, 80_000) };
  },
  script: ({ workMs }, s) => [s.runsync('job', { plan: s.works(workMs) })],
});
