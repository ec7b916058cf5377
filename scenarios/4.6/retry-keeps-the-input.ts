import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'the second run is given the input of the submission, unchanged',
  onlyWith: {
    '4.6/retried-job-runs': { needs: ['worker-count-known'] },
  },
  needs: ['scripted-worker'],
  draw: (arb) => ({ input: arb.jsonObject() }),
  script: ({ input }, s) => [
    s.run('job', { input: { ...input, plan: [{ fail: 'once' }], planOnRetry: [{ echo: true }] } }),
    s.await('job'),
    s.retry('job'),
    s.await('job'),
  ],
});
