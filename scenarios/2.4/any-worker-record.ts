import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'with any worker, the record of a completed job is complete and the same at each read',
  exercises: [
    '2.4/output-in-runsync',
    '2.4/output-in-status',
    '2.4/delay-time-in-runsync',
    '2.4/delay-time-in-status',
    '2.4/execution-time-in-runsync',
    '2.4/execution-time-in-status',
    '2.4/times-in-every-state',
    '2.4/times-settled',
    '3/completed-stays',
    '4.1/complete-result-in-one-answer',
    '4.1/answer-agrees-with-status',
    '4.3/reading-does-not-consume',
    '4.3/shows-current-state',
    '4.2/returns-at-once',
  ],
  script: (_, s) => [
    s.run('job'),
    s.status('job'),
    s.await('job', s.ended, { withinMs: 60_000, everyMs: 1_000 }),
    s.status('job', { at: s.wait(2_000) }),
    s.status('job'),
    s.runsync('sync'),
    s.status('sync'),
    s.status('sync', { at: s.wait(2_000) }),
  ],
});
