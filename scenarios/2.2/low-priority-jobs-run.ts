import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a job of low priority runs when a worker is idle',
  exercises: [
    '2.2/low-priority-accepted-true',
    '2.2/low-priority-accepted-false',
    '2.2/low-priority-job-runs',
  ],
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  script: (_, s) => [
    s.run('low', { plan: s.works(300), policy: { lowPriority: true } }),
    s.awaitStarted('low'),
    s.await('low', s.ended, { withinMs: 60_000, everyMs: 250 }),
    s.run('normal', { plan: s.works(300), policy: { lowPriority: false } }),
    s.await('normal', s.ended, { withinMs: 60_000, everyMs: 250 }),
  ],
});
