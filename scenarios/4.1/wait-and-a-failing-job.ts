import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a call is answered as soon as its job fails',
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({ workMs: arb.sleep(limits, 500, 10_000) }),
  script: ({ workMs }, s) => [
    s.runsync('job', { plan: [{ sleepMs: workMs }, { fail: 'on purpose' }], wait: 100_000 }),
    s.status('job'),
  ],
});
