import { scenario } from '../../src/scenario/index.js';
import { HOUR_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'jobs that waited for a worker start when workers are added',
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  exclusive: true,
  draw: (arb, limits) => ({ waitMs: arb.duration(1_000, Math.min(HOUR_MS, limits.maxWaitMs)) }),
  script: ({ waitMs }, s, { marginMs }) => [
    s.blocker('first'),
    s.awaitStarted('first'),
    s.blocker('second'),
    s.blocker('third'),
    s.status('second', { at: s.wait(waitMs) }),
    s.health({ at: s.wait(marginMs) }),
    s.workers(2),
    s.awaitStarted('second'),
    s.status('third'),
    s.health({ at: s.wait(marginMs) }),
    s.workers(3),
    s.awaitStarted('third'),
    s.health({ at: s.wait(marginMs) }),
    s.cancel('first'),
    s.cancel('second'),
    s.cancel('third'),
    s.health({ at: s.wait(marginMs) }),
  ],
});
