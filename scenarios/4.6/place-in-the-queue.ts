import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'the order of two jobs that are retried while another one waits',
  exercises: ['3/retry-requeues-failed', '4.6/retried-job-runs', '1/no-more-jobs-in-progress-than-workers'],
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  script: (_, s) => {
    const fails = { plan: [{ fail: 'on purpose' }] as const, planOnRetry: s.works(3_000) };
    return [
      s.run('first', fails),
      s.run('second', { ...fails, at: s.wait(1_000) }),
      ['first', 'second'].map((job) => s.await(job, s.ended, { withinMs: 60_000, everyMs: 250 })),
      s.blocker('blocker'),
      s.awaitStarted('blocker'),
      s.run('third', { plan: s.works(3_000), at: s.wait(1_000) }),
      s.run('fourth', { plan: s.works(3_000), at: s.wait(1_000) }),
      s.retry('first'),
      s.retry('second'),
      // Twice within the time that it would run.
      [1, 2].map(() => s.status('first', { at: s.wait(1_000) })),
      s.status('blocker'),
      ['first', 'second', 'third', 'fourth'].map((job) => s.status(job, { at: s.wait(2_000) })),
      s.cancel('blocker', { at: s.wait(2_000) }),
      ['first', 'second', 'third', 'fourth'].map((job) =>
        s.lane(
          job,
          s.await(job, ['IN_PROGRESS', ...s.ended], {
            withinMs: 60_000,
            everyMs: 250,
            at: s.after('blocker', 'cancelled').plus(1),
          }),
          s.await(job, s.ended, { withinMs: 60_000, everyMs: 250 }),
        ),
      ),
    ];
  },
});
