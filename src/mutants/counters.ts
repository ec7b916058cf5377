/** Faults of /health: counters that miss one of the events that change them. */
import type { EndpointCounts } from '../core/rules/health.js';
import type { Json } from '../history/events.js';
import { isObject } from '../util/json.js';
import type { Change, Changes } from './mutant.js';

type Difference = (counts: EndpointCounts) => { readonly [field: string]: number };

const changed = (
  record: Json,
  group: 'jobs' | 'workers',
  fields: { readonly [field: string]: number },
): Json =>
  isObject(record) && isObject(record[group])
    ? { ...record, [group]: { ...record[group], ...fields } }
    : record;

const jobs =
  (change: Difference): Change =>
  (base) => ({
    healthOf: (counts, everywhere) => changed(base.healthOf(counts, everywhere), 'jobs', change(counts)),
  });

const workers =
  (change: Difference): Change =>
  (base) => ({
    healthOf: (counts, everywhere) => changed(base.healthOf(counts, everywhere), 'workers', change(counts)),
  });

export const COUNTERS: Changes = {
  'health-progress-leaks-on-cancel': jobs(({ held, entered }) => ({
    inProgress: Math.max(
      held.IN_PROGRESS,
      entered.IN_PROGRESS - entered.COMPLETED - entered.FAILED - entered.TIMED_OUT,
    ),
  })),
  'health-progress-leaks-on-timeout': jobs(({ held, entered }) => ({
    inProgress: held.IN_PROGRESS + entered.TIMED_OUT,
  })),
  'health-progress-leaks-on-failure': jobs(({ held, entered }) => ({
    inProgress: held.IN_PROGRESS + entered.FAILED,
  })),
  'health-progress-leaks-on-ttl': jobs(({ held, entered }) => ({
    inProgress: Math.max(
      held.IN_PROGRESS,
      entered.IN_PROGRESS - entered.COMPLETED - entered.FAILED - entered.TIMED_OUT - entered.CANCELLED,
    ),
  })),
  'health-queue-leaks-on-removal': jobs(({ entered }) => ({
    inQueue: entered.IN_QUEUE - entered.IN_PROGRESS,
  })),
  'health-queue-counts-cancelled': jobs(({ held }) => ({ inQueue: held.IN_QUEUE + held.CANCELLED })),
  'health-queue-misses-retried': jobs(({ held, retriedFrom, entered }) => ({
    inQueue: Math.max(
      0,
      held.IN_QUEUE - (entered.IN_QUEUE > 0 ? retriedFrom.FAILED + retriedFrom.TIMED_OUT : 0),
    ),
  })),
  'health-queue-misses-low': jobs(({ held }) => ({ inQueue: Math.max(0, held.IN_QUEUE - 1) })),
  'health-queue-leaks-purged-low': (base) => {
    let kept = 0;
    return {
      ...jobs(({ held }) => ({ inQueue: held.IN_QUEUE + kept }))(base),
      purgeRemoves: (job) => {
        const isRemoved = base.purgeRemoves(job);
        if (isRemoved && job.submission.policy.lowPriority === true) kept += 1;
        return isRemoved;
      },
    };
  },
  'health-completed-with-timed-out': jobs(({ entered }) => ({
    completed: entered.COMPLETED + entered.TIMED_OUT,
  })),
  'health-completed-with-removed': jobs(({ held, entered, retriedFrom }) => ({
    completed:
      entered.IN_QUEUE - held.IN_QUEUE - held.IN_PROGRESS - retriedFrom.FAILED - retriedFrom.TIMED_OUT,
  })),
  'health-completed-at-start': jobs(({ entered }) => ({ completed: entered.IN_PROGRESS })),
  'health-workers-swapped': workers(({ idle, running }) => ({ idle: running, running: idle })),
  'health-running-with-waiting': workers(({ running, held }) => ({ running: running + held.IN_QUEUE })),
  'health-idle-less-waiting': workers(({ idle, held }) => ({ idle: idle - held.IN_QUEUE })),
  'health-as-of-before': (base) => {
    let before: Json | null = null;
    return {
      healthOf: (counts, everywhere) => {
        const now = base.healthOf(counts, everywhere);
        const shown = before ?? now;
        before = now;
        return shown;
      },
    };
  },
};
