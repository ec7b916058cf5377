import { scenario } from '../../src/scenario/index.js';
import { MINUTE_MS, SECOND_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a job that its executionTimeout has ended is deleted at its ttl',
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({
    timeoutMs: arb.executionTimeout(limits, { maxMs: Math.min(MINUTE_MS, Math.floor(limits.maxWaitMs / 3)) }),
    restMs: arb.remainingBudget(
      limits,
      Math.floor(limits.maxWaitMs / 2),
      5 * SECOND_MS + 2 * limits.marginMs,
      10 * MINUTE_MS,
    ),
    marginMs: arb.margin(limits),
  }),
  script: ({ timeoutMs, restMs, marginMs }, s) => {
    const ttlMs = Math.max(10_000, timeoutMs + restMs);
    return [
      s.run('job', { plan: [{ hang: true }], policy: { executionTimeout: timeoutMs, ttl: ttlMs } }),
      s.awaitStarted('job'),
      s.awaitEnded('job', timeoutMs, marginMs),
      s.status('job', { at: s.after('job', 'submitted', ttlMs).minus(marginMs) }),
      s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(marginMs) }),
    ];
  },
});
