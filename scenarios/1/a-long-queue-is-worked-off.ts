import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'of a long queue every job is run, the first and the last included',
  exercises: ['1/every-job-is-processed', '4.8/counts-in-queue'],
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  workers: 2,
  exclusive: true,
  draw: (arb) => ({ jobs: arb.integer(105, 140) }),
  script: ({ jobs }, s, { marginMs }) => {
    const labels = Array.from({ length: jobs }, (_, i) => `job-${i}`);
    return [
      ['a', 'b'].map((job) => [s.blocker(job), s.awaitStarted(job)]),
      labels.map((job, i) => s.run(job, { plan: [{ return: i }] })),
      s.health({ at: s.wait(marginMs) }),
      ['a', 'b'].map((job) => s.cancel(job)),
      s.await(labels.at(-1)!, s.ended, { withinMs: 120_000, everyMs: 1_000 }),
      s.pause(s.wait(marginMs)),
      labels.map((job) => s.status(job)),
    ];
  },
});
