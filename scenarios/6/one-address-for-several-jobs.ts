import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'several jobs with the same webhook address each cause a call',
  needs: ['webhook-reachable'],
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
});
