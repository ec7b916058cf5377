import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { SECOND_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a job that failed, timed out or was cancelled can still be read, and retried, 45 seconds later',
  exercises: [
    '3/failed-stays',
    '3/timed-out-stays',
    '3/cancelled-stays',
    '3/retry-requeues-failed',
    '3/retry-requeues-timed-out',
    '4.6/retries-runsync-job',
  ],
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
      jobs.map((job) => s.await(job, s.ended, { withinMs: 60_000, everyMs: 500 })),
      s.pause(s.wait(20 * SECOND_MS)),
      jobs.map((job) => s.status(job)),
      s.pause(s.wait(25 * SECOND_MS)),
      jobs.map((job) => s.status(job)),
      ['failed', 'sync', 'timed out'].map((job) => [s.retry(job), s.status(job)]),
      ['failed', 'sync', 'timed out'].map((job) => s.await(job, s.ended, { withinMs: 60_000, everyMs: 500 })),
    ];
  },
});
