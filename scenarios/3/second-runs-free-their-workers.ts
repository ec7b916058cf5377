import { scenario } from '../../src/scenario/index.js';
import { EXECUTION_TIMEOUT_MIN_MS, TTL_MIN_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'however the run after a retry ends, its worker takes the next job',
  exercises: [
    '3/cancel-frees-worker',
    '2.2/execution-timeout-frees-worker',
    '2.2/ttl-frees-worker',
    '4.6/execution-timeout-holds-again',
    '2.2/ttl-removes-retried',
    '4.5/cancels-retried-job',
    '1/every-job-is-processed',
    '1/freed-worker-takes-waiting-job',
  ],
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
        policy: { ...s.far, ...policy },
      }),
      s.await(end, s.ended, { withinMs: 60_000, everyMs: 250 }),
      s.retry(end),
      s.begins(end),
      s.run(`behind ${end}`, { plan: s.works(200), policy: s.far }),
      ...(end === 'cancelled' ? [s.cancel(end)] : []),
      s.await(`behind ${end}`, s.ended, { withinMs: 100_000, everyMs: 500 }),
      s.status(end),
    ]),
});
