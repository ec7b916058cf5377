import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'webhook calls that are answered with another success code or a redirect',
  needs: ['webhook-reachable'],
  script: (_, s) => [
    s.run('created', { plan: s.works(300), webhook: [{ status: 201 }] }),
    s.run('moved', { plan: s.works(300), webhook: [{ status: 302 }] }),
    s.await(['created', 'moved']),
    s.status('moved', { at: s.wait(45_000) }),
  ],
});
