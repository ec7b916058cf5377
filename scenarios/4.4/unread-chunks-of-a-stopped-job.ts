import fc from 'fast-check';
import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'unread chunks of a stopped job do not appear in the next job of its worker',
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  draw: (_, { graceMs }) => ({ limitMs: fc.constant(5_000 + 2 * graceMs) }),
  script: ({ limitMs }, s) => [
    s.run('cancelled', {
      plan: [{ stream: 'old 1' }, { stream: 'old 2' }, { hang: true }],
      policy: s.noTimeouts,
    }),
    s.run('timed-out', {
      plan: [{ stream: 'older' }, { hang: true }],
      policy: { executionTimeout: limitMs },
    }),
    s.run('expired', {
      plan: [{ stream: 'gone' }, { hang: true }],
      policy: { ...s.noTimeouts, ttl: 4 * limitMs },
    }),
    s.run('last', { plan: [{ stream: 'z' }, { sleepMs: 100 }] }),
    s.awaitStarted('cancelled'),
    s.cancel('cancelled', { at: s.wait(1_000) }),
    ['timed-out', 'expired', 'last'].map((job) => [
      s.await(job, s.ended, { withinMs: 5 * limitMs + 30_000, everyMs: 500 }),
      s.stream(job),
    ]),
  ],
});
