import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { HOUR_MS, MINUTE_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a crashed job does not stay IN_PROGRESS forever, nor its second run, nor one beside another job',
  needs: ['scripted-worker'],
  workers: 2,
  draw: (arb, limits) => {
    assertWithinLimits(limits, 2 * HOUR_MS);
    return { workMs: arb.duration(0, 2_000) };
  },
  script: ({ workMs }, s) => {
    const plan = [{ sleepMs: workMs }, { crash: true }] as const;
    const crashes = { plan, planOnRetry: plan, policy: s.noTimeouts };
    // Services notice a crash late, and may run the job again some times.
    const within = { withinMs: HOUR_MS, everyMs: MINUTE_MS };
    return [
      s.run('job', crashes),
      s.await('job', s.ended, within),
      s.retry('job'),
      s.run('beside', { plan: s.works(workMs + 60_000) }),
      s.run('other', crashes),
      s.await('job', s.ended, within),
      s.await('other', s.ended, within),
    ];
  },
});
