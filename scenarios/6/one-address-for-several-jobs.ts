import { scenario } from '../../src/scenario/index.js';

export default scenario.each({ needs: ['webhook-reachable'] }, (one) => ({
  'one-address-for-several-jobs': one({
    title: 'several jobs with the same webhook address each cause a call',
    script: (_, s) => [
      s.run('first', { plan: s.works(100), webhook: [{ status: 200 }] }),
      s.await('first', s.ended, { everyMs: 500 }),
      s.status('first', { at: s.wait(1_000) }),
      // Before and after the first call.
      s.run('second', { plan: s.works(100), webhookOf: 'first' }),
      s.runsync('third', { plan: s.works(200), webhookOf: 'first' }),
      s.await('second', s.ended, { everyMs: 500 }),
      s.status('third', { at: s.wait(40_000) }),
    ],
  }),
  'one-address-at-one-instant': one({
    title:
      'jobs with the same webhook address that end at one instant each cause a call, and each its own attempts',
    needs: ['scripted-worker', 'webhook-reachable', 'worker-count-known'],
    workers: 3,
    script: (_, s) => [
      [200, 500].map((status) => [
        s.run(`${status}`, { plan: s.works(2_000), webhook: [{ status }] }),
        s.run([`${status} too`, `${status} as well`], { plan: s.works(2_000), webhookOf: `${status}` }),
        s.await([`${status}`, `${status} too`, `${status} as well`], s.ended, { everyMs: 500 }),
      ]),
      s.status('200', { at: s.wait(70_000) }),
    ],
  }),
}));
