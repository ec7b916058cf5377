import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'the key is accepted in the same forms at retry and purge',
  exercises: ['5/key-accepted-retry', '5/key-accepted-purge-queue', '5/bare-or-bearer'],
  needs: ['scripted-worker', 'dedicated'],
  exclusive: true,
  script: (_, s) =>
    (['bare', 'bearer'] as const).map((auth) => [
      s.run(`job-${auth}`, { plan: [{ fail: 'once' }], planOnRetry: [{ return: 'again' }] }),
      s.await(`job-${auth}`, s.ended, { withinMs: 60_000, everyMs: 250 }),
      s.retry(`job-${auth}`, { auth }),
      s.purge({ auth }),
    ]),
});
