import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a call is answered when a purge removes its job',
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  exclusive: true,
  script: (_, s) => [
    s.blocker('blocker'),
    s.awaitStarted('blocker'),
    s.lane('caller', s.runsync('job', { plan: s.works(100), wait: 60_000 })),
    s.purge({ at: s.after('job', 'submitted', 2_000).plus(0) }),
    s.health(),
    s.cancel('blocker', { at: s.wait(5_000) }),
  ],
});
