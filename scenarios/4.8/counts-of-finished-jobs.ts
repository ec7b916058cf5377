import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'completed and failed grow with the jobs that end so, and with no others',
  exercises: [
    '4.8/counts-completed',
    '4.8/counts-failed',
    '4.8/completed-counts-nothing-else',
    '4.8/failed-not-completed',
    '4.8/retried-counts-nothing-else',
    '4.8/counts-in-progress',
  ],
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  workers: 2,
  exclusive: true,
  draw: (arb) => ({ completes: arb.integer(1, 4), fails: arb.integer(1, 4) }),
  script: ({ completes, fails }, s, { marginMs }) => {
    const good = Array.from({ length: completes }, (_, i) => `good-${i}`);
    const bad = Array.from({ length: fails }, (_, i) => `bad-${i}`);
    return [
      s.health(),
      good.map((job) => s.run(job, { plan: s.works(200) })),
      bad.map((job) => s.run(job, { plan: [{ fail: 'on purpose' }] })),
      [...good, ...bad].map((job) => s.await(job, s.ended, { withinMs: 60_000, everyMs: 250 })),
      s.health({ at: s.wait(marginMs) }),
      bad.map((job) => s.status(job)),
      s.blocker('cancelled'),
      s.awaitStarted('cancelled'),
      s.health({ at: s.wait(marginMs) }),
      s.cancel('cancelled'),
      s.health({ at: s.wait(marginMs) }),
      s.health({ at: s.wait(marginMs) }),
    ];
  },
});
