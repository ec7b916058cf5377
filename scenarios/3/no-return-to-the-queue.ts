import { scenario, type Limits } from '../../src/scenario/index.js';
import { MINUTE_MS } from '../../src/spec/limits.js';

/** There is time for a job that says nothing for minutes, and for one that would take its place. */
const isLong = ({ maxWaitMs }: Limits): boolean => maxWaitMs > 10 * MINUTE_MS;

export default scenario({
  title: 'a long-running job stays IN_PROGRESS, however often it is read',
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({
    workMs: arb.duration(isLong(limits) ? 4 * MINUTE_MS : 5_000, Math.min(8 * MINUTE_MS, limits.maxWaitMs)),
    marginMs: arb.margin(limits),
  }),
  script: ({ workMs, marginMs }, s, limits) => [
    s.run('job', { plan: s.works(workMs), planOnRetry: [{ return: 'ran twice' }] }),
    s.awaitStarted('job'),
    ...(isLong(limits) ? [s.run('behind', { plan: s.works(workMs) })] : []),
    [1, 2, 3, 4].map((n) =>
      s.status('job', { at: s.after('job', 'started', Math.floor((n * workMs) / 5)).minus(0) }),
    ),
    s.awaitEnded('job', workMs, marginMs),
    ...(isLong(limits) ? [s.cancel('behind')] : []),
  ],
});
