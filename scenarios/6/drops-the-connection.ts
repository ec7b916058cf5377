import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a webhook call whose connection is dropped is repeated',
  needs: ['webhook-reachable'],
  script: (_, s) => [
    s.run('job', { plan: s.works(300), webhook: [{ close: true }, { close: true }, { status: 200 }] }),
    s.await('job'),
    // Its answer shows that the target was there all the while.
    s.status('job', { at: s.wait(45_000) }),
  ],
});
