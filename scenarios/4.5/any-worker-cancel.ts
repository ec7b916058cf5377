import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'with any worker, a cancelled job stays cancelled even after a retry, and other jobs continue',
  exercises: [
    '3/cancelled-stays',
    '4.5/this-job-only',
    '4.5/returns-at-once',
    '4.6/no-effect-on-cancelled',
    '4.6/refused-for-cancelled',
  ],
  script: (_, s) => [
    // A user's own worker may have ended its job by then.
    s.run('running', { plan: s.works(30_000) }),
    s.awaitStarted('running'),
    s.cancel('running'),
    s.status('running'),
    s.run('before'),
    s.run('job'),
    s.cancel('job'),
    s.run('after'),
    s.status('job'),
    s.retry('job'),
    s.await('before', s.ended, { withinMs: 60_000, everyMs: 1_000 }),
    s.await('after', s.ended, { withinMs: 60_000, everyMs: 1_000 }),
    s.status('job', { at: s.wait(3_000) }),
  ],
});
