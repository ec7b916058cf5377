import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a retried job is given its s3Config again',
  exercises: ['2.3/kept-across-retry', '4.6/retried-job-runs'],
  needs: ['scripted-worker'],
  script: (_, s) => [
    s.run('job', {
      plan: [{ fail: 'once' }],
      planOnRetry: [{ s3Config: true }],
      s3Config: {
        accessId: 'AKIA',
        accessSecret: 'secret',
        bucketName: 'b',
        endpointUrl: 'https://s3.example.com',
      },
    }),
    s.await('job', s.ended, { withinMs: 60_000, everyMs: 250 }),
    s.retry('job'),
    s.await('job', s.ended, { withinMs: 60_000, everyMs: 250 }),
  ],
});
