import { scenario } from '../../src/scenario/index.js';

const WHOLE = {
  accessId: 'id',
  accessSecret: 'secret',
  bucketName: 'bucket',
  endpointUrl: 'https://s3.example.com',
};

export default scenario({
  title: 'an s3Config with only some of its fields is passed along or refused, and causes no server error',
  needs: ['scripted-worker'],
  script: (_, s) =>
    [
      {},
      { bucketName: 'b' },
      { accessId: 'a', accessSecret: 's' },
      { endpointUrl: 'https://s3.example.com', extra: 1 },
      { ...WHOLE, region: 'eu-1' },
      { ...WHOLE, accessId: 7 },
      ...Object.keys(WHOLE).map((left) =>
        Object.fromEntries(Object.entries(WHOLE).filter(([name]) => name !== left)),
      ),
    ].map((s3Config, i) => s.runsync(`job-${i}`, { plan: [{ s3Config: true }], s3Config })),
});
