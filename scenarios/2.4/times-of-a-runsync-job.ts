import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'the record of /runsync shows delayTime and executionTime as /status does',
  exercises: [
    '2.4/delay-time-in-runsync',
    '2.4/execution-time-in-runsync',
    '2.4/execution-time-measures-run',
    '2.4/delay-time-excludes-execution',
    '2.4/delay-time-integer-runsync',
    '2.4/execution-time-integer-runsync',
    '4.1/complete-result-in-one-answer',
    '4.1/answer-agrees-with-status',
  ],
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({ workMs: arb.duration(Math.max(2_000, 4 * limits.marginMs), 60_000) }),
  script: ({ workMs }, s) => [
    s.runsync('job', { plan: s.works(workMs, { sync: true }) }),
    s.status('job'),
    s.status('job', { at: s.wait(2_000) }),
  ],
});
