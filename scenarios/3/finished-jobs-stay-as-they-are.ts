import { scenario } from '../../src/scenario/index.js';
import { MINUTE_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'time alone changes nothing about jobs that completed or failed',
  needs: ['scripted-worker', 'worker-count-known'],
  workers: 2,
  draw: (arb, limits) => ({ laterMs: arb.duration(5_000, Math.min(25 * MINUTE_MS, limits.maxWaitMs)) }),
  script: ({ laterMs }, s) => [
    s.run('completed', { plan: s.works(300, { kept: true }), policy: { executionTimeout: 5_000 } }),
    s.run('failed', { plan: [{ fail: 'kept' }], policy: { executionTimeout: 5_000 } }),
    s.await('completed'),
    s.await('failed'),
    s.pause(s.wait(laterMs)),
    ['completed', 'failed'].map((job) => [s.status(job), s.status(job)]),
  ],
});
