import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'retry, stream and purge answer JSON with a success too',
  needs: ['scripted-worker', 'dedicated'],
  exclusive: true,
  script: (_, s) => [
    s.run('job', { plan: [{ stream: { part: 1 } }, { fail: 'on purpose' }], planOnRetry: s.works(200) }),
    s.await('job'),
    s.stream('job'),
    s.retry('job'),
    s.await('job'),
    s.purge(),
  ],
});
