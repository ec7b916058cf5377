import { scenario } from '../../src/scenario/index.js';
import { MINUTE_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'the short executionTimeout of one job stops neither a concurrent nor a later job',
  needs: ['scripted-worker', 'worker-count-known'],
  workers: 2,
  exclusive: true,
  draw: (arb, limits) => ({
    timeoutMs: arb.executionTimeout(limits, {
      maxMs: Math.min(4 * MINUTE_MS, Math.floor(limits.maxWaitMs / 4)),
    }),
    longerMs: arb.duration(2 * limits.marginMs + 1_000, 2 * limits.marginMs + 10_000),
    marginMs: arb.margin(limits),
  }),
  script: ({ timeoutMs, longerMs, marginMs }, s) => [
    s.run('short', { plan: [{ hang: true }], policy: { executionTimeout: timeoutMs } }),
    s.run('beside', { plan: s.works(2 * timeoutMs + longerMs) }),
    s.awaitStarted('short'),
    s.run('next', { plan: s.works(timeoutMs + longerMs) }),
    s.status('short', { at: s.after('short', 'started', timeoutMs).plus(marginMs) }),
    s.awaitStarted('next'),
    s.status('beside'),
    s.status('next', { at: s.after('next', 'started', timeoutMs).plus(marginMs) }),
    s.status('beside'),
    s.awaitEnded('next', timeoutMs + longerMs, marginMs),
    s.await('beside', s.ended, { withinMs: timeoutMs + 2 * longerMs + 30_000 }),
  ],
});
