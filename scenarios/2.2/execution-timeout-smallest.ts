import { scenario } from '../../src/scenario/index.js';
import { EXECUTION_TIMEOUT_MIN_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'the smallest executionTimeout is accepted, and one below it never takes effect as given',
  exercises: ['2.2/execution-timeout-min-accepted', '2.2/execution-timeout-min-enforced'],
  needs: ['scripted-worker'],
  workers: 2,
  draw: (arb, limits) => ({
    belowMs: arb.oneOf(4_999, 1_000, 1, 0, -1, -5_000),
    marginMs: arb.margin(limits),
  }),
  script: ({ belowMs, marginMs }, s) => [
    s.run('least', { plan: s.works(100), policy: { executionTimeout: EXECUTION_TIMEOUT_MIN_MS } }),
    s.run('below', {
      plan: s.works(Math.max(500, EXECUTION_TIMEOUT_MIN_MS - 2 * marginMs)),
      policy: { executionTimeout: belowMs },
      illegal: 'execution-timeout-below-minimum',
    }),
    s.await('least', s.ended, { withinMs: 60_000, everyMs: 250 }),
    s.await('below', s.ended, { withinMs: 60_000, everyMs: 250 }),
  ],
});
