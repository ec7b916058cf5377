import fc from 'fast-check';
import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a job retried a second time still has its input and its executionTimeout',
  exercises: ['4.6/keeps-policy', '4.6/failed-again-can-be-retried'],
  needs: ['scripted-worker'],
  draw: (_, { graceMs }) => ({ limitMs: fc.constant(5_000 + graceMs) }),
  script: ({ limitMs }, s) => [
    s.run('job', {
      plan: [{ fail: 'at first' }],
      planOnRetry: [{ hang: true }],
      policy: { executionTimeout: limitMs },
    }),
    s.await('job', s.ended, { withinMs: 60_000, everyMs: 250 }),
    [1, 2].map(() => [
      s.retry('job'),
      s.awaitStarted('job'),
      s.await('job', s.ended, { withinMs: limitMs + 20_000, everyMs: 500 }),
    ]),
  ],
});
