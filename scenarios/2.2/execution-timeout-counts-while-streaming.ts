import { scenario } from '../../src/scenario/index.js';
import { HOUR_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a job that streams is stopped by its executionTimeout like any other',
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({
    timeoutMs: arb.executionTimeout(limits, { maxMs: HOUR_MS }),
    marginMs: arb.margin(limits),
  }),
  script: ({ timeoutMs, marginMs }, s) => [
    s.run('job', {
      plan: [
        { stream: 'at first' },
        { sleepMs: Math.floor(timeoutMs / 2) },
        { stream: 'half way' },
        { sleepMs: Math.floor(timeoutMs / 3) },
        { stream: 'near the end' },
        { hang: true },
      ],
      policy: { ...s.noTimeouts, executionTimeout: timeoutMs },
    }),
    s.awaitStarted('job'),
    s.status('job', {
      at: s.after('job', 'started', timeoutMs).minus(Math.min(marginMs, Math.floor(timeoutMs / 5))),
    }),
    // Calls that only read: none of them gives it more time.
    s.stream('job'),
    s.health(),
    s.requests(),
    s.status('job', { at: s.after('job', 'started', timeoutMs).plus(marginMs) }),
    s.stream('job', { at: s.wait(3_000) }),
    s.cancel('job'),
  ],
});
