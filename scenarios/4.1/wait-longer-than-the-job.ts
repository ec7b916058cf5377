import { scenario } from '../../src/scenario/index.js';
import { WAIT_MAX_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a call is answered as soon as its job completes, however long it would wait',
  exercises: [
    '4.1/wait-answers-on-completion',
    '4.1/complete-result-in-one-answer',
    '4.1/wait-max-accepted',
    '2.4/output-in-runsync',
  ],
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
