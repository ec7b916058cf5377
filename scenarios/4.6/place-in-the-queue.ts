import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'the order of two jobs that are retried while another one waits',
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  script: (_, s) => {
    const fails = { plan: [{ fail: 'on purpose' }] as const, planOnRetry: s.works(3_000) };
    return [
      s.run('first', fails),
      s.run('second', { ...fails, at: s.wait(1_000) }),
      s.await(['first', 'second']),
      s.blocker('blocker'),
      s.awaitStarted('blocker'),
      s.run('third', { plan: s.works(3_000), at: s.wait(1_000) }),
      s.run('fourth', { plan: s.works(3_000), at: s.wait(1_000) }),
      s.retry('first'),
      s.retry('second'),
      // Twice within the time that it would run.
      [1, 2].map(() => s.status('first', { at: s.wait(1_000) })),
      s.status('blocker'),
      s.status(['first', 'second', 'third', 'fourth'], { at: s.wait(2_000) }),
      s.cancel('blocker', { at: s.wait(2_000) }),
      ['first', 'second', 'third', 'fourth'].map((job) =>
        s.lane(
          job,
          s.await(job, ['IN_PROGRESS', ...s.ended], { at: s.after('blocker', 'cancelled').plus(1) }),
          s.await(job),
        ),
      ),
    ];
  },
});
