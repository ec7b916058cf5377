import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a cancelled job never completes, although its handler would have finished a moment later',
  onlyWith: { '4.8/completed-counts-nothing-else': { needs: ['worker-count-known'] } },
  needs: ['scripted-worker', 'dedicated'],
  exclusive: true,
  draw: (arb, limits) => ({ workMs: arb.sleep(limits, 2_000, 20_000) }),
  script: ({ workMs }, s, { marginMs }) => [
    s.health(),
    s.run('job', { plan: s.works(workMs) }),
    s.awaitStarted('job'),
    s.cancel('job', { at: s.wait(Math.floor(workMs / 2)) }),
    s.status('job'),
    s.status('job', { at: s.after('job', 'cancelled', workMs).plus(marginMs) }),
    s.health({ at: s.wait(marginMs) }),
  ],
});
