import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { WAIT_MAX_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'the longest wait takes effect in full',
  needs: ['scripted-worker'],
  draw: (_, limits) => {
    assertWithinLimits(limits, WAIT_MAX_MS + limits.marginMs);
    return {};
  },
  script: (_, s) => [s.runsync('job', { plan: [{ hang: true }], wait: WAIT_MAX_MS }), s.cancel('job')],
});
