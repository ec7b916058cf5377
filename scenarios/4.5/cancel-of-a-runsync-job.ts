import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a job of /runsync whose call was answered can be cancelled',
  script: (_, s, { marginMs }) => [
    s.runsync('job', { plan: s.works(5_000), wait: 1_000 }),
    // What the call answers when its `wait` elapses is not shown.
    s.awaitStarted('job'),
    s.cancel('job'),
    s.status('job'),
    s.status('job', { at: s.after('job', 'cancelled', 5_000).plus(marginMs) }),
  ],
});
