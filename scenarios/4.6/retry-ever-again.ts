import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a job that fails twelve times and is retried each time',
  exercises: ['4.6/failed-again-can-be-retried', '3/retry-requeues-failed'],
  needs: ['scripted-worker'],
  script: (_, s) => [
    s.run('job', { plan: [{ sleepMs: 500 }, { fail: 'on purpose' }] }),
    s.await('job', s.ended, { withinMs: 60_000, everyMs: 250 }),
    Array.from({ length: 12 }, () => [
      s.retry('job'),
      s.await('job', s.ended, { withinMs: 60_000, everyMs: 250 }),
    ]),
  ],
});
