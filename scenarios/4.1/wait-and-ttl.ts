import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a call is answered when the ttl deletes its job',
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({ ttlMs: arb.ttl(limits, { maxMs: 40_000 }), marginMs: arb.margin(limits) }),
  script: ({ ttlMs, marginMs }, s) => [
    s.runsync('job', {
      plan: [{ hang: true }],
      policy: { ...s.noTimeouts, ttl: ttlMs },
      wait: 60_000 + 3 * marginMs,
    }),
    s.status('job'),
  ],
});
