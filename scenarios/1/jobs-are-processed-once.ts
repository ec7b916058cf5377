import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'with several idle workers each job is still run once',
  exercises: [
    '1/job-processed-once',
    '1/every-job-is-processed',
    '4.8/counts-completed',
    '4.8/retried-counts-nothing-else',
    '4.4/chunks-not-duplicated',
  ],
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  workers: 4,
  exclusive: true,
  draw: (arb) => ({ jobs: arb.integer(1, 6) }),
  script: ({ jobs }, s, { marginMs }) => {
    const labels = Array.from({ length: jobs }, (_, i) => `job-${i}`);
    return [
      s.health(),
      labels.map((label, i) =>
        s.run(label, {
          plan: [{ stream: `only-${i}` }, { sleepMs: 1_000 }, { return: { job: i } }],
          planOnRetry: [{ return: 'ran twice' }],
        }),
      ),
      s.health({ at: s.wait(500) }),
      labels.map((label) => s.await(label, s.ended, { withinMs: 60_000, everyMs: 500 })),
      labels.map((label) => [s.stream(label), s.status(label, { at: s.wait(500) })]),
      s.health({ at: s.wait(marginMs) }),
    ];
  },
});
