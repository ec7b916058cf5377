import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a failed job of /runsync can be retried and read like any other',
  onlyWith: {
    '4.6/retried-job-runs': { needs: ['worker-count-known'] },
    '4.6/keeps-input': { needs: ['worker-count-known'] },
  },
  needs: ['scripted-worker'],
  script: (_, s) => [
    s.runsync('job', { plan: [{ fail: 'once' }], planOnRetry: s.works(1_000, 'second run') }),
    s.retry('job'),
    s.await('job'),
  ],
});
