import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { MINUTE_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'chunks can still be read minutes later, while the job runs or after its end',
  needs: ['scripted-worker', 'worker-count-known'],
  workers: 2,
  draw: (arb, limits) => {
    assertWithinLimits(limits, 20 * MINUTE_MS);
    return { laterMs: arb.integer(90_000, 8 * MINUTE_MS) };
  },
  script: ({ laterMs }, s) => [
    s.run('ended', { plan: [{ stream: 'a' }, { sleepMs: 100 }, { stream: 'b' }, { stream: 'c' }] }),
    s.run('runs', {
      plan: [{ stream: 1 }, { sleepMs: 100 }, { stream: 2 }, { sleepMs: laterMs + 60_000 }, { stream: 3 }],
      policy: s.noTimeouts,
    }),
    s.await('ended'),
    s.awaitStarted('runs'),
    s.stream('runs', { at: s.after('runs', 'started', laterMs).plus(0) }),
    s.stream('ended'),
    s.await('runs', s.ended, { withinMs: 5 * MINUTE_MS, everyMs: 10_000 }),
    s.stream('runs', { at: s.wait(laterMs) }),
    s.stream('ended'),
  ],
});
