import type { EndpointSnapshot } from '../core/saved/snapshot.js';
import { NAMES_IN_PATHS } from '../spec/operation-of.js';
import { createMetrics } from '../wire/metrics.js';
import type { ServerObserver } from './observer.js';
import { operationNameIn } from './calls/request-target.js';

/** The server's Prometheus metrics. No label value is chosen by a client or a job. */
export interface ServerMetrics extends ServerObserver {
  readonly contentType: string;
  /** The metrics in Prometheus' text format; gauges are set from `endpoints`. */
  text(endpoints: readonly EndpointSnapshot[]): Promise<string>;
}

export const METRICS_PATH = '/metrics';

const CALL_BUCKETS_S = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60, 300];
const QUEUE_BUCKETS_S = [0.01, 0.1, 1, 5, 30, 120, 600, 3_600, 86_400];

/** Loads the Prometheus library, which is needed only with metrics. */
export async function createServerMetrics(): Promise<ServerMetrics> {
  const metrics = await createMetrics({ ofProcess: true });
  const calls = metrics.counter(
    'runproof_requests_total',
    'API calls by operation and status code; "none" where the client went away first',
    ...['operation', 'code'],
  );
  const durations = metrics.histogram(
    'runproof_request_duration_seconds',
    'Real time from the arrival of an API call to the end of its answer, waits included',
    CALL_BUCKETS_S,
    'operation',
  );
  const jobs = metrics.gauge('runproof_jobs', 'Jobs held now, over all endpoints', 'status');
  const workers = metrics.gauge('runproof_workers', 'Workers there are now, over all endpoints', 'state');
  const endpointCount = metrics.gauge('runproof_endpoints', 'Endpoints there are now');
  const queued = metrics.histogram(
    'runproof_queue_wait_seconds',
    "Time jobs stood in the queue before a worker took them, on the endpoints' own clock",
    QUEUE_BUCKETS_S,
  );
  const webhooks = metrics.counter(
    'runproof_webhook_calls_total',
    'Webhook calls that have ended; "none" where there was no answer',
    'code',
  );

  return {
    called(_method, target) {
      const operation = operationIn(target);
      const stop = durations.startTimer({ operation });
      return ({ status }) => {
        stop();
        calls.inc({ operation, code: status ?? 'none' });
      };
    },
    started: (queuedForMs) => queued.observe(queuedForMs / 1000),
    // A receiver may answer any three-digit number, so only the first digit becomes a label.
    webhookCalled:
      () =>
      ({ status }) =>
        webhooks.inc({ code: status === null ? 'none' : `${Math.floor(status / 100)}xx` }),
    contentType: metrics.contentType,
    text(endpoints) {
      endpointCount.set(endpoints.length);
      sum(endpoints, ({ held }) => held).forEach(([status, count]) => jobs.set({ status }, count));
      sum(endpoints, (endpoint) => endpoint.workers).forEach(([state, count]) =>
        workers.set({ state }, count),
      );
      return metrics.text();
    },
  };
}

/** The operation that a path names; `worker` for calls of remote workers, `other` for everything else. */
function operationIn(target: string): string {
  const named = operationNameIn(target);
  if (named === 'ping' || named.startsWith('job-')) return 'worker';
  return NAMES_IN_PATHS.includes(named) ? named : 'other';
}

const NOTHING: EndpointSnapshot = {
  id: '',
  workers: { starting: 0, idle: 0, running: 0, restarting: 0 },
  workersMax: 0,
  pool: [],
  held: { IN_QUEUE: 0, IN_PROGRESS: 0, COMPLETED: 0, FAILED: 0, CANCELLED: 0, TIMED_OUT: 0 },
  jobs: [],
};

/** Sums counts over all endpoints; zeros are included. */
function sum(
  endpoints: readonly EndpointSnapshot[],
  counts: (endpoint: EndpointSnapshot) => { readonly [name: string]: number },
): readonly (readonly [string, number])[] {
  return Object.keys(counts(NOTHING)).map((name) => [
    name,
    endpoints.reduce((total, endpoint) => total + counts(endpoint)[name]!, 0),
  ]);
}
