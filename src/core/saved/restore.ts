/**
 * Continues a service that was stopped. `restore` loads its state, still without workers. Then the timers
 * that fell due meanwhile fire, each at its own instant, and `resume` starts the workers.
 */
import type { Json } from '../../history/events.js';
import { noChanges, noteEndpoint } from './changes.js';
import { makeEndpoint } from '../endpoints.js';
import { newJob, dispatch, setExecutionTimer, setRetentionTimer, setTtlTimer } from '../lifecycle.js';
import type { ServiceState } from '../state.js';
import { requeue } from '../workers/redelivery.js';
import type { SavedDelivery, SavedEndpoint, SavedJob, SavedState, SavedTimer } from './saved.js';
import { updateScalingTrigger, startMinimum } from '../workers/scaling.js';
import type { Delivery, Endpoint, Job } from '../entities.js';
import { callAgainAt, webhookEnded } from '../webhooks.js';

/** Loads a saved state into an empty one. The lists of saved jobs are used, not copied. */
export function restore(state: ServiceState, saved: SavedState): void {
  state.lastAttempt = saved.counters.attempts;
  state.lastDelivery = saved.counters.deliveries;
  for (const id of saved.ids) state.idsGiven?.add(id);
  for (const id of saved.purged) state.purgedIds.add(id);
  for (const endpoint of saved.endpoints) restoreEndpoint(state, endpoint);
  const timers: { readonly seq: number; readonly set: () => void }[] = [];
  const later = (timer: SavedTimer | null, set: (atMs: number) => void): void => {
    if (timer !== null) timers.push({ seq: timer[1], set: () => set(timer[0]) });
  };
  const waiting: Job[] = [];
  for (const each of saved.jobs) {
    const endpoint = state.endpoints.get(each.endpoint);
    if (endpoint === undefined) throw new Error(`job ${each.id} belongs to no endpoint: ${each.endpoint}`);
    const job = restoreJob(state, endpoint, each);
    if (job.status === 'IN_QUEUE') waiting.push(job);
    later(each.ttlTimer, (atMs) => setTtlTimer(state, job, atMs));
    later(each.executionTimer, (atMs) => setExecutionTimer(state, job, atMs));
    later(each.retentionTimer, (atMs) => setRetentionTimer(state, job, atMs));
  }
  for (const job of waiting.sort((a, b) => a.place - b.place)) job.endpoint.queue.addAsPlaced(job);
  for (const each of saved.deliveries) {
    const delivery = restoreDelivery(state, each);
    later(each.timer, (atMs) => callAgainAt(state, delivery, atMs));
  }
  for (const { set } of timers.sort((a, b) => a.seq - b.seq)) set();
  // What was loaded is not a change.
  if (state.changes !== null) state.changes = noChanges();
}

/** Without workers: `resume` starts them. No job ran while the service was down. */
function restoreEndpoint(state: ServiceState, saved: SavedEndpoint): void {
  const { id, silenceMs, workersMade, ...wanted } = saved;
  const endpoint = makeEndpoint(
    state,
    id,
    { ...wanted, ...(silenceMs === null ? {} : { heartbeatTimeoutMs: silenceMs }) },
    workersMade,
  );
  endpoint.redispatched = saved.redispatched;
  Object.assign(endpoint.entered, saved.entered);
  Object.assign(endpoint.retriedFrom, saved.retriedFrom);
}

function restoreJob(state: ServiceState, endpoint: Endpoint, saved: SavedJob): Job {
  const { id, op, submission, waitMs, submittedMs } = saved;
  const job: Job = {
    ...newJob(id, endpoint, { op, submission, waitMs }, submittedMs),
    status: saved.status,
    queuedMs: saved.queuedMs,
    startedMs: saved.startedMs,
    endedMs: saved.endedMs,
    output: saved.output,
    error: saved.error,
    chunks: saved.chunks as Json[],
    streamed: saved.streamed as Json[],
    chunksRead: saved.chunksRead,
    retries: saved.retries,
    redispatches: saved.redispatches,
    crashed: saved.crashed,
    outlivedWait: saved.outlivedWait,
    waitedBeforeMs: saved.waitedBeforeMs,
    ranBeforeMs: saved.ranBeforeMs,
    worker: saved.worker,
    readMs: saved.readMs,
    ttlSet: saved.ttlSet,
    ranBefore: saved.ranBefore,
    place: saved.place,
  };
  state.jobs.add(job);
  endpoint.jobs.add(job);
  endpoint.held[job.status]++;
  if (job.endedMs === null) endpoint.live[job.op]++;
  return job;
}

function restoreDelivery(state: ServiceState, saved: SavedDelivery): Delivery {
  const { id, url, body, attempt, calledMs } = saved;
  const endpoint = state.endpoints.get(saved.endpoint);
  if (endpoint === undefined) throw new Error(`webhook call ${id} belongs to no endpoint: ${saved.endpoint}`);
  const job = state.jobs.get(saved.job) ?? { id: saved.job, present: false };
  const delivery: Delivery = { id, endpoint, job, url, body, attempt, calledMs, timer: null };
  state.deliveries.set(id, delivery);
  endpoint.deliveries.add(delivery);
  if (saved.timer === null) state.interrupted.add(id);
  return delivery;
}

/**
 * The service works again. A webhook call that was in flight counts as failed, as its result is unknown. A
 * job that was running goes back to the front of the queue; its timers have continued.
 */
export function resume(state: ServiceState, nowMs: number): void {
  for (const delivery of [...state.deliveries.values()]) {
    if (state.interrupted.delete(delivery.id)) webhookEnded(state, delivery.id, null, nowMs);
    // It was due while the service was down and is called only now: the next pause counts from now.
    else if (delivery.timer === null) delivery.calledMs = nowMs;
  }
  const jobs = [...state.endpoints.values()].flatMap((endpoint) => [...endpoint.jobs]);
  const runs = jobs.filter((job) => job.status === 'IN_PROGRESS');
  runs.sort((a, b) => (a.startedMs ?? 0) - (b.startedMs ?? 0));
  // The last one first, as each goes to the front.
  for (const job of runs.reverse()) {
    job.endpoint.redispatched++;
    requeue(state, job, nowMs, 'front');
  }
  for (const job of jobs) updateScalingTrigger(state, job);
  for (const endpoint of state.endpoints.values()) {
    noteEndpoint(state, endpoint);
    startMinimum(state, endpoint, nowMs);
    dispatch(state, endpoint, 'more-workers', nowMs);
  }
}
