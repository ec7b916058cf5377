import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'completed and failed grow with the jobs that end so, and with no others',
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  workers: 2,
  exclusive: true,
  draw: (arb) => ({ completes: arb.integer(1, 4), fails: arb.integer(1, 4) }),
  script: ({ completes, fails }, s, { marginMs }) => {
    const good = Array.from({ length: completes }, (_, i) => `good-${i}`);
    const bad = Array.from({ length: fails }, (_, i) => `bad-${i}`);
    return [
      s.health(),
      s.run(good, { plan: s.works(200) }),
      s.run(bad, { plan: [{ fail: 'on purpose' }] }),
      s.await([...good, ...bad]),
      s.health({ at: s.wait(marginMs) }),
      s.status(bad),
      s.blocker('cancelled'),
      s.awaitStarted('cancelled'),
      s.health({ at: s.wait(marginMs) }),
      s.cancel('cancelled'),
      s.health({ at: s.wait(marginMs) }),
      s.health({ at: s.wait(marginMs) }),
    ];
  },
});
