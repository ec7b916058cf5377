import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a job that runs longer than its executionTimeout is stopped and stays stopped',
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({
    timeoutMs: arb.executionTimeout(limits),
    marginMs: arb.margin(limits),
    longerMs: arb.duration(2 * limits.marginMs + 1_000, 2 * limits.marginMs + 3_000),
  }),
  script: ({ timeoutMs, marginMs, longerMs }, s) => [
    s.run('job', {
      plan: s.works(timeoutMs + longerMs),
      policy: { ...s.noTimeouts, executionTimeout: timeoutMs },
    }),
    s.awaitStarted('job'),
    // The ttl that it has already, set again by `/status`: a timer of its own.
    s.status('job', { ttl: s.noTimeouts.ttl }),
    s.status('job', {
      at: s.after('job', 'started', timeoutMs).minus(Math.min(marginMs, Math.floor(timeoutMs / 5))),
    }),
    s.status('job', { at: s.after('job', 'started', timeoutMs).plus(marginMs) }),
    s.status('job', { at: s.after('job', 'started', timeoutMs + longerMs).plus(marginMs) }),
  ],
});
