import { scenario } from '../../src/scenario/index.js';

const answers = [{ status: 200 }] as const;

export default scenario({
  title: 'an address in input.webhook is not called',
  needs: ['scripted-worker', 'webhook-reachable'],
  script: (_, s) => [
    (['run', 'runsync'] as const).map((op) => [
      s[op](`${op}-job`, { plan: s.works(300), webhook: answers, webhookInInput: true }),
      s.await(`${op}-job`),
    ]),
    // Its call shows that calls to the address of the other two would have been received.
    s.run('called', { plan: s.works(300), webhook: answers }),
    s.await('called'),
    // Its answer shows that the target was there all the while.
    s.status('called', { at: s.wait(40_000) }),
  ],
});
