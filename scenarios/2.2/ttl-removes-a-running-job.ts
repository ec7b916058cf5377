import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a running job is deleted when its ttl expires, and stays deleted',
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({ ttlMs: arb.ttl(limits), marginMs: arb.margin(limits) }),
  script: ({ ttlMs, marginMs }, s) => [
    s.run('job', { plan: [{ hang: true }], policy: { ...s.noTimeouts, ttl: ttlMs } }),
    s.awaitStarted('job'),
    s.status('job', { at: s.after('job', 'submitted', ttlMs).minus(marginMs) }),
    s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(marginMs) }),
    s.status('job', { at: s.wait(5_000) }),
  ],
});
