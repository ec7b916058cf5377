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
  }),
  script: ({ ttlMs, marginMs }, s) => {
    const jobs = {
      failed: { fail: 'on purpose' },
      done: { return: { done: true } },
      running: { hang: true },
    } as const;
    const labels = ['failed', 'done', 'running'] as const;
    const policy = { ...s.noTimeouts, ttl: ttlMs };
    return [
      labels.map((job) => s.run(job, { plan: [{ stream: 'part' }, jobs[job]], policy })),
      labels.map((job) => s.awaitStarted(job)),
      labels.map((job) => [
        s.retry(job, { at: s.after('running', 'submitted', ttlMs).plus(marginMs) }),
        s.cancel(job),
        s.stream(job),
        s.status(job),
      ]),
      s.pause(s.wait(2_000)),
      labels.map((job) => s.status(job)),
    ];
  },
});
