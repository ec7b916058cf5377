import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'the worker is given the s3Config of its own job, complete and unchanged, and no other',
  needs: ['scripted-worker'],
  script: (_, s) =>
    (['run', 'runsync'] as const).map((op) => [
      s[op](`${op}-with`, {
        plan: [{ s3Config: true }],
        s3Config: {
          accessId: 'AKIA-1',
          accessSecret: ' s3cr+t/=ü ',
          bucketName: 'My-Bucket',
          endpointUrl: 'https://s3.amazonaws.com',
        },
      }),
      s.await(`${op}-with`),
      s[op](`${op}-without`, { plan: [{ s3Config: true }] }),
      s.await(`${op}-without`),
      s[op](`${op}-another`, {
        plan: [{ s3Config: true }],
        s3Config: {
          accessId: 'AKIA-2',
          accessSecret: 'x',
          bucketName: 'b',
          endpointUrl: 'https://r2.example.org/',
        },
      }),
      s.await(`${op}-another`),
      s[op](`${op}-beside-input`, {
        plan: [{ echo: true }],
        s3Config: {
          accessId: 'id',
          accessSecret: 'secret',
          bucketName: 'b',
          endpointUrl: 'https://r2.example.org',
        },
      }),
      s.await(`${op}-beside-input`),
      ['http://127.0.0.1:9000', 'https://minio.example:8443/path'].map((endpointUrl, i) => [
        s[op](`${op}-host-${i}`, {
          plan: [{ s3Config: true }],
          s3Config: { accessId: 'id', accessSecret: 'secret', bucketName: 'b', endpointUrl },
        }),
        s.await(`${op}-host-${i}`),
      ]),
    ]),
});
