import { scenario } from '../../src/scenario/index.js';

export default scenario.each({}, (one) => ({
  'cancel-of-a-runsync-job': one({
    title: 'a job of /runsync whose call was answered can be cancelled',
    script: (_, s, { marginMs }) => [
      s.runsync('job', { plan: s.works(5_000), wait: 1_000 }),
      // What the call answers when its `wait` elapses is not shown.
      s.awaitStarted('job'),
      s.cancel('job'),
      s.status('job'),
      s.status('job', { at: s.after('job', 'cancelled', 5_000).plus(marginMs) }),
    ],
  }),
  'cancel-of-a-waiting-runsync-job': one({
    title: 'a job of /runsync that still waits can be cancelled',
    needs: ['scripted-worker', 'worker-count-known'],
    exclusive: true,
    script: (_, s) => [
      s.blocker('blocker'),
      s.awaitStarted('blocker'),
      s.runsync('job', { plan: s.works(100), wait: 1_000 }),
      s.status('job'),
      s.cancel('job'),
      s.status('job'),
      s.cancel('blocker', { at: s.wait(1_000) }),
      s.status('job', { at: s.wait(2_000) }),
    ],
  }),
}));
