import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a retry of a cancelled job does not bring it back',
  needs: ['scripted-worker'],
  script: (_, s) => [
    s.run('job', { plan: [{ hang: true }], planOnRetry: [{ return: 'ran twice' }] }),
    s.awaitStarted('job'),
    s.cancel('job'),
    s.retry('job'),
    s.status('job'),
    s.status('job', { at: s.wait(3_000) }),
  ],
});
