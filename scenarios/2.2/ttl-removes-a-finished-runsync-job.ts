import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'the finished job of /runsync is deleted at its ttl, before its minute of retention is over',
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({ ttlMs: arb.ttl(limits, { maxMs: 40_000 }), marginMs: arb.margin(limits) }),
  script: ({ ttlMs, marginMs }, s) => [
    s.runsync('job', { plan: s.works(200), policy: { ttl: ttlMs } }),
    s.status('job', { at: s.after('job', 'submitted', ttlMs).minus(marginMs) }),
    s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(marginMs) }),
  ],
});
