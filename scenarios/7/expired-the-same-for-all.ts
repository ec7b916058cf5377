import { scenario } from '../../src/scenario/index.js';
import { MINUTE_MS } from '../../src/spec/limits.js';

/** No other reads search for the instant at which it disappears. */
const EVERY_MS = 100;

export default scenario({
  title: 'once /status no longer knows an expired job, no other operation does either',
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({
    ttlMs: arb.ttl(limits, { maxMs: 10 * MINUTE_MS }),
    marginMs: arb.margin(limits),
  }),
  script: ({ ttlMs, marginMs }, s) => {
    const jobs = { failed: { fail: 'on purpose' }, running: { hang: true } } as const;
    const looked = (job: string) =>
      s.await(job, 'GONE', {
        withinMs: 2 * marginMs,
        everyMs: EVERY_MS,
        at: s.after(job, 'submitted', ttlMs).minus(EVERY_MS),
      });
    return [
      (['failed', 'running'] as const).map((job) => [
        s.run(job, { plan: [jobs[job]], policy: { ...s.noTimeouts, ttl: ttlMs } }),
        s.awaitStarted(job),
      ]),
      s.lane('cancelled', looked('running'), s.cancel('running')),
      s.lane('retried', looked('failed'), s.retry('failed')),
      ['running', 'failed'].map((job) => [
        s.cancel(job, { at: s.after(job, 'submitted', ttlMs).plus(marginMs) }),
        s.retry(job),
        s.status(job),
      ]),
    ];
  },
});
