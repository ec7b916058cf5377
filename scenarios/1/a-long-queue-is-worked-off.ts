import { scenario } from '../../src/scenario/index.js';

/** More than the sizes at which queues are usually cut, and than a worker is usually trusted with. */
const JOBS = 121;

export default scenario({
  title: 'of a long queue every job is run, the first and the last included',
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  workers: 2,
  exclusive: true,
  script: (_, s, { marginMs }) => {
    const labels = Array.from({ length: JOBS }, (__, i) => `job-${i}`);
    return [
      ['a', 'b'].map((job) => [s.blocker(job), s.awaitStarted(job)]),
      labels.map((job, i) => s.run(job, { plan: [{ return: i }] })),
      s.health({ at: s.wait(marginMs) }),
      s.cancel(['a', 'b']),
      s.await(labels.at(-1)!, s.ended, { withinMs: 120_000, everyMs: 1_000 }),
      s.pause(s.wait(marginMs)),
      s.status(labels),
    ];
  },
});
