import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title:
    'the counters count jobs of every kind: those of /runsync, those of low priority, those whose worker crashed',
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  workers: 2,
  exclusive: true,
  draw: (arb) => ({ jobs: arb.integer(11, 14) }),
  script: ({ jobs }, s, { marginMs }) => [
    s.health(),
    s.runsync('completed', { plan: [{ stream: 'part' }, { return: 1 }] }),
    s.status('completed'),
    s.health({ at: s.wait(marginMs) }),
    s.runsync('failed', { plan: [{ fail: 'on purpose' }] }),
    s.status('failed'),
    s.health({ at: s.wait(marginMs) }),
    s.run('died', { plan: [{ crash: true }] }),
    s.await('died', s.ended, { withinMs: 270_000, everyMs: 1_000 }),
    s.health({ at: s.wait(marginMs) }),
    s.blocker('blocker'),
    s.awaitStarted('blocker'),
    s.runsync('called', { plan: [{ hang: true }], policy: s.noTimeouts, wait: 1_000 }),
    s.awaitStarted('called'),
    s.health({ at: s.wait(marginMs) }),
    // Its call has been answered, so that its id is known, and it still waits.
    s.runsync('waits', { plan: s.works(100), policy: s.noTimeouts, wait: 1_000 }),
    s.run(['low', 'low too'], { plan: s.works(100), policy: { lowPriority: true } }),
    s.cancel('low too'),
    s.health({ at: s.wait(marginMs) }),
    Array.from({ length: jobs }, (_, i) => s.run(`job-${i}`, { plan: s.works(100) })),
    s.health({ at: s.wait(marginMs) }),
    s.cancel(['blocker', 'called'], { at: s.wait(1_000) }),
    s.await(`job-${jobs - 1}`, s.ended, { withinMs: 120_000, everyMs: 500 }),
    s.health({ at: s.wait(marginMs) }),
  ],
});
