/** Faults of /health: counters that miss one of the events that change them. */
import type { EndpointCounts } from '../core/rules/health.js';
import type { Json } from '../history/events.js';
import { isObject } from '../util/json.js';
import { fault } from './mutant.js';

type Change = (counts: EndpointCounts) => { readonly [field: string]: number };

const changed = (
  record: Json,
  group: 'jobs' | 'workers',
  fields: { readonly [field: string]: number },
): Json =>
  isObject(record) && isObject(record[group])
    ? { ...record, [group]: { ...record[group], ...fields } }
    : record;

const jobs = (id: string, title: string, breaks: Parameters<typeof fault>[2], change: Change) =>
  fault(id, title, breaks, (base) => ({
    healthOf: (counts, everywhere) => changed(base.healthOf(counts, everywhere), 'jobs', change(counts)),
  }));

const workers = (id: string, title: string, breaks: Parameters<typeof fault>[2], change: Change) =>
  fault(id, title, breaks, (base) => ({
    healthOf: (counts, everywhere) => changed(base.healthOf(counts, everywhere), 'workers', change(counts)),
  }));

export const COUNTERS = [
  jobs(
    'health-progress-leaks-on-cancel',
    'jobs cancelled while running still count in jobs.inProgress',
    ['4.8/counts-in-progress'],
    ({ held, entered }) => ({
      inProgress: Math.max(
        held.IN_PROGRESS,
        entered.IN_PROGRESS - entered.COMPLETED - entered.FAILED - entered.TIMED_OUT,
      ),
    }),
  ),
  jobs(
    'health-progress-leaks-on-timeout',
    'timed-out jobs still count in jobs.inProgress',
    ['4.8/counts-in-progress'],
    ({ held, entered }) => ({ inProgress: held.IN_PROGRESS + entered.TIMED_OUT }),
  ),
  jobs(
    'health-progress-leaks-on-failure',
    'failed jobs still count in jobs.inProgress',
    ['4.8/counts-in-progress'],
    ({ held, entered }) => ({ inProgress: held.IN_PROGRESS + entered.FAILED }),
  ),
  jobs(
    'health-progress-leaks-on-ttl',
    'jobs deleted while running still count in jobs.inProgress',
    ['4.8/counts-in-progress'],
    ({ held, entered }) => ({
      inProgress: Math.max(
        held.IN_PROGRESS,
        entered.IN_PROGRESS - entered.COMPLETED - entered.FAILED - entered.TIMED_OUT - entered.CANCELLED,
      ),
    }),
  ),
  jobs(
    'health-queue-leaks-on-removal',
    'jobs cancelled, purged or deleted while waiting still count in jobs.inQueue',
    ['4.8/counts-in-queue', '3/cancelled-leaves-queue', '2.2/ttl-expired-leaves-queue'],
    ({ entered }) => ({ inQueue: entered.IN_QUEUE - entered.IN_PROGRESS }),
  ),
  jobs(
    'health-queue-counts-cancelled',
    'cancelled jobs still count in jobs.inQueue',
    ['4.8/counts-in-queue', '3/cancelled-leaves-queue'],
    ({ held }) => ({ inQueue: held.IN_QUEUE + held.CANCELLED }),
  ),
  jobs(
    'health-queue-misses-retried',
    'waiting retried jobs are not counted in jobs.inQueue',
    ['4.8/counts-in-queue'],
    ({ held, retriedFrom, entered }) => ({
      inQueue: Math.max(
        0,
        held.IN_QUEUE - (entered.IN_QUEUE > 0 ? retriedFrom.FAILED + retriedFrom.TIMED_OUT : 0),
      ),
    }),
  ),
  jobs('health-queue-misses-low', 'jobs.inQueue is one too low', ['4.8/counts-in-queue'], ({ held }) => ({
    inQueue: Math.max(0, held.IN_QUEUE - 1),
  })),
  jobs(
    'health-completed-with-timed-out',
    'jobs.completed also counts timed-out jobs',
    ['4.8/completed-counts-nothing-else'],
    ({ entered }) => ({ completed: entered.COMPLETED + entered.TIMED_OUT }),
  ),
  jobs(
    'health-completed-with-removed',
    'jobs.completed counts every job that neither waits nor runs',
    ['4.8/completed-counts-nothing-else'],
    ({ held, entered, retriedFrom }) => ({
      completed:
        entered.IN_QUEUE - held.IN_QUEUE - held.IN_PROGRESS - retriedFrom.FAILED - retriedFrom.TIMED_OUT,
    }),
  ),
  jobs(
    'health-completed-at-start',
    'jobs.completed counts a job when it starts',
    ['4.8/completed-counts-nothing-else', '4.8/counts-completed'],
    ({ entered }) => ({ completed: entered.IN_PROGRESS }),
  ),
  workers(
    'health-workers-swapped',
    'workers.idle and workers.running are swapped',
    ['4.8/counts-workers-idle', '4.8/counts-workers-running'],
    ({ idle, running }) => ({ idle: running, running: idle }),
  ),
  workers(
    'health-running-with-waiting',
    'workers.running also counts waiting jobs',
    ['4.8/counts-workers-running'],
    ({ running, held }) => ({ running: running + held.IN_QUEUE }),
  ),
  workers(
    'health-idle-less-waiting',
    'workers.idle is reduced by each waiting job, also below zero',
    ['2.7/workers-idle', '4.8/counts-workers-idle'],
    ({ idle, held }) => ({ idle: idle - held.IN_QUEUE }),
  ),
  fault(
    'health-as-of-before',
    '/health returns the record of the previous call',
    ['4.8/counts-in-queue', '4.8/counts-in-progress', '4.8/counts-completed'],
    (base) => {
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
  ),
] as const;
