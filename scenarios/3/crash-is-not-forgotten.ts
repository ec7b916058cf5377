import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { HOUR_MS, MINUTE_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a job whose worker crashed does not stay IN_PROGRESS forever',
  exercises: ['1/every-job-is-processed'],
  needs: ['scripted-worker'],
  draw: (arb, limits) => {
    assertWithinLimits(limits, 2 * HOUR_MS);
    // One worker may have died for each of these reads, each after its work.
    return {
      workMs: arb.duration(0, 2_000),
      laterMs: arb.duration(HOUR_MS + 10 * MINUTE_MS, 2 * HOUR_MS - MINUTE_MS),
    };
  },
  script: ({ workMs, laterMs }, s) => [
    s.run('job', { plan: [{ sleepMs: workMs }, { crash: true }], policy: s.noTimeouts }),
    s.awaitStarted('job'),
    s.status('job', { at: s.wait(laterMs) }),
  ],
});
