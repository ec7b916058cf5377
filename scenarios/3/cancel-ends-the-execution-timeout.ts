import { scenario } from '../../src/scenario/index.js';
import { MINUTE_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a cancelled job does not become timed out when its executionTimeout passes',
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({
    timeoutMs: arb.executionTimeout(limits, { maxMs: 10 * MINUTE_MS }),
    marginMs: arb.margin(limits),
  }),
  script: ({ timeoutMs, marginMs }, s) => [
    s.run('job', { plan: [{ hang: true }], policy: { executionTimeout: timeoutMs } }),
    s.awaitStarted('job'),
    s.cancel('job', { at: s.wait(Math.floor(timeoutMs / 2)) }),
    s.status('job', { at: s.after('job', 'started', timeoutMs).plus(marginMs) }),
  ],
});
