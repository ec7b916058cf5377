import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a running job with lowPriority keeps running when a job without it is submitted',
  exercises: ['3/no-return-to-queue', '1/waits-when-no-worker-free', '1/freed-worker-takes-waiting-job'],
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  draw: (arb, limits) => ({ workMs: arb.sleep(limits, 2_000, 10_000) }),
  script: ({ workMs }, s) => [
    s.run('low', { plan: s.works(workMs), policy: { lowPriority: true } }),
    s.awaitStarted('low'),
    s.run('other', { plan: s.works(500) }),
    ['low', 'other'].map((job) => s.status(job, { at: s.wait(Math.floor(workMs / 5)) })),
    ['low', 'other'].map((job) => s.await(job, s.ended, { withinMs: 2 * workMs + 60_000, everyMs: 250 })),
  ],
});
