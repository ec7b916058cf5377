import { scenario } from '../../src/scenario/index.js';
import { HOUR_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'without any worker jobs wait, and run once there is one',
  exercises: [
    '1/waits-when-no-worker-free',
    '1/every-job-is-processed',
    '3/submission-starts-in-queue',
    '4.2/returns-at-once',
    '2.4/no-output-while-queued',
  ],
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
    s.await('one', s.ended, { withinMs: 60_000, everyMs: 250 }),
    s.await('two', s.ended, { withinMs: 60_000, everyMs: 250 }),
  ],
});
