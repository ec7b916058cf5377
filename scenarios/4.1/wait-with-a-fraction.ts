import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { WAIT_DEFAULT_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a wait with a fraction is refused, or accepted by one of several readings',
  needs: ['scripted-worker'],
  draw: (arb, limits) => {
    assertWithinLimits(limits, WAIT_DEFAULT_MS + limits.marginMs);
    return { text: arb.oneOf('1500.5', '2500.25') };
  },
  script: ({ text }, s) => [
    s.runsync('job', { plan: [{ hang: true }], policy: s.noTimeouts, wait: text, illegal: 'wait-fraction' }),
    s.cancel('job'),
  ],
});
