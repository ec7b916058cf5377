import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a failed job of /runsync can be retried and read like any other',
  exercises: [
    '4.6/retries-runsync-job',
    '3/retry-requeues-failed',
    '4.6/retried-job-runs',
    '4.6/keeps-input',
  ],
  onlyWith: {
    '4.6/retried-job-runs': { needs: ['worker-count-known'] },
    '4.6/keeps-input': { needs: ['worker-count-known'] },
  },
  needs: ['scripted-worker'],
  script: (_, s) => [
    s.runsync('job', { plan: [{ fail: 'once' }], planOnRetry: s.works(1_000, 'second run') }),
    s.retry('job'),
    s.await('job', s.ended, { withinMs: 60_000, everyMs: 250 }),
  ],
});
