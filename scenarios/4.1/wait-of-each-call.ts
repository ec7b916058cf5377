import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'concurrent waiting calls are each answered when their own wait ends',
  needs: ['scripted-worker', 'worker-count-known'],
  workers: 4,
  draw: (arb, limits) => ({
    stepMs: arb.duration(Math.max(1_000, 3 * limits.marginMs), Math.max(5_000, 3 * limits.marginMs)),
  }),
  script: ({ stepMs }, s) => [
    s.lane('a', s.runsync('short', { plan: [{ hang: true }], wait: stepMs })),
    s.lane('b', s.runsync('long', { plan: [{ hang: true }], wait: 3 * stepMs })),
    s.lane('c', s.runsync('done', { plan: s.works(2 * stepMs, 'done'), wait: 4 * stepMs })),
    s.lane(
      'd',
      s.runsync('late', { plan: s.works(2 * stepMs, 'late'), wait: stepMs }),
      s.await('late', s.ended, { withinMs: 2 * stepMs + 30_000, everyMs: 500 }),
    ),
    s.cancel('short', { at: s.sinceStart(5 * stepMs) }),
    s.cancel('long'),
  ],
});
