import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'with any worker, a failed webhook call is repeated, up to three calls in all',
  needs: ['webhook-reachable'],
  script: (_, s, { maxWaitMs }) => {
    const withinMs = Math.min(60_000, maxWaitMs);
    return [
      s.run('fails', { plan: s.works(300), webhook: [{ status: 500 }] }),
      s.run('fails once', { plan: s.works(300), webhook: [{ status: 404 }, { status: 200 }] }),
      s.run('dropped', { plan: s.works(300), webhook: [{ close: true }, { status: 200 }] }),
      s.run('good', { plan: s.works(300), webhook: [{ status: 200 }] }),
      s.await(['fails', 'fails once', 'dropped', 'good'], s.ended, { withinMs, everyMs: 500 }),
      ['fails', 'fails once'].map((job, i) => s.status(job, i === 0 ? { at: s.wait(40_000) } : {})),
    ];
  },
});
