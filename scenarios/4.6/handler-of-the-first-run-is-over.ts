import { scenario } from '../../src/scenario/index.js';
import { EXECUTION_TIMEOUT_MIN_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a handler stopped by executionTimeout does not interfere with the run after the retry',
  onlyWith: {
    '4.6/retried-job-runs': { needs: ['worker-count-known'] },
    '4.4/chunks-not-invented': { needs: ['worker-count-known'] },
  },
  needs: ['scripted-worker'],
  script: (_, s, { graceMs }) => [
    s.run('job', {
      plan: [
        { sleepMs: EXECUTION_TIMEOUT_MIN_MS + graceMs + 1_000 },
        { stream: 'late' },
        { sleepMs: 500 },
        { return: 'late' },
      ],
      // Still runs when the first run would have ended.
      planOnRetry: [
        { stream: 'second' },
        { sleepMs: graceMs + 2_000 },
        { stream: 'run' },
        { return: 'second run' },
      ],
      policy: { ...s.noTimeouts, executionTimeout: EXECUTION_TIMEOUT_MIN_MS },
    }),
    s.awaitStarted('job'),
    s.await('job'),
    s.retry('job'),
    s.await('job'),
    s.stream('job'),
    s.status('job'),
  ],
});
