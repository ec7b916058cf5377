import { scenario } from '../../src/scenario/index.js';
import { MINUTE_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a long-running job stays IN_PROGRESS, however often it is read',
  exercises: [
    '3/no-return-to-queue',
    '3/start-moves-to-in-progress',
    '3/not-completed-before-handler-ends',
    '4.3/shows-current-state',
  ],
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({
    workMs: arb.duration(5_000, Math.min(8 * MINUTE_MS, limits.maxWaitMs)),
    marginMs: arb.margin(limits),
  }),
  script: ({ workMs, marginMs }, s) => [
    s.run('job', { plan: s.works(workMs), planOnRetry: [{ return: 'ran twice' }] }),
    s.awaitStarted('job'),
    [1, 2, 3, 4].map((n) =>
      s.status('job', { at: s.after('job', 'started', Math.floor((n * workMs) / 5)).minus(0) }),
    ),
    s.awaitEnded('job', workMs, marginMs),
  ],
});
