/** Section 2.7: what /health counts. */
import type { Json } from '../../history/events.js';
import type { JobStatus } from '../../spec/types.js';
import { zeroCounts, type JobView, type StatusCounts } from '../entities.js';
import type { ReadingOf } from './reads.js';

export interface EndpointCounts {
  /** Jobs that exist now, by status. */
  readonly held: Readonly<StatusCounts>;
  /** How many times each status was entered since the endpoint was created. */
  readonly entered: Readonly<StatusCounts>;
  /** How many times each status was left by /retry. */
  readonly retriedFrom: Readonly<StatusCounts>;
  /** How many times the service ran a job again by itself. */
  readonly redispatched: number;
  /** Workers that are starting or restarting. */
  readonly initializing: number;
  readonly idle: number;
  readonly running: number;
  /** The most workers that it may have. */
  readonly workersMax: number;
  /** The jobs that exist now. */
  readonly jobs: Iterable<JobView>;
  readonly nowMs: number;
}

/** The period of counters that cover recent jobs only: the shortest retention in the document. */
const RECENT_MS = 60_000;

/** The jobs that ended, and those that were retried, within the last minute. */
function recentOf({ jobs, nowMs }: EndpointCounts): { ended: StatusCounts; retried: number } {
  const ended = zeroCounts();
  let retried = 0;
  for (const { status, endedMs, retries, queuedMs } of jobs) {
    if (endedMs !== null && endedMs > nowMs - RECENT_MS) ended[status] += 1;
    if (retries > 0 && queuedMs > nowMs - RECENT_MS) retried += 1;
  }
  return { ended, retried };
}

export function healthRules(readingOf: ReadingOf) {
  const countersWindow = readingOf('2.7/counters-window');
  const failedTimedOut = readingOf('2.7/failed-includes-timed-out') === 'yes' ? 1 : 0;
  const failedCancelled = readingOf('2.7/failed-includes-cancelled') === 'yes' ? 1 : 0;
  const failedAfterRetry = readingOf('2.7/failed-after-retry');
  const retriedCounts = readingOf('2.7/retried-counts');
  const idleMeans = readingOf('2.7/workers-idle-meaning');
  const runningMeans = readingOf('2.7/workers-running-meaning');
  const moreHealth = readingOf('2.7/other-fields') === 'some';

  return {
    /** §2.7: the health record. */
    healthOf: (counts: EndpointCounts, _everywhere: () => readonly EndpointCounts[]): Json => {
      const recent = countersWindow === 'recent' ? recentOf(counts) : null;
      const { held, retriedFrom } = counts;
      const ended = recent?.ended ?? (countersWindow === 'retained' ? held : counts.entered);
      const fallen = failedAfterRetry === 'falls' && ended === counts.entered;
      const failures = (status: JobStatus): number => ended[status] - (fallen ? retriedFrom[status] : 0);
      const live = counts.idle + counts.running;
      const unused = Math.max(0, counts.workersMax - counts.running);
      const idle = idleMeans === 'every' ? live : idleMeans === 'all' ? unused : counts.idle;
      const retryCalls = recent?.retried ?? retriedFrom.FAILED + retriedFrom.TIMED_OUT;
      return {
        jobs: {
          completed: ended.COMPLETED,
          failed:
            failures('FAILED') + failedTimedOut * failures('TIMED_OUT') + failedCancelled * ended.CANCELLED,
          inProgress: held.IN_PROGRESS,
          inQueue: held.IN_QUEUE,
          retried:
            (retriedCounts === 're-dispatches' ? 0 : retryCalls) +
            (retriedCounts === 'retry-calls' ? 0 : counts.redispatched),
        },
        workers: {
          idle,
          ...(moreHealth ? { initializing: counts.initializing, ready: counts.idle } : {}),
          running: runningMeans === 'live' ? live : counts.running,
          ...(moreHealth ? { throttled: 0, unhealthy: 0 } : {}),
        },
      };
    },
  };
}
