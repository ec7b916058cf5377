/**
 * Faults that violate exactly one rule of the life-cycle and show nowhere else: they test single rows of the
 * oracle's tables.
 */
import type { Rules } from '../core/rules.js';
import type { JobView } from '../core/entities.js';
import { fault } from './mutant.js';

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

export const NARROW = [
  fault(
    'ttl-early-when-completed',
    'a completed job is deleted after two thirds of its ttl',
    ['2.2/ttl-not-early-completed'],
    (base) => ({
      ttlMs: (job) => (hasCompleted(job) ? earlier(job, base.ttlMs(job)) : base.ttlMs(job)),
    }),
  ),
  fault(
    'ttl-early-in-queue',
    'a waiting job is deleted after two thirds of its ttl',
    ['2.2/ttl-not-early-queued'],
    (base) => ({
      ttlMs: (job) => (isWaiting(job) ? earlier(job, base.ttlMs(job)) : base.ttlMs(job)),
    }),
  ),
  fault(
    'ttl-of-running-after-its-call',
    'a ttl that ends while a /runsync job runs takes effect only once its call is answered',
    ['2.2/ttl-removes-runsync', '2.2/ttl-removes-running', '4.1/wait-answers-on-ttl'],
    (base) => ({
      ttlDeadlineMs(job, ttlMs) {
        const answeredMs = job.submittedMs + base.waitMs(job.waitMs) + 1;
        const overMs = base.ttlDeadlineMs(job, ttlMs);
        return job.op === 'runsync' && isRunning(job) ? Math.max(answeredMs, overMs) : overMs;
      },
      // In between, the job is not found, either.
      hiddenFromStatus: (job, nowMs) =>
        (job.outlivedWait && isTtlOver(base)(job, nowMs)) || base.hiddenFromStatus(job, nowMs),
    }),
  ),
  fault(
    'ttl-given-not-in-queue',
    'a given ttl does not delete waiting jobs; only the default does',
    ['2.2/ttl-removes-queued', '7/ttl-expired-status'],
    (base) => ({
      ttlDeadlineMs: (job, ttlMs) =>
        isWaiting(job) && job.submission.policy.ttlMs !== null ? NEVER : base.ttlDeadlineMs(job, ttlMs),
    }),
  ),
  fault(
    'retention-of-runsync-without-wait',
    'a result of /runsync without `wait` is kept for ten minutes',
    ['4.1/retention-gone', '7/result-expired-status'],
    (base) => ({
      retentionMs: (job) =>
        hasCompleted(job) && job.op === 'runsync' && job.waitMs === null
          ? 10 * MINUTE_MS
          : base.retentionMs(job),
    }),
  ),
  fault(
    'cancelled-starts-unseen',
    'a waiting job that was cancelled shows CANCELLED, but runs when a worker becomes free',
    ['3/cancelled-never-starts'],
    (base) => {
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
          return base.healthOf(
            { ...counts, held: { ...held, IN_QUEUE: held.IN_QUEUE - hidden } },
            everywhere,
          );
        },
      };
    },
  ),
  fault(
    'cancelled-after-its-end-for-one-read',
    'after /cancel of a completed job the next /status shows CANCELLED, later ones COMPLETED',
    ['3/cancelled-stays'],
    (base) => {
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
  ),
  fault(
    'timed-out-forgotten-when-read',
    'a timed-out job is deleted once /status has shown it',
    ['3/timed-out-stays', '4.3/reading-does-not-consume'],
    (base) => ({
      readConsumes: (job, op) => job.status === 'TIMED_OUT' || base.readConsumes(job, op),
    }),
  ),
  fault(
    'retry-shows-completed-waiting',
    '/retry of a completed job answers IN_QUEUE, and the job then shows as waiting',
    ['4.6/no-effect-on-completed', '4.6/refused-for-completed'],
    (base) => {
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
  ),
  fault(
    'retry-shows-running-waiting',
    '/retry of a running job answers IN_QUEUE, and the job shows as waiting while it runs',
    ['4.6/no-effect-in-progress', '4.6/refused-in-progress'],
    (base) => {
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
  ),
  fault(
    'purged-run-later',
    '/purge-queue only hides the waiting jobs of /run; they run when a worker becomes free',
    ['4.7/purged-jobs-never-run'],
    (base) => {
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
  ),
  fault(
    'looked-at-often-shown-cancelled',
    'from the fourth call on, /status shows a running job with the default executionTimeout as CANCELLED',
    ['4.3/shows-current-state', '3/start-moves-to-in-progress'],
    (base) => {
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
  ),
  fault(
    'expired-job-cancelled-once-more',
    'for one second after the ttl, /cancel still accepts a job that /status no longer finds',
    ['7/ttl-expired-cancel', '4.3/shows-current-state'],
    (base) => ({ ...forgottenFirst(base, isTtlOver(base), 'cancel'), firesAtMs: ttlLate(base) }),
  ),
  fault(
    'expired-job-retried-once-more',
    'for one second after the ttl, /retry still accepts a job that /status no longer finds',
    ['4.6/expired-by-ttl-not-retried', '7/ttl-expired-retry', '4.3/shows-current-state'],
    (base) => ({ ...forgottenFirst(base, isTtlOver(base), 'retry'), firesAtMs: ttlLate(base) }),
  ),
  fault(
    'expired-result-cancelled-once-more',
    '/status forgets a result of /runsync with `wait` after one minute, /cancel after five',
    ['7/result-expired-cancel', '4.3/shows-current-state'],
    (base) => ({ ...forgottenFirst(base, isAMinuteOld, 'cancel'), retentionMs: fiveWithWait(base) }),
  ),
  fault(
    'expired-failure-retried-once-more',
    '/retry of a failed job that /status no longer finds answers IN_QUEUE, but has no effect',
    [
      '4.6/expired-result-not-retried',
      '7/result-expired-retry',
      '7/result-expired-run-retry',
      '4.3/shows-current-state',
    ],
    (base) => ({
      ...forgottenFirst(
        base,
        (job, nowMs) => job.status === 'FAILED' && nowMs >= job.endedMs! + base.retentionMs(job),
        'retry',
      ),
      retentionMs: (job) => (job.status === 'FAILED' ? NEVER : base.retentionMs(job)),
    }),
  ),
  fault(
    'expired-result-found-now-and-then',
    'from minute 2 to 5, every second /status does not find a result of /runsync with `wait`',
    ['7/result-expired-status', '4.3/shows-current-state'],
    (base) => {
      let reads = 0;
      return {
        retentionMs: fiveWithWait(base),
        hiddenFromStatus: (job, nowMs) =>
          (isAMinuteOld(job, nowMs) && ++reads % 2 === 1) || base.hiddenFromStatus(job, nowMs),
      };
    },
  ),
] as const;
