import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'after a retry the job keeps its id',
  onlyWith: { '4.6/retried-job-runs': { needs: ['worker-count-known'] } },
  needs: ['scripted-worker'],
  script: (_, s) => [
    s.run('job', { plan: [{ fail: 'once' }], planOnRetry: [{ return: 'second run' }] }),
    s.await('job'),
    s.retry('job'),
    s.status('job'),
    s.run('new'),
    s.await('job'),
  ],
});
