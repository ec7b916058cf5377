import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a busy hour of ordinary calls causes no server error',
  needs: ['scripted-worker', 'worker-count-known'],
  workers: 2,
  draw: (arb, limits) => ({ plan: arb.plan(limits), policy: arb.policy(limits), json: arb.jsonObject() }),
  script: ({ plan, policy, json }, s) => [
    s.lane(
      'a',
      s.run('one', { plan, policy }),
      s.status('one'),
      s.stream('one'),
      s.await('one', s.ended, { everyMs: 500 }),
      s.retry('one'),
      s.stream('one'),
    ),
    s.lane('b', s.runsync('two', { plan, policy, wait: 5_000 }), s.status('two'), s.cancel('two')),
    s.lane(
      'c',
      s.run('three', { input: { ...json, plan: [{ echo: true }] } }),
      s.await('three', s.ended, { everyMs: 500 }),
      s.health(),
    ),
  ],
});
