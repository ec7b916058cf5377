/** `/health` (sections 2.7 and 4.8) */
import type { Answer, EndpointCall } from '../call.js';
import type { Endpoint } from '../endpoint.js';
import type { Health } from '../hooks.js';
import type { Job, Status } from '../job.js';
import type { JsonObject } from '../json.js';
import { cached } from './common.js';

export function health({ endpoint }: EndpointCall, answer: Answer): void {
  const { choices, hooks } = endpoint.service;
  const refusal = hooks.healthRefused(endpoint);
  if (refusal !== null) return answer(refusal);
  const { jobs, workers } = healthOf(endpoint);
  const shown: JsonObject = { jobs: { ...jobs }, workers: { ...workers } };
  if (choices.healthExtra) {
    const more = { initializing: 0, ready: workers.idle, throttled: 0, unhealthy: 0 };
    shown['workers'] = { ...workers, ...more };
    shown['jobs'] = { ...jobs, cancelled: 0 };
  }
  const kept = choices.healthKeptMs > 0 ? cached(endpoint, '/health', choices.healthKeptMs, shown) : shown;
  answer({ code: 200, body: hooks.healthBody(kept, endpoint) });
}

/** Jobs of this state, or those among them that `which` names. */
export const countOf = ({ jobs }: Endpoint, status: Status, which?: (job: Job) => boolean): number =>
  [...jobs.values()].filter((job) => job.status === status && (which?.(job) ?? true)).length;

export function healthOf(endpoint: Endpoint): Health {
  const { choices, hooks } = endpoint.service;
  const { counts, workers } = endpoint;
  const now = (status: Status): number => countOf(endpoint, status);
  const current = choices.healthCounters === 'current';
  const timedOut = current ? now('TIMED_OUT') : counts.timedOut;
  const completed = current ? now('COMPLETED') : counts.completed;
  let failed = current ? now('FAILED') : counts.failed;
  if (choices.healthTimedOut === 'failed') failed += timedOut;
  const retried =
    choices.healthRetried === 'calls'
      ? counts.retried + counts.redispatched
      : choices.healthRetried === 'jobs'
        ? [...endpoint.jobs.values()].filter((job) => job.retries > 0).length
        : counts.redispatched;
  const jobs = { completed, failed, inProgress: now('IN_PROGRESS'), inQueue: now('IN_QUEUE'), retried };
  return hooks.health({ jobs, workers: { idle: workers.idle(), running: workers.busy.size } }, endpoint);
}
