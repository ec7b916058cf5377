import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { SECOND_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a job that failed, timed out or was cancelled can still be read, and retried, 45 seconds later',
  needs: ['scripted-worker'],
  draw: (_, limits) => {
    assertWithinLimits(limits, 45 * SECOND_MS);
    return {};
  },
  script: (_, s) => {
    const fails = { plan: [{ fail: 'on purpose' }], planOnRetry: s.works(100) };
    const jobs = ['failed', 'sync', 'timed out', 'cancelled'];
    return [
      s.run('failed', fails),
      s.runsync('sync', fails),
      s.run('timed out', {
        plan: [{ hang: true }],
        planOnRetry: s.works(100),
        policy: { executionTimeout: 5_000 },
      }),
      s.run('cancelled', { plan: [{ hang: true }] }),
      s.awaitStarted('cancelled'),
      s.cancel('cancelled'),
      s.await(jobs, s.ended, { everyMs: 500 }),
      s.pause(s.wait(20 * SECOND_MS)),
      s.status(jobs),
      s.pause(s.wait(25 * SECOND_MS)),
      s.status(jobs),
      ['failed', 'sync', 'timed out'].map((job) => [s.retry(job), s.status(job)]),
      s.await(['failed', 'sync', 'timed out'], s.ended, { everyMs: 500 }),
    ];
  },
});
