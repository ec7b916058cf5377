import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a running job with lowPriority keeps running when a job without it is submitted',
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  draw: (arb, limits) => ({ workMs: arb.sleep(limits, 2_000, 10_000) }),
  script: ({ workMs }, s) => [
    s.run('low', { plan: s.works(workMs), policy: { lowPriority: true } }),
    s.awaitStarted('low'),
    s.run('other', { plan: s.works(500) }),
    s.status(['low', 'other'], { at: s.wait(Math.floor(workMs / 5)) }),
    s.await(['low', 'other'], s.ended, { withinMs: 2 * workMs + 60_000, everyMs: 250 }),
  ],
});
