import { scenario } from '../../src/scenario/index.js';

/** Longer than a call can take unless it waits for its job. */
const WORK_MS = 6_000;

export default scenario({
  title: 'two retries of one job at the same time let it run once, and neither waits for its end',
  onlyWith: {
    '4.6/retries-at-once-requeue-once': { needs: ['worker-count-known'] },
    '4.4/chunks-not-duplicated': { needs: ['worker-count-known'] },
  },
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({ marginMs: arb.margin(limits) }),
  script: ({ marginMs }, s) => [
    s.run('job', {
      plan: [{ fail: 'once' }],
      planOnRetry: [{ stream: 'a chunk' }, { sleepMs: WORK_MS }, { return: 'again' }],
    }),
    s.await('job'),
    s.burst('retry', 2, { job: 'job' }),
    s.await('job', 'COMPLETED', { everyMs: 500 }),
    s.status('job', { at: s.wait(WORK_MS / 2) }),
    s.status('job', { at: s.wait(WORK_MS / 2 + marginMs + 500) }),
    s.stream('job'),
  ],
});
