/**
 * Faults that violate exactly one rule of the life-cycle and show nowhere else: they test single rows of the
 * oracle's tables.
 */
import type { Rules } from '../core/rules.js';
import type { JobView } from '../core/entities.js';
import type { Changes } from './mutant.js';

const isWaiting = ({ status }: JobView): boolean => status === 'IN_QUEUE';
const isRunning = ({ status }: JobView): boolean => status === 'IN_PROGRESS';
const hasCompleted = ({ status }: JobView): boolean => status === 'COMPLETED';
/** Two thirds of a given ttl. */
const earlier = ({ submission: { policy } }: JobView, ttlMs: number): number =>
  policy.ttlMs === null ? ttlMs : Math.floor((ttlMs * 2) / 3);

const NEVER = Number.POSITIVE_INFINITY;
const MINUTE_MS = 60_000;

type IsOver = (job: JobView, nowMs: number) => boolean;

const isTtlOver =
  (base: Rules): IsOver =>
  (job, nowMs) =>
    nowMs >= base.ttlDeadlineMs(job, base.ttlMs(job));
const isAMinuteOld: IsOver = ({ op, waitMs, status, endedMs }, nowMs) =>
  op === 'runsync' && waitMs !== null && status === 'COMPLETED' && nowMs >= endedMs! + MINUTE_MS;

const ttlLate =
  (base: Rules): Rules['firesAtMs'] =>
  (timer, dueMs) =>
    base.firesAtMs(timer, timer === 'ttl' ? dueMs + 1_000 : dueMs);
const fiveWithWait =
  (base: Rules): Rules['retentionMs'] =>
  (job) =>
    job.op === 'runsync' && job.waitMs !== null ? 5 * MINUTE_MS : base.retentionMs(job);

/**
 * Once `/status` has not found an expired job, no operation finds it but `spared`, which answers success
 * without effect.
 */
function forgottenFirst(base: Rules, isOver: IsOver, spared: 'cancel' | 'retry'): Partial<Rules> {
  const missed = new WeakSet<JobView>();
  return {
    hiddenFromStatus(job, nowMs) {
      if (isOver(job, nowMs)) missed.add(job);
      return isOver(job, nowMs) || base.hiddenFromStatus(job, nowMs);
    },
    mayCancel: (status, job) => !missed.has(job) && base.mayCancel(status, job),
    cancelOfEnded: (job) => (missed.has(job) ? answerOf('cancel') : base.cancelOfEnded(job)),
    mayRetry: (status, retries, job) => !missed.has(job) && base.mayRetry(status, retries, job),
    retryOfOther: (job) => (missed.has(job) ? answerOf('retry') : base.retryOfOther(job)),
    streamAnswer: (job) => (missed.has(job) ? 'not-found' : base.streamAnswer(job)),
  };

  function answerOf(op: 'cancel' | 'retry'): 'done' | 404 {
    return op === spared ? 'done' : 404;
  }
}

export const NARROW: Changes = {
  'ttl-early-when-completed': (base) => ({
    ttlMs: (job) => (hasCompleted(job) ? earlier(job, base.ttlMs(job)) : base.ttlMs(job)),
  }),
  'ttl-early-in-queue': (base) => ({
    ttlMs: (job) => (isWaiting(job) ? earlier(job, base.ttlMs(job)) : base.ttlMs(job)),
  }),
  'ttl-of-running-after-its-call': (base) => ({
    ttlDeadlineMs(job, ttlMs) {
      const answeredMs = job.submittedMs + base.waitMs(job.waitMs) + 1;
      const overMs = base.ttlDeadlineMs(job, ttlMs);
      return job.op === 'runsync' && isRunning(job) ? Math.max(answeredMs, overMs) : overMs;
    },
    // In between, the job is not found, either.
    hiddenFromStatus: (job, nowMs) =>
      (job.outlivedWait && isTtlOver(base)(job, nowMs)) || base.hiddenFromStatus(job, nowMs),
  }),
  'ttl-given-not-in-queue': (base) => ({
    ttlDeadlineMs: (job, ttlMs) =>
      isWaiting(job) && job.submission.policy.ttlMs !== null ? NEVER : base.ttlDeadlineMs(job, ttlMs),
  }),
  'retention-of-runsync-without-wait': (base) => ({
    retentionMs: (job) =>
      hasCompleted(job) && job.op === 'runsync' && job.waitMs === null
        ? 10 * MINUTE_MS
        : base.retentionMs(job),
  }),
  'cancelled-starts-unseen': (base) => {
    const marked = new WeakSet<JobView>();
    const isMarked = (job: JobView): boolean => isWaiting(job) && marked.has(job);
    return {
      mayCancel: (status, job) => status !== 'IN_QUEUE' && base.mayCancel(status, job),
      cancelOfEnded(job) {
        if (!isWaiting(job)) return base.cancelOfEnded(job);
        marked.add(job);
        return 'done';
      },
      statusShown: (job, view) =>
        view === 'status' && isMarked(job) ? 'CANCELLED' : base.statusShown(job, view),
      purgeRemoves: (job) => !isMarked(job) && base.purgeRemoves(job),
      healthOf: (counts, everywhere) => {
        const hidden = [...counts.jobs].filter(isMarked).length;
        const { held } = counts;
        return base.healthOf({ ...counts, held: { ...held, IN_QUEUE: held.IN_QUEUE - hidden } }, everywhere);
      },
    };
  },
  'cancelled-after-its-end-for-one-read': (base) => {
    const marked = new WeakSet<JobView>();
    return {
      cancelOfEnded(job) {
        if (!hasCompleted(job)) return base.cancelOfEnded(job);
        marked.add(job);
        return 'done';
      },
      statusShown: (job, view) =>
        view === 'status' && marked.delete(job) ? 'CANCELLED' : base.statusShown(job, view),
    };
  },
  'timed-out-forgotten-when-read': (base) => ({
    readConsumes: (job, op) => job.status === 'TIMED_OUT' || base.readConsumes(job, op),
  }),
  'retry-shows-completed-waiting': (base) => {
    const marked = new WeakSet<JobView>();
    return {
      retryOfOther(job) {
        if (!hasCompleted(job)) return base.retryOfOther(job);
        marked.add(job);
        return 'done';
      },
      statusShown: (job, view) => (marked.has(job) ? 'IN_QUEUE' : base.statusShown(job, view)),
      outputShown: (job, view) => (marked.has(job) ? undefined : base.outputShown(job, view)),
    };
  },
  'retry-shows-running-waiting': (base) => {
    const marked = new WeakSet<JobView>();
    return {
      retryOfOther(job) {
        if (!isRunning(job)) return base.retryOfOther(job);
        marked.add(job);
        return 'done';
      },
      statusShown: (job, view) =>
        marked.has(job) && isRunning(job) ? 'IN_QUEUE' : base.statusShown(job, view),
    };
  },
  'purged-run-later': (base) => {
    const hidden = new WeakSet<JobView>();
    const isHidden = (job: JobView): boolean => isWaiting(job) && hidden.has(job);
    let spared = 0;
    return {
      purgeRemoves(job) {
        if (isHidden(job) || !base.purgeRemoves(job)) return false;
        if (job.op !== 'run') return true;
        hidden.add(job);
        spared += 1;
        return false;
      },
      purgeCount(removed, running) {
        const count = removed + spared;
        spared = 0;
        return base.purgeCount(count, running);
      },
      hiddenFromStatus: (job, nowMs) => isHidden(job) || base.hiddenFromStatus(job, nowMs),
      healthOf: (counts, everywhere) => {
        const { held } = counts;
        const waiting = held.IN_QUEUE - [...counts.jobs].filter(isHidden).length;
        return base.healthOf({ ...counts, held: { ...held, IN_QUEUE: waiting } }, everywhere);
      },
    };
  },
  'looked-at-often-shown-cancelled': (base) => {
    const reads = new WeakMap<JobView, number>();
    return {
      statusShown(job, view) {
        const before = reads.get(job) ?? 0;
        if (view === 'status' && isRunning(job) && job.submission.policy.executionTimeoutMs === null)
          reads.set(job, before + 1);
        return view === 'status' && before >= 3 ? 'CANCELLED' : base.statusShown(job, view);
      },
    };
  },
  'expired-job-cancelled-once-more': (base) => ({
    ...forgottenFirst(base, isTtlOver(base), 'cancel'),
    firesAtMs: ttlLate(base),
  }),
  'expired-job-retried-once-more': (base) => ({
    ...forgottenFirst(base, isTtlOver(base), 'retry'),
    firesAtMs: ttlLate(base),
  }),
  'expired-result-cancelled-once-more': (base) => ({
    ...forgottenFirst(base, isAMinuteOld, 'cancel'),
    retentionMs: fiveWithWait(base),
  }),
  'expired-failure-retried-once-more': (base) => ({
    ...forgottenFirst(
      base,
      (job, nowMs) => job.status === 'FAILED' && nowMs >= job.endedMs! + base.retentionMs(job),
      'retry',
    ),
    retentionMs: (job) => (job.status === 'FAILED' ? NEVER : base.retentionMs(job)),
  }),
  'expired-result-found-now-and-then': (base) => {
    let reads = 0;
    return {
      retentionMs: fiveWithWait(base),
      hiddenFromStatus: (job, nowMs) =>
        (isAMinuteOld(job, nowMs) && ++reads % 2 === 1) || base.hiddenFromStatus(job, nowMs),
    };
  },
};
