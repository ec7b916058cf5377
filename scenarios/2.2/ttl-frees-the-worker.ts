import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'the worker of a job that its ttl has deleted takes the next job',
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  draw: (arb, limits) => ({ ttlMs: arb.ttl(limits), marginMs: arb.margin(limits) }),
  script: ({ ttlMs, marginMs }, s) => [
    s.run('first', { plan: [{ hang: true }], policy: { ...s.noTimeouts, ttl: ttlMs } }),
    s.awaitStarted('first'),
    s.run('next', { plan: s.works(300), policy: s.noTimeouts }),
    s.status('next', { at: s.after('first', 'submitted', ttlMs).minus(marginMs) }),
    s.status('first', { at: s.after('first', 'submitted', ttlMs).plus(marginMs) }),
    // A worker that restarts may need a minute.
    s.await('next', s.ended, { withinMs: 90_000, everyMs: 250 }),
  ],
});
