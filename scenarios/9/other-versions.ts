import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'only the API version of the document is served',
  needs: ['endpoint-in-path'],
  script: (_, s) => [
    s.run('job'),
    ['/v1/{endpoint}', '/v3/{endpoint}', '/{endpoint}', '/v/{endpoint}'].map((root) => [
      s.raw('GET', `${root}/health`, 'other-version', { fromRoot: true }),
      s.raw('GET', `${root}/status/{job:job}`, 'other-version', { fromRoot: true }),
      s.raw('POST', `${root}/run`, 'other-version', { fromRoot: true, bodyText: '{"input": {input}}' }),
    ]),
  ],
});
