import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title:
    'a failing webhook delays neither other jobs nor their webhooks, and a job without one causes no call',
  needs: ['webhook-reachable'],
  script: (_, s) => [
    s.run('failing', { plan: s.works(300), webhook: [{ status: 500 }] }),
    s.run('dropped', { plan: s.works(300), webhook: [{ close: true }] }),
    s.run('without', { plan: s.works(300) }),
    s.run('good', { plan: s.works(300, 1), webhook: [{ status: 200 }], webhookQuery: '?n=1' }),
    s.run('good too', { plan: s.works(300, 2), webhook: [{ status: 200 }], webhookQuery: '?n=2' }),
    s.await(['failing', 'dropped', 'without', 'good', 'good too']),
    s.runsync('waited for', { plan: s.works(300, 3), webhook: [{ status: 200 }], webhookQuery: '?n=3' }),
    s.pause(s.wait(40_000)),
  ],
});
