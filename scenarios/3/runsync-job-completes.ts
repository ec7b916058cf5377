import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a job of /runsync is COMPLETED in the answer of the call and when it is read afterwards',
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({ workMs: arb.sleep(limits, 0, 20_000) }),
  script: ({ workMs }, s) => [
    s.runsync('job', { plan: s.works(workMs, { sync: true }) }),
    s.status('job'),
    s.status('job', { at: s.wait(5_000) }),
  ],
});
