import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title:
    '/run is answered IN_QUEUE at once, whether workers are idle or busy, and even if the job ends immediately',
  exercises: ['4.2/returns-at-once', '4.2/status-in-queue'],
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  script: (_, s) => [
    s.run('instant', { plan: [{ return: 1 }] }),
    s.await('instant', s.ended, { withinMs: 60_000, everyMs: 250 }),
    s.run('long', { plan: [{ hang: true }], policy: s.noTimeouts }),
    s.awaitStarted('long'),
    s.run('waiting', { plan: [{ return: 2 }] }),
    s.status('waiting'),
    s.cancel('long'),
    s.await('waiting', s.ended, { withinMs: 60_000, everyMs: 250 }),
  ],
});
