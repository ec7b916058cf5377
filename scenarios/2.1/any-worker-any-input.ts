import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'with any worker at all, no content of input and no storage make a submission fail',
  exercises: [
    '2.1/input-content-not-validated',
    '2.1/s3config-accepted-run',
    '2.1/s3config-accepted-runsync',
    '2.3/any-provider-accepted',
    '2.1/input-object-accepted-run',
    '2.1/input-object-accepted-runsync',
    '2.4/id-assigned-by-service',
  ],
  draw: (arb) => ({
    input: arb.jsonObject(),
    host: arb.oneOf('https://s3.amazonaws.com', 'http://10.0.0.1:9000', 'https://minio.example'),
  }),
  script: ({ input, host }, s) => {
    const s3Config = { accessId: 'id', accessSecret: 'secret', bucketName: 'bucket', endpointUrl: host };
    return [
      s.run('odd', { input: { ...input, something: 1 } }),
      s.cancel('odd'),
      s.runsync('odd sync', { input: { ...input, something: 1 }, wait: 1_000 }),
      s.run('stored', { s3Config, extra: { id: 'chosen-by-the-client' } }),
      s.status('stored'),
      s.runsync('stored sync', { s3Config }),
    ];
  },
});
