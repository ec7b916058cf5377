import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'the answer to a waiting call shows no end of the job that came after its ttl',
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({ ttlMs: arb.ttl(limits, { maxMs: 20_000 }), marginMs: arb.margin(limits) }),
  script: ({ ttlMs, marginMs }, s) => [
    s.runsync('job', {
      plan: [{ sleepMs: ttlMs + 2 * marginMs }, { fail: 'too late' }],
      policy: { ...s.noTimeouts, ttl: ttlMs },
      wait: ttlMs + 4 * marginMs + 10_000,
    }),
    s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(marginMs) }),
  ],
});
