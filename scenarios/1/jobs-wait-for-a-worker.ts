import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'jobs wait while every worker is busy, and all of them run in the end',
  exercises: [
    '1/no-more-jobs-in-progress-than-workers',
    '1/freed-worker-takes-waiting-job',
    '1/every-job-is-processed',
    '3/submission-starts-in-queue',
    '4.8/counts-in-queue',
    '4.8/counts-in-progress',
    '4.8/counts-workers-running',
    '4.8/counts-workers-idle',
  ],
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
      labels.map((label) => s.status(label)),
      s.health(),
      s.pause(s.wait(Math.floor(workMs / 2))),
      labels.map((label) => s.status(label)),
      s.health(),
      s.pause(s.wait(workMs)),
      labels.map((label) => s.status(label)),
      s.health(),
      [...labels.slice(1), labels[0]!].map((label) =>
        s.await(label, s.ended, { withinMs: jobs * workMs + 60_000, everyMs: 500 }),
      ),
      s.health(),
    ];
  },
});
