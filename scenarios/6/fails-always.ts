import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a webhook that keeps failing is called three times in all, and the job is not affected',
  needs: ['scripted-worker', 'webhook-reachable'],
  script: (_, s) => {
    // Each code separately: a service may treat some of them as final.
    const codes = [400, 401, 403, 404, 405, 408, 409, 410, 413, 415, 422, 429, 500, 501, 502, 503, 504];
    return [
      s.run('closed', { plan: s.works(50, { kept: true }), webhook: [{ close: true }] }),
      codes.map((status) => s.run(`${status}`, { plan: s.works(50, { kept: true }), webhook: [{ status }] })),
      codes.map((status) => s.await(`${status}`)),
      s.status('closed', { at: s.wait(15_000) }),
      s.status('closed', { at: s.wait(25_000) }),
      codes.map((status) => s.status(`${status}`)),
    ];
  },
});
