import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a cancel is answered at once, and repeating it is harmless',
  exercises: [
    '4.5/returns-at-once',
    '4.5/status-cancelled-running',
    '3/cancelled-stays',
    '2.4/id-matches-cancel',
  ],
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
