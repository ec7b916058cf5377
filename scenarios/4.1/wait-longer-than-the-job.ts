import { scenario } from '../../src/scenario/index.js';
import { WAIT_MAX_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a call is answered as soon as its job completes, however long it would wait',
  needs: ['scripted-worker'],
  workers: 3,
  draw: (arb, limits) => ({
    workMs: arb.duration(0, Math.min(20_000, limits.maxWaitMs)),
  }),
  script: ({ workMs }, s) =>
    [60_000, 100_000, WAIT_MAX_MS].map((wait) =>
      s.lane(
        `${wait}`,
        s.runsync(`${wait}`, { plan: s.works(workMs, { quick: true }), wait }),
        s.status(`${wait}`),
      ),
    ),
});
