import { scenario } from '../../src/scenario/index.js';
import { WAIT_MIN_MS } from '../../src/spec/limits.js';

/** Jobs in front of it: for a worker that takes a fifth of a second each, beyond all that is allowed for lateness and network. */
const AHEAD = 40;

export default scenario({
  title: 'with any worker, a call whose job waits behind others is answered when its wait has passed',
  script: (_, s) => [
    s.burst('run', AHEAD, { plan: s.works(300) }),
    s.runsync('waits', { plan: s.works(300), wait: WAIT_MIN_MS }),
    s.status('waits'),
    s.cancel('waits'),
    s.status('waits'),
  ],
});
