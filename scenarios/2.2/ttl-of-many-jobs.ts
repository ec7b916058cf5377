import { scenario } from '../../src/scenario/index.js';
import { TTL_MIN_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'of many jobs whose ttl expires together none is left',
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  draw: (arb, limits) => ({ jobs: arb.integer(12, 24), marginMs: arb.margin(limits) }),
  script: ({ jobs, marginMs }, s) => {
    const policy = { ...s.noTimeouts, ttl: TTL_MIN_MS };
    return [
      Array.from({ length: 12 }, (_, i) => s.run(`done-${i}`, { plan: [{ return: i }], policy })),
      s.await('done-11', s.ended, { withinMs: 30_000, everyMs: 250 }),
      s.blocker('blocker'),
      s.awaitStarted('blocker'),
      Array.from({ length: jobs }, (_, i) => s.run(`waits-${i}`, { plan: [{ return: i }], policy })),
      s.status(`waits-${jobs - 1}`, {
        at: s.after(`waits-${jobs - 1}`, 'submitted', TTL_MIN_MS).plus(marginMs),
      }),
      s.status(['done-0', 'done-10', 'done-11', 'waits-0', 'waits-11']),
      s.health(),
      s.cancel('blocker'),
    ];
  },
});
