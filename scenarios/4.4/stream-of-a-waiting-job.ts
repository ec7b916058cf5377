import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a job that waits has no chunks yet, and loses none of those to come',
  exercises: ['4.4/chunks-not-invented', '4.4/answer-is-array', '4.4/chunks-not-lost'],
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  script: (_, s) => [
    s.blocker('blocker'),
    s.awaitStarted('blocker'),
    s.run('job', { plan: [{ stream: 1 }, { stream: 2 }, { return: 'end' }] }),
    s.stream('job'),
    s.status('job'),
    s.cancel('blocker'),
    s.await('job', s.ended, { withinMs: 60_000, everyMs: 250 }),
    s.stream('job'),
  ],
});
