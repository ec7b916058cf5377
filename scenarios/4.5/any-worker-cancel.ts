import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'with any worker, a cancelled job stays cancelled even after a retry, and other jobs continue',
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
    s.await('before', s.ended, { everyMs: 1_000 }),
    s.await('after', s.ended, { everyMs: 1_000 }),
    s.status('job', { at: s.wait(3_000) }),
  ],
});
