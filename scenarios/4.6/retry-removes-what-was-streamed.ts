import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'from the retry on, output and chunks are those of the new run alone',
  onlyWith: {
    '4.6/removes-stream': { needs: ['worker-count-known'] },
    '4.6/retried-job-runs': { needs: ['worker-count-known'] },
    '4.4/chunks-not-invented': { needs: ['worker-count-known'] },
  },
  needs: ['scripted-worker'],
  script: (_, s) => [
    s.run('job', {
      plan: [{ stream: 'old 1' }, { stream: 'old 2' }, { fail: 'once' }],
      planOnRetry: [
        { stream: 'new 1' },
        { stream: 'new 2' },
        { sleepMs: 2_000 },
        { stream: 'new 3' },
        { stream: 'new 4' },
        { return: 'new' },
      ],
    }),
    s.await('job'),
    s.stream('job'),
    s.retry('job'),
    s.status('job'),
    s.stream('job', { at: s.wait(1_000) }),
    s.status('job'),
    s.await('job'),
    s.stream('job'),
  ],
});
