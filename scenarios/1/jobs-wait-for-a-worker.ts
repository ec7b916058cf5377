import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'jobs wait while every worker is busy, and all of them run in the end',
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  workers: 2,
  exclusive: true,
  draw: (arb, limits) => ({ jobs: arb.integer(3, 7), workMs: arb.sleep(limits, 1_000, 5_000) }),
  script: ({ jobs, workMs }, s) => {
    const labels = Array.from({ length: jobs }, (_, i) => `job-${i}`);
    return [
      // The first works so long that whichever job waited for its worker alone would be seen to wait.
      labels.map((label, i) =>
        s.run(label, { plan: s.works(i === 0 ? jobs * workMs + 10_000 : workMs, { job: i }) }),
      ),
      s.status(labels),
      s.health(),
      s.pause(s.wait(Math.floor(workMs / 2))),
      s.status(labels),
      s.health(),
      s.pause(s.wait(workMs)),
      s.status(labels),
      s.health(),
      s.await([...labels.slice(1), labels[0]!], s.ended, { withinMs: jobs * workMs + 60_000, everyMs: 500 }),
      s.health(),
    ];
  },
});
