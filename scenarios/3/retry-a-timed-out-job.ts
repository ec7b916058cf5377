import { scenario } from '../../src/scenario/index.js';
import { HOUR_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a job that its executionTimeout has ended can be retried, and is timed again',
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({
    timeoutMs: arb.executionTimeout(limits, { maxMs: HOUR_MS }),
    marginMs: arb.margin(limits),
  }),
  script: ({ timeoutMs, marginMs }, s) => [
    s.run('job', { plan: [{ hang: true }], policy: { ...s.noTimeouts, executionTimeout: timeoutMs } }),
    s.awaitStarted('job'),
    s.await('job', s.timedOut, {
      withinMs: 2 * marginMs + 10_000,
      everyMs: 500,
      at: s.after('job', 'started', timeoutMs).plus(marginMs),
    }),
    s.retry('job'),
    s.awaitStarted('job'),
    s.status('job', { at: s.after('job', 'started', timeoutMs).minus(marginMs) }),
    s.status('job', { at: s.after('job', 'started', timeoutMs).plus(marginMs) }),
    s.retry('job'),
    s.awaitStarted('job'),
    s.cancel('job', { at: s.wait(500) }),
  ],
});
