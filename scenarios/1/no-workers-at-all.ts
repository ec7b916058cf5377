import { scenario } from '../../src/scenario/index.js';
import { HOUR_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'without any worker jobs wait, and run once there is one',
  needs: ['scripted-worker', 'worker-count-known'],
  workers: 0,
  exclusive: true,
  draw: (arb, limits) => ({ waitMs: arb.duration(1_000, Math.min(HOUR_MS, limits.maxWaitMs)) }),
  script: ({ waitMs }, s) => [
    s.run('one', { plan: s.works(200) }),
    s.run('two', { plan: s.works(200) }),
    s.status('one', { at: s.wait(waitMs) }),
    s.health(),
    s.workers(1),
    s.await('one'),
    s.await('two'),
  ],
});
