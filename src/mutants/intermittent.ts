/**
 * Intermittent faults, which occur every n-th time: how errors of timing, memory or load look from outside.
 */
import type { Rules } from '../core/rules.js';
import type { JobView } from '../core/entities.js';
import { fault, type Mutant } from './mutant.js';

/** True at every n-th call. */
function counter(n: number): () => boolean {
  let calls = 0;
  return () => (calls += 1) % n === 0;
}

/** A fault that occurs every n-th time. */
function everyNthTime(
  n: number,
  id: string,
  title: string,
  breaks: Mutant['breaks'],
  change: (base: Rules, fires: () => boolean) => Partial<Rules>,
): Mutant {
  return fault(id, title, breaks, (base) => change(base, counter(n)));
}

/** A fault of every n-th job, the same at every call for that job. */
function everyNthJob(
  n: number,
  id: string,
  title: string,
  breaks: Mutant['breaks'],
  change: (base: Rules, fires: (job: JobView) => boolean) => Partial<Rules>,
): Mutant {
  return fault(id, title, breaks, (base) => {
    const known = new WeakMap<JobView, boolean>();
    const next = counter(n);
    return change(base, (job) => {
      if (!known.has(job)) known.set(job, next());
      return known.get(job)!;
    });
  });
}

export const INTERMITTENT = [
  everyNthJob(
    7,
    'now-and-then-job-lost',
    '/status does not find every seventh job',
    [
      '3/submission-creates-job-run',
      '3/submission-creates-job-runsync',
      '2.2/ttl-default-not-early',
      '2.2/ttl-not-early-running',
      '2.2/ttl-not-early-completed',
      '2.2/ttl-not-early-queued',
      '3/failed-stays',
      '4.1/retention-kept',
      '4.2/retention-kept',
      '4.1/wait-does-not-shorten-retention',
    ],
    (base, fires) => ({
      hiddenFromStatus: (job, nowMs) => fires(job) || base.hiddenFromStatus(job, nowMs),
    }),
  ),
  everyNthTime(
    5,
    'now-and-then-success-fails',
    'every fifth job that succeeds becomes FAILED',
    [
      '3/success-completes-run',
      '3/success-completes-runsync',
      '2.2/execution-timeout-not-early',
      '2.2/execution-timeout-default-not-early',
      '3/completed-stays',
      '4.8/counts-completed',
      '4.8/failed-not-completed',
    ],
    (base, fires) => ({
      endingOf: (report) =>
        report.kind === 'success' && fires()
          ? { status: 'FAILED', output: undefined, error: 'internal error' }
          : base.endingOf(report),
    }),
  ),
  everyNthTime(
    5,
    'now-and-then-end-unnoticed',
    'the end of every fifth run is not noticed',
    [
      '3/success-completes-run',
      '3/success-completes-runsync',
      '3/handler-error-fails-run',
      '3/handler-error-fails-runsync',
      '3/worker-crash-fails',
    ],
    (base, fires) => ({
      reportCounts: (job, report) =>
        base.reportCounts(job, report) &&
        !(report.kind !== 'stream' && report.kind !== 'progress' && fires()),
    }),
  ),
  everyNthTime(
    4,
    'now-and-then-worker-lost',
    'every fourth time, a worker is not freed at the end of its job',
    [
      '1/freed-worker-takes-waiting-job',
      '1/every-job-is-processed',
      '1/free-worker-takes-job',
      '3/cancel-frees-worker',
      '2.2/ttl-frees-worker',
      '2.2/execution-timeout-frees-worker',
    ],
    (base, fires) => ({ freesWorkerOn: (reason) => base.freesWorkerOn(reason) && !fires() }),
  ),
  everyNthTime(
    4,
    'now-and-then-stale-status',
    'every fourth /status shows the state of the call before',
    [
      '4.3/shows-current-state',
      '3/start-moves-to-in-progress',
      '3/success-completes-run',
      '3/no-return-to-queue',
      '3/completed-stays',
    ],
    (base, fires) => {
      const shown = new WeakMap<JobView, string>();
      return {
        statusShown: (job, view) => {
          const now = base.statusShown(job, view);
          if (view !== 'status') return now;
          const before = shown.get(job) ?? now;
          shown.set(job, now);
          return fires() ? before : now;
        },
      };
    },
  ),
  everyNthTime(
    4,
    'now-and-then-goes-back',
    'every fourth /status of a running job answers IN_QUEUE',
    [
      '3/no-return-to-queue',
      '3/start-moves-to-in-progress',
      '4.3/shows-current-state',
      '1/free-worker-takes-job',
    ],
    (base, fires) => ({
      statusShown: (job, view) =>
        view === 'status' && job.status === 'IN_PROGRESS' && fires()
          ? 'IN_QUEUE'
          : base.statusShown(job, view),
    }),
  ),
  everyNthTime(
    8,
    'now-and-then-not-found',
    'every eighth /status answers 404 for a job that exists',
    [
      '3/submission-creates-job-run',
      '3/submission-creates-job-runsync',
      '4.3/reading-does-not-consume',
      '2.2/ttl-not-early-running',
      '2.2/ttl-not-early-queued',
      '4.2/retention-kept',
    ],
    (base, fires) => ({ hiddenFromStatus: (job, nowMs) => fires() || base.hiddenFromStatus(job, nowMs) }),
  ),
  everyNthJob(
    6,
    'now-and-then-output-of-another',
    'every sixth job shows the output of the job that ended before it',
    [
      '2.4/output-of-this-job',
      '2.4/output-object-unchanged',
      '2.4/output-array-unchanged',
      '2.1/input-reaches-worker-run',
    ],
    (base, fires) => {
      let last: Parameters<typeof base.outputKept>[1];
      return {
        outputKept: (job, output) => {
          const kept = fires(job) && last !== undefined && output !== undefined ? last : output;
          last = output;
          return base.outputKept(job, kept);
        },
      };
    },
  ),
  everyNthJob(
    6,
    'now-and-then-input-of-another',
    'every sixth job runs with the input of the job before it',
    [
      '2.1/input-reaches-worker-run',
      '2.1/input-reaches-worker-runsync',
      '2.4/output-of-this-job',
      '3/success-completes-run',
    ],
    (base, fires) => {
      let last: ReturnType<typeof base.inputForHandler> | null = null;
      return {
        inputForHandler: (job) => {
          const own = base.inputForHandler(job);
          const given = fires(job) && last !== null ? last : own;
          last = own;
          return given;
        },
      };
    },
  ),
  everyNthJob(
    3,
    'now-and-then-ttl-ignored',
    'the ttl of every third job is ignored',
    [
      '2.2/ttl-removes-queued',
      '2.2/ttl-removes-running',
      '2.2/ttl-removes-completed',
      '2.2/ttl-removes-failed',
      '2.2/ttl-removes-runsync',
    ],
    (base, fires) => ({
      ttlDeadlineMs: (job, ttlMs) => (fires(job) ? Number.POSITIVE_INFINITY : base.ttlDeadlineMs(job, ttlMs)),
    }),
  ),
  everyNthJob(
    3,
    'now-and-then-timeout-ignored',
    'the executionTimeout of every third job is ignored',
    ['2.2/execution-timeout-stops-run', '2.2/execution-timeout-stops-runsync'],
    (base, fires) => ({
      executionDeadlineMs: (job, timeoutMs) =>
        fires(job) ? Number.POSITIVE_INFINITY : base.executionDeadlineMs(job, timeoutMs),
    }),
  ),
  everyNthTime(
    3,
    'now-and-then-cancel-feigned',
    'every third /cancel answers CANCELLED, but has no effect',
    [
      '3/cancel-running',
      '3/cancel-queued',
      '3/cancelled-stays',
      '3/cancelled-never-starts',
      '3/cancelled-never-completes',
    ],
    (base, fires) => {
      let feigned = false;
      return {
        mayCancel: (status, job) => {
          feigned = base.mayCancel(status, job) && fires();
          return !feigned && base.mayCancel(status, job);
        },
        cancelOfEnded: (job) => (feigned ? 'done' : base.cancelOfEnded(job)),
        cancelOfEndedDoes: (job) => (feigned ? 'nothing' : base.cancelOfEndedDoes(job)),
      };
    },
  ),
  everyNthJob(
    3,
    'now-and-then-purge-spares',
    '/purge-queue does not remove every third waiting job',
    [
      '4.7/removes-all-waiting',
      '4.7/purged-jobs-never-run',
      '4.7/removes-waiting-runsync',
      '4.7/second-purge-removes-nothing',
    ],
    (base, fires) => ({ purgeRemoves: (job) => base.purgeRemoves(job) && !fires(job) }),
  ),
  everyNthJob(
    3,
    'now-and-then-webhook-forgotten',
    'the webhook of every third job is not called',
    ['6/called-on-completion-run', '6/called-on-completion-runsync'],
    (base, fires) => ({ webhookWanted: (job) => base.webhookWanted(job) && !fires(job) }),
  ),
  everyNthTime(
    3,
    'now-and-then-webhook-not-repeated',
    'every third failing webhook is called only once',
    [
      '6/three-attempts',
      '6/retries-after-error-status',
      '6/retries-after-dropped-connection',
      '6/retries-after-silence',
    ],
    (base, fires) => ({ webhookSucceeded: (status) => base.webhookSucceeded(status) || fires() }),
  ),
  everyNthTime(
    9,
    'now-and-then-chunk-lost',
    'every ninth chunk of an endpoint is not delivered',
    [
      '4.4/chunks-not-lost',
      '4.4/chunks-after-end',
      '4.4/chunks-while-running',
      '2.5/chunk-output-unchanged',
      '2.5/chunk-has-output',
    ],
    (base, fires) => ({
      streamBody: (job, chunks) =>
        base.streamBody(
          job,
          chunks.filter(() => !fires()),
        ),
    }),
  ),
  everyNthTime(
    9,
    'now-and-then-chunk-repeated',
    'every ninth chunk is delivered twice',
    ['4.4/chunks-not-duplicated', '4.4/chunks-not-invented', '4.4/large-output-rejoins'],
    (base, fires) => ({
      streamBody: (job, chunks) =>
        base.streamBody(
          job,
          chunks.flatMap((chunk) => (fires() ? [chunk, chunk] : [chunk])),
        ),
    }),
  ),
  everyNthTime(
    40,
    'now-and-then-500',
    'every fortieth /status is answered with 500',
    ['7/no-500-in-normal-use', '4/operation-status'],
    (base, fires) => ({
      successCode: (answer) => (answer === 'status' && fires() ? 500 : base.successCode(answer)),
    }),
  ),
  everyNthTime(
    2,
    'now-and-then-removed-one-too-many',
    'every second `removed` is one too high',
    ['2.6/removed-counts-queued', '4.7/empty-queue-removes-nothing', '4.7/second-purge-removes-nothing'],
    (base, fires) => ({
      purgeCount: (removed, running) => base.purgeCount(removed, running) + (fires() ? 1 : 0),
    }),
  ),
  everyNthTime(
    9,
    'now-and-then-id-given-twice',
    'every ninth job gets the id of the job before it',
    ['2.4/id-unique'],
    (base, fires) => {
      let last: string | null = null;
      return {
        newId: (made, sync) => {
          const id = fires() && last !== null ? last : base.newId(made, sync);
          last = id;
          return id;
        },
      };
    },
  ),
  everyNthJob(
    2,
    'now-and-then-retry-with-empty-input',
    'every second retried job runs with an empty input',
    ['4.6/keeps-input', '4.6/retried-job-runs', '4.6/keeps-policy'],
    (base, fires) => ({
      inputForHandler: (job) => (job.retries > 0 && fires(job) ? {} : base.inputForHandler(job)),
    }),
  ),
  everyNthJob(
    6,
    'now-and-then-second-run',
    'every sixth job that succeeds runs again',
    [
      '1/job-processed-once',
      '3/no-return-to-queue',
      '3/success-completes-run',
      '3/success-completes-runsync',
    ],
    (base, fires) => ({
      redispatchesAfter: (job, report) =>
        (report.kind === 'success' && job.redispatches < 1 && fires(job)) ||
        base.redispatchesAfter(job, report),
    }),
  ),
] as const;
