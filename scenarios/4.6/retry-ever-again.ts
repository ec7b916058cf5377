import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a job that fails twelve times and is retried each time',
  needs: ['scripted-worker'],
  script: (_, s) => [
    s.run('job', { plan: [{ sleepMs: 500 }, { fail: 'on purpose' }] }),
    s.await('job'),
    Array.from({ length: 12 }, () => [s.retry('job'), s.await('job')]),
  ],
});
