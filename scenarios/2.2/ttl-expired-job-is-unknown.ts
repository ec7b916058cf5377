import { scenario } from '../../src/scenario/index.js';
import { MINUTE_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'to every operation, a job whose ttl has expired is one that does not exist',
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
      s.awaitStarted(labels),
      labels.map((job) => [
        s.retry(job, { at: s.after('running', 'submitted', ttlMs).plus(marginMs) }),
        s.cancel(job),
        s.stream(job),
        s.status(job),
      ]),
      s.pause(s.wait(2_000)),
      s.status(labels),
    ];
  },
});
