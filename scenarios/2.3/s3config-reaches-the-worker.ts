import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'the worker is given the s3Config of its own job, complete and unchanged, and no other',
  exercises: [
    '2.3/access-id-reaches-worker',
    '2.3/access-secret-reaches-worker',
    '2.3/bucket-name-reaches-worker',
    '2.3/endpoint-url-reaches-worker',
    '2.3/passed-along-run',
    '2.3/passed-along-runsync',
    '2.3/not-mixed-between-jobs',
    '2.3/any-provider-accepted',
    '2.1/s3config-accepted-run',
    '2.1/s3config-accepted-runsync',
    '2.1/s3config-optional',
  ],
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
      s.await(`${op}-with`, s.ended, { withinMs: 60_000, everyMs: 250 }),
      s[op](`${op}-without`, { plan: [{ s3Config: true }] }),
      s.await(`${op}-without`, s.ended, { withinMs: 60_000, everyMs: 250 }),
      s[op](`${op}-another`, {
        plan: [{ s3Config: true }],
        s3Config: {
          accessId: 'AKIA-2',
          accessSecret: 'x',
          bucketName: 'b',
          endpointUrl: 'https://r2.example.org/',
        },
      }),
      s.await(`${op}-another`, s.ended, { withinMs: 60_000, everyMs: 250 }),
      s[op](`${op}-beside-input`, {
        plan: [{ echo: true }],
        s3Config: {
          accessId: 'id',
          accessSecret: 'secret',
          bucketName: 'b',
          endpointUrl: 'https://r2.example.org',
        },
      }),
      s.await(`${op}-beside-input`, s.ended, { withinMs: 60_000, everyMs: 250 }),
      ['http://127.0.0.1:9000', 'https://minio.example:8443/path'].map((endpointUrl, i) => [
        s[op](`${op}-host-${i}`, {
          plan: [{ s3Config: true }],
          s3Config: { accessId: 'id', accessSecret: 'secret', bucketName: 'b', endpointUrl },
        }),
        s.await(`${op}-host-${i}`, s.ended, { withinMs: 60_000, everyMs: 250 }),
      ]),
    ]),
});
