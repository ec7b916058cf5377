import { scenario } from '../../src/scenario/index.js';

/** Even a service that goes on waiting for nobody has stopped by then, and all jobs have ended. */
const LATER_MS = 75_000;
const WORK_MS = 50;

export default scenario({
  title: 'as many calls of /runsync as may be in progress are broken off; later ones are let in',
  needs: ['dedicated', 'load-allowed', 'test-control', 'worker-count-known', 'scripted-worker'],
  workers: 1,
  exclusive: true,
  script: (_, s) => [
    // While the worker is busy, none of the calls can be answered before it is broken off.
    s.run('first', { plan: s.works(2_000) }),
    s.awaitStarted('first'),
    s.burst('runsync', 400, { wait: 5_000, plan: s.works(WORK_MS), hangsUp: true }),
    s.burst('runsync', 3, { wait: 1_000, plan: s.works(WORK_MS), at: s.sinceStart(LATER_MS) }),
  ],
});
