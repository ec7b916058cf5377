import { scenario } from '../../src/scenario/index.js';
import { MINUTE_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'to every operation, a job whose ttl has expired is one that does not exist',
  exercises: [
    '7/ttl-expired-status',
    '7/ttl-expired-stream',
    '7/ttl-expired-cancel',
    '7/ttl-expired-retry',
    '4.6/expired-by-ttl-not-retried',
    '2.2/ttl-stays-gone',
    '1/json-error-body-404',
  ],
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({
    ttlMs: arb.ttl(limits, { maxMs: 10 * MINUTE_MS }),
    marginMs: arb.margin(limits),
    last: arb.oneOf(
      { hang: true } as const,
      { fail: 'on purpose' } as const,
      { return: { done: true } } as const,
    ),
  }),
  script: ({ ttlMs, marginMs, last }, s) => [
    s.run('job', { plan: [{ stream: 'part' }, last], policy: { ...s.far, ttl: ttlMs } }),
    s.begins('job'),
    s.retry('job', { at: s.after('job', 'submitted', ttlMs).plus(marginMs) }),
    s.cancel('job'),
    s.stream('job'),
    s.status('job'),
    s.status('job', { at: s.wait(2_000) }),
  ],
});
