/**
 * Intermittent faults, which occur every n-th time: how errors of timing, memory or load look from outside.
 */
import type { Rules } from '../core/rules.js';
import type { JobView } from '../core/entities.js';
import type { Change, Changes } from './mutant.js';

/** True at every n-th call. */
function counter(n: number): () => boolean {
  let calls = 0;
  return () => (calls += 1) % n === 0;
}

/** A fault that occurs every n-th time. */
const everyNthTime =
  (n: number, change: (base: Rules, fires: () => boolean) => Partial<Rules>): Change =>
  (base) =>
    change(base, counter(n));

/** A fault of every n-th job, the same at every call for that job. */
const everyNthJob =
  (n: number, change: (base: Rules, fires: (job: JobView) => boolean) => Partial<Rules>): Change =>
  (base) => {
    const known = new WeakMap<JobView, boolean>();
    const next = counter(n);
    return change(base, (job) => {
      if (!known.has(job)) known.set(job, next());
      return known.get(job)!;
    });
  };

export const INTERMITTENT: Changes = {
  'now-and-then-job-lost': everyNthJob(7, (base, fires) => ({
    hiddenFromStatus: (job, nowMs) => fires(job) || base.hiddenFromStatus(job, nowMs),
  })),
  'now-and-then-success-fails': everyNthTime(5, (base, fires) => ({
    endingOf: (report) =>
      report.kind === 'success' && fires()
        ? { status: 'FAILED', output: undefined, error: 'internal error' }
        : base.endingOf(report),
  })),
  'now-and-then-end-unnoticed': everyNthTime(5, (base, fires) => ({
    reportCounts: (job, report) =>
      base.reportCounts(job, report) && !(report.kind !== 'stream' && report.kind !== 'progress' && fires()),
  })),
  'now-and-then-worker-lost': everyNthTime(4, (base, fires) => ({
    freesWorkerOn: (reason) => base.freesWorkerOn(reason) && !fires(),
  })),
  'now-and-then-stale-status': everyNthTime(4, (base, fires) => {
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
  }),
  'now-and-then-goes-back': everyNthTime(4, (base, fires) => ({
    statusShown: (job, view) =>
      view === 'status' && job.status === 'IN_PROGRESS' && fires() ? 'IN_QUEUE' : base.statusShown(job, view),
  })),
  'now-and-then-not-found': everyNthTime(8, (base, fires) => ({
    hiddenFromStatus: (job, nowMs) => fires() || base.hiddenFromStatus(job, nowMs),
  })),
  'now-and-then-output-of-another': everyNthJob(6, (base, fires) => {
    let last: Parameters<typeof base.outputKept>[1];
    return {
      outputKept: (job, output) => {
        const kept = fires(job) && last !== undefined && output !== undefined ? last : output;
        last = output;
        return base.outputKept(job, kept);
      },
    };
  }),
  'now-and-then-input-of-another': everyNthJob(6, (base, fires) => {
    let last: ReturnType<typeof base.inputForHandler> | null = null;
    return {
      inputForHandler: (job) => {
        const own = base.inputForHandler(job);
        const given = fires(job) && last !== null ? last : own;
        last = own;
        return given;
      },
    };
  }),
  'now-and-then-ttl-ignored': everyNthJob(3, (base, fires) => ({
    ttlDeadlineMs: (job, ttlMs) => (fires(job) ? Number.POSITIVE_INFINITY : base.ttlDeadlineMs(job, ttlMs)),
  })),
  'now-and-then-timeout-ignored': everyNthJob(3, (base, fires) => ({
    executionDeadlineMs: (job, timeoutMs) =>
      fires(job) ? Number.POSITIVE_INFINITY : base.executionDeadlineMs(job, timeoutMs),
  })),
  'now-and-then-cancel-feigned': everyNthTime(3, (base, fires) => {
    let feigned = false;
    return {
      mayCancel: (status, job) => {
        feigned = base.mayCancel(status, job) && fires();
        return !feigned && base.mayCancel(status, job);
      },
      cancelOfEnded: (job) => (feigned ? 'done' : base.cancelOfEnded(job)),
      cancelOfEndedDoes: (job) => (feigned ? 'nothing' : base.cancelOfEndedDoes(job)),
    };
  }),
  'now-and-then-purge-spares': everyNthJob(3, (base, fires) => ({
    purgeRemoves: (job) => base.purgeRemoves(job) && !fires(job),
  })),
  'now-and-then-webhook-forgotten': everyNthJob(3, (base, fires) => ({
    webhookWanted: (job) => base.webhookWanted(job) && !fires(job),
  })),
  'now-and-then-webhook-not-repeated': everyNthTime(3, (base, fires) => ({
    webhookSucceeded: (status) => base.webhookSucceeded(status) || fires(),
  })),
  'now-and-then-chunk-lost': everyNthTime(9, (base, fires) => ({
    streamBody: (job, chunks) =>
      base.streamBody(
        job,
        chunks.filter(() => !fires()),
      ),
  })),
  'now-and-then-chunk-repeated': everyNthTime(9, (base, fires) => ({
    streamBody: (job, chunks) =>
      base.streamBody(
        job,
        chunks.flatMap((chunk) => (fires() ? [chunk, chunk] : [chunk])),
      ),
  })),
  'now-and-then-500': everyNthTime(40, (base, fires) => ({
    successCode: (answer) => (answer === 'status' && fires() ? 500 : base.successCode(answer)),
  })),
  'now-and-then-removed-one-too-many': everyNthTime(2, (base, fires) => ({
    purgeCount: (removed, running) => base.purgeCount(removed, running) + (fires() ? 1 : 0),
  })),
  'now-and-then-id-given-twice': everyNthTime(9, (base, fires) => {
    let last: string | null = null;
    return {
      newId: (made, sync) => {
        const id = fires() && last !== null ? last : base.newId(made, sync);
        last = id;
        return id;
      },
    };
  }),
  'now-and-then-retry-with-empty-input': everyNthJob(2, (base, fires) => ({
    inputForHandler: (job) => (job.retries > 0 && fires(job) ? {} : base.inputForHandler(job)),
  })),
  'now-and-then-second-run': everyNthJob(6, (base, fires) => ({
    redispatchesAfter: (job, report) =>
      (report.kind === 'success' && job.redispatches < 1 && fires(job)) ||
      base.redispatchesAfter(job, report),
  })),
};
