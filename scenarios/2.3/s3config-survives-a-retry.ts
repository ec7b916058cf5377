import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a retried job is given its s3Config again, and its secret appears nowhere else',
  onlyWith: {
    '2.3/kept-across-retry': { needs: ['worker-count-known'] },
    '4.6/retried-job-runs': { needs: ['worker-count-known'] },
  },
  needs: ['scripted-worker'],
  script: (_, s) => [
    s.run('job', {
      plan: [{ fail: 'once' }],
      planOnRetry: [{ s3Config: true }],
      s3Config: {
        accessId: 'AKIA',
        accessSecret: 'secret of the first job',
        bucketName: 'b',
        endpointUrl: 'https://s3.example.com',
      },
    }),
    s.await('job'),
    s.retry('job'),
    s.await('job'),
    s.run('stopped', {
      plan: [{ stream: 1 }, { hang: true }],
      s3Config: {
        accessId: 'AKIA-2',
        accessSecret: 'secret of the second job',
        bucketName: 'b',
        endpointUrl: 'https://s3.example.com',
      },
    }),
    s.awaitStarted('stopped'),
    s.stream('stopped'),
    s.health(),
    s.cancel('stopped'),
    s.status('stopped'),
  ],
});
