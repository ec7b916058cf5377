import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'with any worker, no content of input and no storage makes a submission fail',
  draw: (arb) => ({
    input: arb.jsonObject(),
  }),
  script: ({ input }, s) => {
    const storedAt = (endpointUrl: string) => ({
      accessId: 'id',
      accessSecret: 'secret',
      bucketName: 'bucket',
      endpointUrl,
    });
    return [
      s.run('odd', { input: { ...input, something: 1 } }),
      s.cancel('odd'),
      s.runsync('odd sync', { input: { ...input, something: 1 }, wait: 1_000 }),
      s.run('stored', {
        s3Config: storedAt('https://s3.amazonaws.com'),
        extra: { id: 'chosen-by-the-client' },
      }),
      s.status('stored'),
      s.run('stored near', { s3Config: storedAt('http://10.0.0.1:9000') }),
      s.runsync('stored sync', { s3Config: storedAt('https://minio.example') }),
    ];
  },
});
