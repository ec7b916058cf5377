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
  draw: (arb, limits) => ({
    workMs: arb.duration(0, Math.min(20_000, limits.maxWaitMs)),
    waitMs: arb.oneOf(60_000, 100_000, WAIT_MAX_MS),
  }),
  script: ({ workMs, waitMs }, s) => [
    s.runsync('job', { plan: s.works(workMs, { quick: true }), wait: waitMs }),
    s.status('job'),
  ],
});
