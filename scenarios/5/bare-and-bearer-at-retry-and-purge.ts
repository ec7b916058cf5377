import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'the key is accepted in the same forms at retry and purge',
  needs: ['scripted-worker', 'dedicated'],
  exclusive: true,
  script: (_, s) =>
    (['bare', 'bearer'] as const).map((auth) => [
      s.run(`job-${auth}`, { plan: [{ fail: 'once' }], planOnRetry: [{ return: 'again' }] }),
      s.await(`job-${auth}`),
      s.retry(`job-${auth}`, { auth }),
      s.purge({ auth }),
    ]),
});
