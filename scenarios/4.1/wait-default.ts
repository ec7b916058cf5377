import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { WAIT_DEFAULT_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'without wait, a call whose job is still running is answered after 90 seconds, not before',
  needs: ['scripted-worker'],
  draw: (arb, limits) => {
    assertWithinLimits(limits, WAIT_DEFAULT_MS + limits.marginMs);
    return { marginMs: arb.margin(limits) };
  },
  script: ({ marginMs }, s, { graceMs }) => [
    // So long that a late answer cannot be the answer to its end.
    s.runsync('job', { plan: s.works(WAIT_DEFAULT_MS + marginMs + graceMs + 4_000) }),
    s.status('job'),
    s.cancel('job'),
  ],
});
