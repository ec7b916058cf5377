import { scenario } from '../../src/scenario/index.js';
import { EXECUTION_TIMEOUT_MIN_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'the smallest executionTimeout is accepted, and one below it never takes effect as given',
  needs: ['scripted-worker'],
  workers: 8,
  script: (_, s) => {
    const below = [4_999, 1_000, 250, 5, 1, 0, -1, -5_000];
    return [
      s.run('least', { plan: s.works(100), policy: { executionTimeout: EXECUTION_TIMEOUT_MIN_MS } }),
      s.await('least'),
      below.map((executionTimeout) =>
        s.run(`${executionTimeout}`, {
          plan: s.works(EXECUTION_TIMEOUT_MIN_MS - 1_000),
          policy: { executionTimeout },
          illegal: 'execution-timeout-below-minimum',
        }),
      ),
      below.map((executionTimeout) => s.await(`${executionTimeout}`)),
    ];
  },
});
