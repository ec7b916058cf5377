import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'after a retry the job keeps its id',
  exercises: [
    '2.4/id-kept-across-retry',
    '2.4/id-matches-retry',
    '2.4/id-in-retry',
    '2.4/id-unique',
    '4.6/retried-job-runs',
  ],
  onlyWith: { '4.6/retried-job-runs': { needs: ['worker-count-known'] } },
  needs: ['scripted-worker'],
  script: (_, s) => [
    s.run('job', { plan: [{ fail: 'once' }], planOnRetry: [{ return: 'second run' }] }),
    s.await('job', s.ended, { withinMs: 60_000, everyMs: 250 }),
    s.retry('job'),
    s.status('job'),
    s.run('new'),
    s.await('job', s.ended, { withinMs: 60_000, everyMs: 250 }),
  ],
});
