import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'how the service treats a webhook that answers with another success or a redirect',
  needs: ['scripted-worker', 'webhook-reachable'],
  script: (_, s) => [
    [201, 202, 204, 302].map((status) => s.run(`${status}`, { plan: s.works(100), webhook: [{ status }] })),
    [201, 202, 204, 302].map((status) => s.await(`${status}`)),
    s.status('201', { at: s.wait(45_000) }),
  ],
});
