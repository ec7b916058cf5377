import { scenario } from '../../src/scenario/index.js';
import { HOUR_MS, MINUTE_MS } from '../../src/spec/limits.js';

export default scenario.each(
  { draw: (arb, limits) => ({ ttlMs: arb.ttl(limits), marginMs: arb.margin(limits) }) },
  (one) => ({
    'ttl-expired-job-is-unknown': one({
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
    }),
    'ttl-frees-the-worker': one({
      title: 'the worker of a job that its ttl has deleted takes the next job',
      needs: ['scripted-worker', 'worker-count-known'],
      exclusive: true,
      script: ({ ttlMs, marginMs }, s) => [
        // It would sleep far longer than a worker may need to restart.
        s.run('first', { plan: s.works(ttlMs + HOUR_MS), policy: { ...s.noTimeouts, ttl: ttlMs } }),
        s.awaitStarted('first'),
        s.run('next', { plan: s.works(300), policy: s.noTimeouts }),
        s.status('next', { at: s.after('first', 'submitted', ttlMs).minus(marginMs) }),
        s.status('first', { at: s.after('first', 'submitted', ttlMs).plus(marginMs) }),
        // A worker that restarts may need a minute.
        s.await('next', s.ended, { withinMs: 90_000, everyMs: 250 }),
      ],
    }),
    'ttl-wins-over-completion': one({
      title: 'a job whose handler would have finished just after the ttl never completes',
      onlyWith: { '4.8/completed-counts-nothing-else': { needs: ['worker-count-known'] } },
      needs: ['scripted-worker', 'dedicated'],
      exclusive: true,
      draw: (arb, limits) => ({
        ttlMs: arb.ttl(limits, { maxMs: HOUR_MS }),
        lateMs: arb.duration(2 * limits.marginMs + 500, 2 * limits.marginMs + 5_000),
        marginMs: arb.margin(limits),
      }),
      script: ({ ttlMs, lateMs, marginMs }, s) => [
        s.health(),
        s.run('job', { plan: s.works(ttlMs + lateMs), policy: { ...s.noTimeouts, ttl: ttlMs } }),
        s.awaitStarted('job'),
        s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(marginMs) }),
        s.status('job', { at: s.after('job', 'started', ttlMs + lateMs).plus(marginMs) }),
        s.health(),
      ],
    }),
    'expired-jobs-hold-nobody-up': one({
      title: 'jobs that expired or were cancelled in the queue do not delay the jobs behind them',
      needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
      exclusive: true,
      script: ({ ttlMs, marginMs }, s) => [
        s.blocker('blocker'),
        s.awaitStarted('blocker'),
        s.run('expired', { plan: s.works(100), policy: { ...s.noTimeouts, ttl: ttlMs } }),
        s.run('cancelled', { plan: s.works(100), policy: s.noTimeouts }),
        s.run('behind', { plan: s.works(300), policy: s.noTimeouts }),
        s.cancel('cancelled'),
        s.status('expired', { at: s.after('expired', 'submitted', ttlMs).plus(marginMs) }),
        // Nothing is submitted from here on: freed workers must take the next job without a further call.
        s.cancel('blocker'),
        s.await('behind', s.ended, { withinMs: 90_000, everyMs: 1_000 }),
        s.health({ at: s.wait(marginMs) }),
      ],
    }),
  }),
);
