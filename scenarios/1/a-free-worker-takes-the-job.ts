import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a job submitted to an idle worker starts, runs and completes',
  needs: ['scripted-worker', 'worker-count-known'],
  draw: (arb, limits) => ({
    workMs: arb.sleep(limits, Math.max(1_000, 3 * limits.marginMs), 30_000),
    marginMs: arb.margin(limits),
  }),
  script: ({ workMs, marginMs }, s) => [
    s.run('job', { plan: s.works(workMs, { answer: 42 }) }),
    s.status('job'),
    s.awaitStarted('job'),
    s.status('job', { at: s.after('job', 'started', workMs).minus(marginMs) }),
    s.awaitEnded('job', workMs, marginMs),
    s.status('job', { at: s.wait(3_000) }),
  ],
});
