import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'lowPriority does not disable other fields: ttl, executionTimeout and webhook still apply',
  needs: ['scripted-worker', 'worker-count-known', 'webhook-reachable'],
  exclusive: true,
  draw: (arb, limits) => ({
    ttlMs: arb.ttl(limits, { minMs: 12_000 + 2 * limits.marginMs }),
    marginMs: arb.margin(limits),
  }),
  script: ({ ttlMs, marginMs }, s) => [
    s.run('told', { plan: s.works(100), policy: { lowPriority: true }, webhook: [{ status: 200 }] }),
    s.await('told'),
    s.run('overruns', { plan: [{ hang: true }], policy: { lowPriority: true, executionTimeout: 5_000 } }),
    s.await('overruns', s.ended, { everyMs: 500 }),
    s.run('runs', { plan: [{ hang: true }], policy: { ...s.noTimeouts, lowPriority: true, ttl: ttlMs } }),
    s.awaitStarted('runs'),
    s.run('waits', { plan: s.works(100), policy: { ...s.noTimeouts, lowPriority: true, ttl: 10_000 } }),
    s.status('waits', { at: s.after('waits', 'submitted', 10_000).plus(marginMs) }),
    s.status('runs', { at: s.after('runs', 'submitted', ttlMs).plus(marginMs) }),
  ],
});
