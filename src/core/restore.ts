/**
 * A service that goes on where another was broken off. `restore` gives it the other's memory; nobody works yet.
 * What fell due in between then strikes, each timer at its own instant, and `resume` sets all going again.
 */
import type { Json } from '../history/events.js';
import { noChanges, noteEndpoint } from './changes.js';
import { makeEndpoint } from './endpoints.js';
import { blankJob, dispatch, setExecutionTimer, setRetentionTimer, setTtlTimer } from './lifecycle.js';
import type { Machine } from './machine.js';
import { backToQueue } from './requeue.js';
import type { SavedDelivery, SavedEndpoint, SavedJob, SavedState, SavedTimer } from './saved.js';
import { countWait, fill } from './scaling.js';
import type { Delivery, Endpoint, Job } from './state.js';
import { pause, webhookEnded } from './webhooks.js';

/** Takes the lists of the saved jobs over. */
export function restore(m: Machine, saved: SavedState): void {
  m.lastAttempt = saved.counters.attempts;
  m.lastDelivery = saved.counters.deliveries;
  for (const id of saved.ids) m.everyId?.add(id);
  for (const id of saved.purged) m.purgedIds.add(id);
  for (const endpoint of saved.endpoints) restoreEndpoint(m, endpoint);
  const timers: { readonly seq: number; readonly set: () => void }[] = [];
  const later = (timer: SavedTimer | null, set: (atMs: number) => void): void => {
    if (timer !== null) timers.push({ seq: timer[1], set: () => set(timer[0]) });
  };
  const waiting: Job[] = [];
  for (const each of saved.jobs) {
    const endpoint = m.endpoints.get(each.endpoint);
    if (endpoint === undefined) throw new Error(`job ${each.id} belongs to no endpoint: ${each.endpoint}`);
    const job = restoreJob(m, endpoint, each);
    if (job.status === 'IN_QUEUE') waiting.push(job);
    later(each.ttlTimer, (atMs) => setTtlTimer(m, job, atMs));
    later(each.executionTimer, (atMs) => setExecutionTimer(m, job, atMs));
    later(each.retentionTimer, (atMs) => setRetentionTimer(m, job, atMs));
  }
  for (const job of waiting.sort((a, b) => a.place - b.place)) job.endpoint.queue.addAsPlaced(job);
  for (const each of saved.deliveries) {
    const delivery = restoreDelivery(m, each);
    later(each.timer, (atMs) => pause(m, delivery, atMs));
  }
  for (const { set } of timers.sort((a, b) => a.seq - b.seq)) set();
  // What was read is not news.
  if (m.changes !== null) m.changes = noChanges();
}

/** Its workers come with `resume`: while nobody was there, nobody took a job. */
function restoreEndpoint(m: Machine, saved: SavedEndpoint): void {
  const { id, silenceMs, workersMade, ...wanted } = saved;
  const endpoint = makeEndpoint(
    m,
    id,
    { ...wanted, ...(silenceMs === null ? {} : { silenceMs }) },
    workersMade,
  );
  endpoint.redispatched = saved.redispatched;
  Object.assign(endpoint.entered, saved.entered);
  Object.assign(endpoint.retriedFrom, saved.retriedFrom);
}

function restoreJob(m: Machine, endpoint: Endpoint, saved: SavedJob): Job {
  const { id, op, submission, waitMs, submittedMs } = saved;
  const job: Job = {
    ...blankJob(id, endpoint, { op, submission, waitMs }, submittedMs),
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
  m.jobs.set(job.id, job);
  endpoint.jobs.set(job.id, job);
  endpoint.held[job.status]++;
  if (job.endedMs === null) endpoint.live[job.op]++;
  return job;
}

function restoreDelivery(m: Machine, saved: SavedDelivery): Delivery {
  const { id, url, body, attempt, calledMs } = saved;
  const endpoint = m.endpoints.get(saved.endpoint);
  if (endpoint === undefined) throw new Error(`webhook call ${id} belongs to no endpoint: ${saved.endpoint}`);
  const job = m.jobs.get(saved.job) ?? { id: saved.job, present: false };
  const delivery: Delivery = { id, endpoint, job, url, body, attempt, calledMs, timer: null };
  m.deliveries.set(id, delivery);
  endpoint.deliveries.add(delivery);
  if (saved.timer === null) m.brokenOff.add(id);
  return delivery;
}

/**
 * The service works again. A webhook call that was under way counts as failed: nobody heard how it ended. A job
 * that was running is run again, before those that waited; its timers have gone on.
 */
export function resume(m: Machine, nowMs: number): void {
  for (const delivery of [...m.deliveries.values()]) {
    if (m.brokenOff.delete(delivery.id)) webhookEnded(m, delivery.id, null, nowMs);
    // Due in between, but called only now: the next pause counts from here.
    else if (delivery.timer === null) delivery.calledMs = nowMs;
  }
  const runs = [...m.jobs.values()].filter((job) => job.status === 'IN_PROGRESS');
  runs.sort((a, b) => (a.startedMs ?? 0) - (b.startedMs ?? 0));
  // From the last one on, as each goes before all others.
  for (const job of runs.reverse()) {
    job.endpoint.redispatched++;
    backToQueue(m, job, nowMs, 'front');
  }
  // Workers start as the endpoint wants them, and as those who have waited want them.
  for (const job of m.jobs.values()) countWait(m, job);
  for (const endpoint of m.endpoints.values()) {
    noteEndpoint(m, endpoint);
    fill(m, endpoint, nowMs);
    dispatch(m, endpoint, 'more-workers', nowMs);
  }
}
