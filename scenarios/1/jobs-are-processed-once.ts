import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'with several idle workers each job is still run once',
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
      s.await(labels, s.ended, { everyMs: 500 }),
      labels.map((label) => [s.stream(label), s.status(label, { at: s.wait(500) })]),
      s.health({ at: s.wait(marginMs) }),
    ];
  },
});
