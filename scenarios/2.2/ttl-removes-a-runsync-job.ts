import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a job of /runsync is deleted at its ttl like any other',
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({ ttlMs: arb.ttl(limits), marginMs: arb.margin(limits) }),
  script: ({ ttlMs, marginMs }, s) => [
    s.runsync('job', { plan: [{ hang: true }], policy: { ...s.noTimeouts, ttl: ttlMs }, wait: 1_000 }),
    s.status('job', { at: s.after('job', 'submitted', ttlMs).minus(marginMs) }),
    s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(marginMs) }),
  ],
});
