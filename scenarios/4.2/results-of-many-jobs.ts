import { scenario } from '../../src/scenario/index.js';
import { RUN_RETENTION_MS } from '../../src/spec/limits.js';

/** They submit side by side. */
const CLIENTS = 8;

export default scenario({
  title: 'the first result is kept however many jobs end after it',
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  draw: (arb) => ({ jobs: arb.integer(120, 260) }),
  script: ({ jobs }, s, { maxWaitMs, marginMs }) => [
    s.run('first', { plan: [{ return: 'first' }] }),
    s.await('first'),
    Array.from({ length: CLIENTS }, (_, client) =>
      s.lane(
        `client ${client}`,
        s.pause(s.after('first', 'ended').plus(0)),
        Array.from({ length: jobs }, (__, i) => i)
          .filter((i) => i % CLIENTS === client)
          .map((i) => s.run(`job-${i}`, { plan: [{ return: i }] })),
      ),
    ),
    s.await(`job-${jobs - 1}`, s.ended, { everyMs: 500 }),
    s.await('job-0', s.ended, { everyMs: 500 }),
    s.status('first'),
    // They end together, and so do their retention periods.
    ...(maxWaitMs > 2 * RUN_RETENTION_MS
      ? [
          s.pause(s.after(`job-${jobs - 1}`, 'ended', RUN_RETENTION_MS).plus(marginMs)),
          [0, 9, 10, 99, 100, jobs - 1].map((i) => s.status(`job-${i}`)),
        ]
      : []),
  ],
});
