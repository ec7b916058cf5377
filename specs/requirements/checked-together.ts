/**
 * Requirements that more than one file of `src/oracle/` checks, each with the reason: the list can only shrink. Files that
 * explain what others have found, as those of `attribution/`, do not count.
 */
export const CHECKED_TOGETHER: readonly {
  /** Files below `src/oracle/`. */
  readonly by: readonly string[];
  readonly why: string;
  readonly ids: string;
}[] = [
  {
    by: ['counts/idle-workers.ts', 'model/lifecycle/lifecycle.ts'],
    why: 'the life of its job shows it where the number of workers is known, and else what /health tells of them',
    ids: `1/free-worker-takes-job`,
  },
  {
    by: ['calls/answers.ts', 'results/expected-output.ts', 'webhooks/addresses.ts'],
    why: 'an answer shows it, and so do what the worker was given and which addresses are called',
    ids: `2.1/input-content-not-interpreted`,
  },
  {
    by: ['calls/at-once.ts', 'model/decide.ts'],
    why: 'an answer shows it, and so does the life of its job',
    ids: `4.5/returns-at-once`,
  },
  {
    by: ['calls/implemented.ts', 'model/decide.ts'],
    why: 'an answer shows it, and so does the life of its job',
    ids: `4/operation-cancel 4/operation-retry`,
  },
  {
    by: ['calls/implemented.ts', 'model/lifecycle/lifecycle-calls.ts'],
    why: 'an answer shows it, and so does the life of its job',
    ids: `4/operation-status`,
  },
  {
    by: ['calls/implemented.ts', 'model/lifecycle/lifecycle-calls.ts'],
    why: 'an answer shows it, and so does the life of its job',
    ids: `4.3/ttl-accepted`,
  },
  {
    by: ['calls/defects.ts', 'model/lifecycle/lifecycle.ts'],
    why: 'an answer shows it, and so does the life of its job',
    ids: `2.2/execution-timeout-min-enforced 2.2/execution-timeout-max-enforced 2.2/ttl-min-enforced
      2.2/ttl-max-enforced`,
  },
  {
    by: ['counts/judge-counts.ts', 'counts/shared-counts.ts'],
    why: 'of an endpoint made for a script all jobs are followed; of a shared one all answers of the run are compared',
    ids: `2.6/removed-counts-queued 4.8/counts-in-queue 4.8/counts-in-progress 4.8/counts-completed 4.8/counts-failed
      4.8/completed-counts-nothing-else 4.8/failed-not-completed`,
  },
  {
    by: ['effects/kept-workers.ts', 'model/lifecycle/lifecycle.ts'],
    why: 'the number of workers shows it where it is known, and else the end of all other jobs of the run',
    ids: `1/freed-worker-takes-waiting-job`,
  },
  {
    by: ['counts/judge-counts.ts', 'results/judge-waits.ts'],
    why: 'a count shows it, and so does a wait',
    ids: `4.1/wait-leaves-job-alive`,
  },
  {
    by: ['effects/judge-effects.ts', 'model/lifecycle/lifecycle-calls.ts'],
    why: 'the life of a job shows it, and so do the jobs beside it',
    ids: `4.7/keeps-running`,
  },
  {
    by: ['effects/judge-effects.ts', 'model/lifecycle/lifecycle-calls.ts', 'results/stopped-streams.ts'],
    why: 'the life of a job shows it, and so do its results and the jobs beside it',
    ids: `3/cancelled-never-starts 4.7/purged-jobs-never-run`,
  },
  {
    by: ['model/lifecycle/lifecycle-calls.ts', 'results/wait-ends.ts'],
    why: 'a wait shows it, and so does the life of its job',
    ids: `4.7/removes-waiting-runsync`,
  },
  {
    by: ['effects/workers.ts', 'model/lifecycle/lifecycle.ts'],
    why: 'the life of a job shows it, and so do the jobs beside it',
    ids: `1/no-more-jobs-in-progress-than-workers`,
  },
  {
    by: ['model/lifecycle/lifecycle.ts', 'settle.ts'],
    why: 'the run says what a target is held to, and the life of a job shows it',
    ids: `2.2/execution-timeout-default-enforced 2.2/execution-timeout-default-not-early`,
  },
  {
    by: ['model/decide.ts', 'model/lifecycle/lifecycle-calls.ts'],
    why: 'the life-cycle: the bound that is broken, and what a look decides of it',
    ids: `4.6/expired-by-ttl-not-retried 4.6/expired-result-not-retried`,
  },
  {
    by: ['model/lifecycle/lifecycle-calls.ts', 'model/lifecycle/lifecycle.ts'],
    why: 'the life-cycle: the bound that is broken, and what a look decides of it',
    ids: `2.2/ttl-stays-gone 3/completed-stays 3/failed-stays 3/timed-out-stays 3/no-return-to-queue
      4.3/ttl-shortens-life`,
  },
  {
    by: ['calls/at-once.ts', 'model/lifecycle/lifecycle-calls.ts', 'proof/violation.ts'],
    why: 'an answer that comes too late shows it, and so does the life of its job; which rule a proof rests on is told by name',
    ids: `4.3/shows-current-state`,
  },
  {
    by: ['model/lifecycle/lifecycle-calls.ts', 'results/judge-results.ts'],
    why: 'the life of a job shows it, and so do its results',
    ids: `2.4/id-kept-across-retry`,
  },
  {
    by: ['model/lifecycle/lifecycle-calls.ts', 'webhooks/judge-webhooks.ts'],
    why: 'the life of a job shows it, and so do its webhook calls',
    ids: `6/no-call-before-completion`,
  },
  {
    by: ['model/lifecycle/lifecycle.ts', 'results/expected-output.ts'],
    why: 'the life of a job shows it, and so do its results',
    ids: `4.6/keeps-input`,
  },
  {
    by: ['rates/concurrency.ts', 'rates/judge-rates.ts', 'rates/early-refusals.ts', 'rates/own-cancels.ts'],
    why: 'refusals show it, and so do the calls that were let in',
    ids: `8/rate-per-operation`,
  },
  {
    by: ['rates/judge-rates.ts', 'rates/early-refusals.ts'],
    why: 'refusals show it, and so do the calls that were let in',
    ids: `8/rate-per-endpoint`,
  },
  {
    by: ['results/judge-results.ts', 'webhooks/judge-webhooks.ts'],
    why: 'results show it, and so do webhook calls',
    ids: `1/job-processed-once`,
  },
  {
    by: ['results/judge-streams.ts', 'results/stream-reads.ts'],
    why: 'what a record or a stream must hold, and what explains one that does not',
    ids: `4.4/chunks-not-lost 4.6/removes-stream`,
  },
  {
    by: ['webhooks/attempts.ts', 'webhooks/judge-webhooks.ts'],
    why: 'the attempts at an address show it, and so does their number',
    ids: `6/three-attempts`,
  },
  {
    by: ['webhooks/addresses.ts', 'webhooks/attempts.ts'],
    why: 'the attempts at the address of one job show it, and so do addresses that jobs share',
    ids: `6/stops-after-200`,
  },
  {
    by: ['webhooks/addresses.ts', 'webhooks/judge-webhooks.ts'],
    why: 'the calls for one job show it, and so do addresses that jobs share',
    ids: `6/called-at-given-url 6/at-most-three-attempts`,
  },
];
