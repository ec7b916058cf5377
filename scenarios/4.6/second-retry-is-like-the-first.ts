import fc from 'fast-check';
import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a job retried a second time still has its input and its executionTimeout',
  needs: ['scripted-worker'],
  draw: (_, { graceMs }) => ({ limitMs: fc.constant(5_000 + graceMs) }),
  script: ({ limitMs }, s) => [
    s.run('job', {
      plan: [{ fail: 'at first' }],
      planOnRetry: [{ hang: true }],
      policy: { executionTimeout: limitMs },
    }),
    s.await('job'),
    [1, 2].map(() => [
      s.retry('job'),
      s.awaitStarted('job'),
      s.await('job', s.ended, { withinMs: limitMs + 20_000, everyMs: 500 }),
    ]),
  ],
});
