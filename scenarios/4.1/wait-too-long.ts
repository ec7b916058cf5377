import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { WAIT_MAX_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a wait above five minutes is refused, or the call waits five minutes at most',
  needs: ['scripted-worker'],
  draw: (arb, limits) => {
    assertWithinLimits(limits, WAIT_MAX_MS + 60_000 + 2 * limits.marginMs);
    return { marginMs: arb.margin(limits) };
  },
  script: ({ marginMs }, s) => [
    s.runsync('job', {
      plan: s.works(WAIT_MAX_MS + 60_000 + 2 * marginMs),
      // A client that expects an answer within the longest wait gives up half a minute after it.
      wait: WAIT_MAX_MS + 20_000,
      illegal: 'wait-above-maximum',
    }),
    s.cancel('job'),
  ],
});
