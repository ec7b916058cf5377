import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a cancel is answered at once, and repeating it is harmless',
  script: (_, s) => [
    s.run('job', { plan: [{ hang: true }] }),
    s.awaitStarted('job'),
    s.cancel('job'),
    s.cancel('job'),
    s.status('job'),
    s.cancel('job', { at: s.wait(2_000) }),
    s.status('job'),
  ],
});
