import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a job that is deleted while its webhook keeps failing',
  needs: ['webhook-reachable'],
  draw: (arb, limits) => ({ marginMs: arb.margin(limits) }),
  script: ({ marginMs }, s) => [
    s.run('job', { plan: s.works(100), policy: { ttl: 15_000 }, webhook: [{ status: 500 }] }),
    s.await('job', s.ended, { withinMs: 10_000, everyMs: 250 }),
    s.status('job', { at: s.after('job', 'submitted', 15_000).plus(marginMs + 1) }),
    s.pause(s.wait(30_000)),
  ],
});
