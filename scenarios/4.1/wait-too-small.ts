import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a wait below one second is refused, or the call waits at least a second',
  exercises: ['4.1/wait-min-enforced'],
  needs: ['scripted-worker'],
  draw: (arb) => ({ waitMs: arb.oneOf(999, 500, 1, 0, -1, -5_000) }),
  script: ({ waitMs }, s) => [
    s.runsync('job', { plan: [{ hang: true }], wait: waitMs, illegal: 'wait-below-minimum' }),
    s.cancel('job'),
  ],
});
