import type { EndpointSnapshot } from '../core/saved/snapshot.js';
import { NAMES_IN_PATHS } from '../spec/operation-of.js';
import type { ServerObserver } from './observer.js';
import { operationNameIn } from './calls/request-target.js';

/** The server's Prometheus metrics. No label value is chosen by a client or a job. */
export interface Metrics extends ServerObserver {
  readonly contentType: string;
  /** The metrics in Prometheus' text format; gauges are set from `endpoints`. */
  text(endpoints: readonly EndpointSnapshot[]): Promise<string>;
}

export const METRICS_PATH = '/metrics';

const CALL_BUCKETS_S = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60, 300];
const QUEUE_BUCKETS_S = [0.01, 0.1, 1, 5, 30, 120, 600, 3_600, 86_400];

/** Loads the Prometheus library, which is needed only with metrics. */
export async function createMetrics(): Promise<Metrics> {
  const { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } = (await import('prom-client'))
    .default;
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const calls = new Counter({
    name: 'runproof_requests_total',
    help: 'API calls by operation and status code; "none" where the client went away first',
    labelNames: ['operation', 'code'],
    registers,
  });
  const durations = new Histogram({
    name: 'runproof_request_duration_seconds',
    help: 'Real time from the arrival of an API call to the end of its answer, waits included',
    labelNames: ['operation'],
    buckets: CALL_BUCKETS_S,
    registers,
  });
  const jobs = new Gauge({
    name: 'runproof_jobs',
    help: 'Jobs held now, over all endpoints',
    labelNames: ['status'],
    registers,
  });
  const workers = new Gauge({
    name: 'runproof_workers',
    help: 'Workers there are now, over all endpoints',
    labelNames: ['state'],
    registers,
  });
  const endpointCount = new Gauge({ name: 'runproof_endpoints', help: 'Endpoints there are now', registers });
  const queued = new Histogram({
    name: 'runproof_queue_wait_seconds',
    help: "Time jobs stood in the queue before a worker took them, on the endpoints' own clock",
    buckets: QUEUE_BUCKETS_S,
    registers,
  });
  const webhooks = new Counter({
    name: 'runproof_webhook_calls_total',
    help: 'Webhook calls that have ended; "none" where there was no answer',
    labelNames: ['code'],
    registers,
  });

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
    webhookCalled: () => (status) =>
      webhooks.inc({ code: status === null ? 'none' : `${Math.floor(status / 100)}xx` }),
    contentType: registry.contentType,
    text(endpoints) {
      endpointCount.set(endpoints.length);
      sum(endpoints, ({ held }) => held).forEach(([status, count]) => jobs.set({ status }, count));
      sum(endpoints, (endpoint) => endpoint.workers).forEach(([state, count]) =>
        workers.set({ state }, count),
      );
      return registry.metrics();
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
