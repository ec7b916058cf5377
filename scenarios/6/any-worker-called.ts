import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'with any worker, the webhook of a job is called once it has completed, at its own address',
  needs: ['webhook-reachable'],
  script: (_, s, { maxWaitMs }) => {
    const withinMs = Math.min(60_000, maxWaitMs);
    return [
      s.run('TheJob', { plan: s.works(500), webhook: [{ status: 200 }] }),
      s.run('Query', {
        plan: s.works(500),
        webhook: [{ status: 200 }],
        webhookQuery: '?a=1&b=%20x&c=%C4%8D',
      }),
      s.run('without', { plan: s.works(500) }),
      s.lane('waits', s.runsync('answered', { plan: s.works(500), webhook: [{ status: 200 }] })),
      s.await(['TheJob', 'Query', 'without'], s.ended, { withinMs, everyMs: 500 }),
      s.status('answered', { at: s.after('answered', 'ended').plus(40_000) }),
    ];
  },
});
