import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'the record of /runsync shows delayTime and executionTime as /status does',
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({ workMs: arb.duration(Math.max(2_000, 4 * limits.marginMs), 60_000) }),
  script: ({ workMs }, s) => [
    s.runsync('job', { plan: s.works(workMs, { sync: true }) }),
    s.status('job'),
    s.status('job', { at: s.wait(2_000) }),
  ],
});
