import { scenario } from '../../src/scenario/index.js';
import { EXECUTION_TIMEOUT_MIN_MS, TTL_MIN_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'however the run after a retry ends, its worker takes another job',
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  script: (_, s, { marginMs }) =>
    (
      [
        ['cancelled', {}],
        ['overrun', { executionTimeout: EXECUTION_TIMEOUT_MIN_MS }],
        ['deleted', { ttl: TTL_MIN_MS + marginMs }],
      ] as const
    ).map(([end, policy]) => [
      s.run(end, {
        plan: [{ fail: 'once' }],
        planOnRetry: [{ hang: true }],
        policy: { ...s.noTimeouts, ...policy },
      }),
      s.await(end),
      s.retry(end),
      s.awaitStarted(end),
      s.run(`behind ${end}`, { plan: s.works(200), policy: s.noTimeouts }),
      ...(end === 'cancelled' ? [s.cancel(end)] : []),
      ...(end === 'deleted'
        ? [s.status(end, { at: s.after(end, 'submitted', policy.ttl).plus(marginMs) })]
        : []),
      s.await(`behind ${end}`, s.ended, { withinMs: 100_000, everyMs: 500 }),
      s.status(end),
    ]),
});
