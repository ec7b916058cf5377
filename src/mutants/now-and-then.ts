/** Faults that strike one time in several: what a fault of timing, memory or load looks like from outside. */
import type { JobView } from '../core/state.js';
import { fault } from './mutant.js';

/** True each n-th time it is asked. */
function each(n: number): () => boolean {
  let asked = 0;
  return () => (asked += 1) % n === 0;
}

/** True for each n-th job, however often it is asked of the same one. */
function eachJob(n: number): (job: JobView) => boolean {
  const struck = new WeakMap<JobView, boolean>();
  const next = each(n);
  return (job) => {
    if (!struck.has(job)) struck.set(job, next());
    return struck.get(job)!;
  };
}

export const NOW_AND_THEN = [
  fault(
    'now-and-then-job-lost',
    'each seventh job is unknown to /status',
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
    (base) => {
      const struck = eachJob(7);
      return { hiddenFromStatus: (job) => struck(job) || base.hiddenFromStatus(job) };
    },
  ),
  fault(
    'now-and-then-success-fails',
    'each fifth job that succeeds becomes FAILED',
    [
      '3/success-completes-run',
      '3/success-completes-runsync',
      '2.2/execution-timeout-not-early',
      '2.2/execution-timeout-default-not-early',
      '3/completed-stays',
      '4.8/counts-completed',
      '4.8/failed-not-completed',
    ],
    (base) => {
      const struck = each(5);
      return {
        endingOf: (report) =>
          report.kind === 'success' && struck()
            ? { status: 'FAILED', output: undefined, error: 'internal error' }
            : base.endingOf(report),
      };
    },
  ),
  fault(
    'now-and-then-end-unnoticed',
    'the end of each fifth run is not noticed',
    [
      '3/success-completes-run',
      '3/success-completes-runsync',
      '3/handler-error-fails-run',
      '3/handler-error-fails-runsync',
      '3/worker-crash-fails',
    ],
    (base) => {
      const struck = each(5);
      return {
        reportCounts: (job, report) =>
          base.reportCounts(job, report) &&
          !(report.kind !== 'stream' && report.kind !== 'progress' && struck()),
      };
    },
  ),
  fault(
    'now-and-then-worker-lost',
    'each fourth time a worker does not come back from a job',
    [
      '1/freed-worker-takes-waiting-job',
      '1/every-job-is-processed',
      '1/free-worker-takes-job',
      '3/cancel-frees-worker',
      '2.2/ttl-frees-worker',
      '2.2/execution-timeout-frees-worker',
    ],
    (base) => {
      const struck = each(4);
      return { freesWorkerOn: (reason) => base.freesWorkerOn(reason) && !struck() };
    },
  ),
  fault(
    'now-and-then-stale-status',
    'each fourth /status shows the state that the one before showed',
    [
      '4.3/shows-current-state',
      '3/start-moves-to-in-progress',
      '3/success-completes-run',
      '3/no-return-to-queue',
      '3/completed-stays',
    ],
    (base) => {
      const shown = new WeakMap<JobView, string>();
      const struck = each(4);
      return {
        statusShown: (job, view) => {
          const now = base.statusShown(job, view);
          if (view !== 'status') return now;
          const before = shown.get(job) ?? now;
          shown.set(job, now);
          return struck() ? before : now;
        },
      };
    },
  ),
  fault(
    'now-and-then-goes-back',
    'each fourth /status of a running job answers IN_QUEUE',
    [
      '3/no-return-to-queue',
      '3/start-moves-to-in-progress',
      '4.3/shows-current-state',
      '1/free-worker-takes-job',
    ],
    (base) => {
      const struck = each(4);
      return {
        statusShown: (job, view) =>
          view === 'status' && job.status === 'IN_PROGRESS' && struck()
            ? 'IN_QUEUE'
            : base.statusShown(job, view),
      };
    },
  ),
  fault(
    'now-and-then-not-found',
    'each eighth /status answers 404 for a job that is there',
    [
      '3/submission-creates-job-run',
      '3/submission-creates-job-runsync',
      '4.3/reading-does-not-consume',
      '2.2/ttl-not-early-running',
      '2.2/ttl-not-early-queued',
      '4.2/retention-kept',
    ],
    (base) => {
      const struck = each(8);
      return { hiddenFromStatus: (job) => struck() || base.hiddenFromStatus(job) };
    },
  ),
  fault(
    'now-and-then-output-of-another',
    'each sixth job shows the output of the job that ended before it',
    [
      '2.4/output-of-this-job',
      '2.4/output-object-unchanged',
      '2.4/output-array-unchanged',
      '2.1/input-reaches-worker-run',
    ],
    (base) => {
      const struck = eachJob(6);
      let last: Parameters<typeof base.outputKept>[1];
      return {
        outputKept: (job, output) => {
          const kept = struck(job) && last !== undefined && output !== undefined ? last : output;
          last = output;
          return base.outputKept(job, kept);
        },
      };
    },
  ),
  fault(
    'now-and-then-input-of-another',
    'each sixth job is run with the input of the job before it',
    [
      '2.1/input-reaches-worker-run',
      '2.1/input-reaches-worker-runsync',
      '2.4/output-of-this-job',
      '3/success-completes-run',
    ],
    (base) => {
      const struck = eachJob(6);
      let last: ReturnType<typeof base.inputForHandler> | null = null;
      return {
        inputForHandler: (job) => {
          const own = base.inputForHandler(job);
          const given = struck(job) && last !== null ? last : own;
          last = own;
          return given;
        },
      };
    },
  ),
  fault(
    'now-and-then-ttl-ignored',
    'the ttl of each third job is ignored',
    [
      '2.2/ttl-removes-queued',
      '2.2/ttl-removes-running',
      '2.2/ttl-removes-completed',
      '2.2/ttl-removes-failed',
      '2.2/ttl-removes-runsync',
    ],
    (base) => {
      const struck = eachJob(3);
      return {
        ttlDeadlineMs: (job, ttlMs) =>
          struck(job) ? Number.POSITIVE_INFINITY : base.ttlDeadlineMs(job, ttlMs),
      };
    },
  ),
  fault(
    'now-and-then-timeout-ignored',
    'the executionTimeout of each third job is ignored',
    ['2.2/execution-timeout-stops-run', '2.2/execution-timeout-stops-runsync'],
    (base) => {
      const struck = eachJob(3);
      return {
        executionDeadlineMs: (job, timeoutMs) =>
          struck(job) ? Number.POSITIVE_INFINITY : base.executionDeadlineMs(job, timeoutMs),
      };
    },
  ),
  fault(
    'now-and-then-cancel-feigned',
    'each third /cancel answers CANCELLED and does nothing',
    [
      '3/cancel-running',
      '3/cancel-queued',
      '3/cancelled-stays',
      '3/cancelled-never-starts',
      '3/cancelled-never-completes',
    ],
    (base) => {
      const struck = each(3);
      let feigned = false;
      return {
        mayCancel: (status, job) => {
          feigned = base.mayCancel(status, job) && struck();
          return !feigned && base.mayCancel(status, job);
        },
        cancelOfEnded: (job) => (feigned ? 'done' : base.cancelOfEnded(job)),
        cancelOfEndedDoes: (job) => (feigned ? 'nothing' : base.cancelOfEndedDoes(job)),
      };
    },
  ),
  fault(
    'now-and-then-purge-spares',
    'each third waiting job is spared by /purge-queue',
    [
      '4.7/removes-all-waiting',
      '4.7/purged-jobs-never-run',
      '4.7/removes-waiting-runsync',
      '4.7/second-purge-removes-nothing',
    ],
    (base) => {
      const struck = eachJob(3);
      return { purgeRemoves: (job) => base.purgeRemoves(job) && !struck(job) };
    },
  ),
  fault(
    'now-and-then-webhook-forgotten',
    'the webhook of each third job is not called',
    ['6/called-on-completion-run', '6/called-on-completion-runsync'],
    (base) => {
      const struck = eachJob(3);
      return { webhookWanted: (job) => base.webhookWanted(job) && !struck(job) };
    },
  ),
  fault(
    'now-and-then-webhook-not-repeated',
    'each third failing webhook is given up after one call',
    [
      '6/three-attempts',
      '6/retries-after-error-status',
      '6/retries-after-dropped-connection',
      '6/retries-after-silence',
    ],
    (base) => {
      const struck = each(3);
      return { webhookSucceeded: (status) => base.webhookSucceeded(status) || struck() };
    },
  ),
  fault(
    'now-and-then-chunk-lost',
    'each ninth chunk of an endpoint is not delivered',
    [
      '4.4/chunks-not-lost',
      '4.4/chunks-after-end',
      '4.4/chunks-while-running',
      '2.5/chunk-output-unchanged',
      '2.5/chunk-has-output',
    ],
    (base) => {
      const struck = each(9);
      return {
        streamBody: (job, chunks) =>
          base.streamBody(
            job,
            chunks.filter(() => !struck()),
          ),
      };
    },
  ),
  fault(
    'now-and-then-chunk-repeated',
    'each ninth chunk is delivered twice',
    ['4.4/chunks-not-duplicated', '4.4/chunks-not-invented', '4.4/large-output-rejoins'],
    (base) => {
      const struck = each(9);
      return {
        streamBody: (job, chunks) =>
          base.streamBody(
            job,
            chunks.flatMap((chunk) => (struck() ? [chunk, chunk] : [chunk])),
          ),
      };
    },
  ),
  fault(
    'now-and-then-500',
    'each fortieth answer of /status has the code 500',
    ['7/no-500-in-normal-use', '4/operation-status'],
    (base) => {
      const struck = each(40);
      return { successCode: (answer) => (answer === 'status' && struck() ? 500 : base.successCode(answer)) };
    },
  ),
  fault(
    'now-and-then-removed-one-too-many',
    'each second `removed` is one too high',
    ['2.6/removed-counts-queued', '4.7/empty-queue-removes-nothing', '4.7/second-purge-removes-nothing'],
    (base) => {
      const struck = each(2);
      return { purgeCount: (removed, running) => base.purgeCount(removed, running) + (struck() ? 1 : 0) };
    },
  ),
  fault(
    'now-and-then-id-given-twice',
    'each ninth job is given the id of the job before it',
    ['2.4/id-unique'],
    (base) => {
      const struck = each(9);
      let last: string | null = null;
      return {
        newId: (made, sync) => {
          const id = struck() && last !== null ? last : base.newId(made, sync);
          last = id;
          return id;
        },
      };
    },
  ),
  fault(
    'now-and-then-retry-with-empty-input',
    'each second retried job is run with an empty input',
    ['4.6/keeps-input', '4.6/retried-job-runs', '4.6/execution-timeout-holds-again'],
    (base) => {
      const struck = eachJob(2);
      return {
        inputForHandler: (job) => (job.retries > 0 && struck(job) ? {} : base.inputForHandler(job)),
      };
    },
  ),
  fault(
    'now-and-then-second-run',
    'each sixth job that succeeds is run once more',
    [
      '1/job-processed-once',
      '3/no-return-to-queue',
      '3/success-completes-run',
      '3/success-completes-runsync',
    ],
    (base) => {
      const struck = eachJob(6);
      return {
        runsAgainAfter: (job, report) =>
          (report.kind === 'success' && job.redispatches < 1 && struck(job)) ||
          base.runsAgainAfter(job, report),
      };
    },
  ),
] as const;
