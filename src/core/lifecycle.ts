/** Section 3: the transitions of a job, with everything that follows from them. */
import type { JobStatus } from '../spec/types.js';
import { noteJob } from './saved/changes.js';
import { isSet, type Deadline, type DeadlineSubjects, type Fire } from './deadlines.js';
import type { Worker } from './workers/worker-pool.js';
import type { ServiceState } from './state.js';
import type { Ending, DispatchTrigger } from './rules/jobs.js';
import { updateScalingTrigger, freeSlot, replaceWorker, scaleUp } from './workers/scaling.js';
import { watchHeartbeat } from './workers/heartbeats.js';
import { NO_CALLS, NO_RESULTS } from './entities.js';
import type { Endpoint, Job, ReleaseReason, StopReason, Submission } from './entities.js';
import { addChunks } from './streams.js';
import { answerDeleted, answerEnded } from './waiting-calls.js';
import { callIfWanted, callWebhook } from './webhooks.js';

export interface JobSettings {
  readonly op: Job['op'];
  readonly submission: Submission;
  readonly waitMs: number | null;
}

/** (none) → IN_QUEUE. The caller makes its reply first and then calls `dispatch`. */
export function submitJob(state: ServiceState, endpoint: Endpoint, made: JobSettings, nowMs: number): Job {
  const job = newJob(state.makeId(endpoint.id, made.op !== 'run'), endpoint, made, nowMs);
  state.jobs.add(job);
  endpoint.jobs.add(job);
  endpoint.live[job.op]++;
  endpoint.held.IN_QUEUE++;
  endpoint.entered.IN_QUEUE++;
  endpoint.queue.add(job);
  setTimers(state, job, nowMs);
  return job;
}

/** A waiting job without timers. */
export function newJob(id: string, endpoint: Endpoint, made: JobSettings, nowMs: number): Job {
  return {
    id,
    op: made.op,
    submission: made.submission,
    waitMs: made.waitMs,
    endpoint,
    status: 'IN_QUEUE',
    submittedMs: nowMs,
    queuedMs: nowMs,
    startedMs: null,
    endedMs: null,
    output: undefined,
    progress: undefined,
    error: null,
    chunks: NO_RESULTS,
    streamed: NO_RESULTS,
    chunksRead: 0,
    retries: 0,
    redispatches: 0,
    crashed: false,
    outlivedWait: false,
    waitedBeforeMs: 0,
    ranBeforeMs: 0,
    worker: null,
    heldBy: null,
    heartbeatMs: 0,
    ttlSet: null,
    readMs: null,
    attempt: null,
    ranBefore: false,
    present: true,
    waiting: NO_CALLS,
    ttlTimer: null,
    executionTimer: null,
    retentionTimer: null,
    scaleTimer: null,
    lossTimer: null,
    older: null,
    newer: null,
    before: null,
    after: null,
    place: 0,
    newIndex: -1,
  };
}

/** Assigns waiting jobs to free workers, and starts workers where the scaler asks for them. */
export function dispatch(
  state: ServiceState,
  endpoint: Endpoint,
  trigger: DispatchTrigger,
  nowMs: number,
): void {
  if (endpoint.queue.first === null) return;
  if (state.rules.dispatchesOn(trigger)) assignJobs(state, endpoint, nowMs);
  if (scaleUp(state, endpoint, nowMs)) assignJobs(state, endpoint, nowMs);
}

function assignJobs(state: ServiceState, endpoint: Endpoint, nowMs: number): void {
  if (endpoint.pool.nextFree === undefined) return;
  const delayMs = state.rules.dispatchDelayMs();
  if (delayMs === 0) return assignJobsNow(state, endpoint, nowMs);
  endpoint.dispatchTimer ??= state.deadlines.set('dispatch', endpoint, nowMs + delayMs, (atMs) => {
    endpoint.dispatchTimer = null;
    assignJobsNow(state, endpoint, atMs);
    if (scaleUp(state, endpoint, atMs)) assignJobs(state, endpoint, atMs);
  });
}

function assignJobsNow(state: ServiceState, endpoint: Endpoint, nowMs: number): void {
  const { queue, pool } = endpoint;
  let served: Set<Worker> | null = null;
  while (queue.first !== null && queue.last !== null && pool.nextFree !== undefined) {
    const job = state.rules.nextOf(queue.first, queue.last, queue);
    if (!state.rules.mayStart(job, pool.running, state.workers.running)) break;
    if (pool.nextFree.external) (served ??= new Set()).add(pool.nextFree);
    startJob(state, job, pool.nextFree, nowMs);
  }
  // An external worker that got a job has its answer, even when it asked for more.
  if (served !== null) for (const worker of served) pool.setCapacity(worker, 0);
}

/** IN_QUEUE → IN_PROGRESS. */
function startJob(state: ServiceState, job: Job, worker: Worker, nowMs: number): void {
  const { endpoint } = job;
  endpoint.queue.remove(job);
  worker.jobs.push(job);
  job.heartbeatMs = nowMs;
  endpoint.pool.setSlots(worker, worker.usedSlots + 1, worker.restartingSlots, worker.capacity - 1);
  if (worker.external) watchHeartbeat(state, endpoint, worker);
  else state.deadlines.drop(worker.timer);
  job.heldBy = worker;
  job.worker = worker.id;
  job.attempt = ++state.lastAttempt;
  job.startedMs = nowMs;
  state.attempts.set(job.attempt, job);
  changeStatus(job, 'IN_PROGRESS');
  if (!worker.external && state.rules.losesWorker(job)) awaitLoss(state, job, nowMs);
  else
    state.effects.push({
      kind: 'start',
      attempt: job.attempt,
      endpoint: endpoint.id,
      worker: worker.id,
      external: worker.external,
      job: job.id,
      queuedForMs: nowMs - job.queuedMs,
      input: state.rules.inputForHandler(job),
      s3Config: state.rules.s3ConfigForHandler(job),
      ranBefore: job.ranBefore,
    });
  job.ranBefore = true;
  setTimers(state, job, nowMs);
  callIfWanted(state, job, nowMs);
}

/** No handler is started: the worker has the job and never reports. */
function awaitLoss(state: ServiceState, job: Job, nowMs: number): void {
  const lostMs = nowMs + state.rules.heartbeatTimeoutMs(job.endpoint.heartbeatTimeoutMs);
  job.lossTimer = state.deadlines.set('worker-loss', job, lostMs, (atMs) => state.loseWorker(job, atMs));
}

/** IN_QUEUE or IN_PROGRESS → one of the four final states. */
export function endJob(
  state: ServiceState,
  job: Job,
  ending: Ending,
  reason: ReleaseReason,
  nowMs: number,
): void {
  if (job.status === 'IN_QUEUE') job.endpoint.queue.remove(job);
  job.endedMs = nowMs;
  job.output = state.rules.outputKept(job, ending.output);
  job.error = ending.error;
  changeStatus(job, ending.status);
  for (const output of state.rules.outputsAtEnd(job)) addChunks(state, job, output);
  releaseWorker(state, job, reason, nowMs);
  setTimers(state, job, nowMs);
  answerEnded(state, job, nowMs);
  callIfWanted(state, job, nowMs);
  dispatch(state, job.endpoint, 'worker-free', nowMs);
}

/** Any state → deleted. Calls that wait for the job get 404. */
export function deleteJob(state: ServiceState, job: Job, reason: StopReason, nowMs: number): void {
  const { endpoint } = job;
  if (!job.present) return;
  job.present = false;
  noteJob(state, job);
  if (job.status === 'IN_QUEUE') endpoint.queue.remove(job);
  releaseWorker(state, job, reason, nowMs);
  forgetAttempt(state, job);
  endpoint.held[job.status]--;
  if (isLive(job.status)) endpoint.live[job.op]--;
  state.jobs.remove(job);
  endpoint.jobs.remove(job);
  state.deadlines.drop(job.ttlTimer);
  state.deadlines.drop(job.executionTimer);
  state.deadlines.drop(job.retentionTimer);
  updateScalingTrigger(state, job);
  answerDeleted(state, job, reason, nowMs);
  if (state.rules.webhookWantedOnRemoval(job, reason)) callWebhook(state, job, nowMs);
  dispatch(state, endpoint, 'worker-free', nowMs);
}

/** Sets the status of a job, and updates the counters of its endpoint. */
export function changeStatus(job: Job, to: JobStatus): void {
  const { endpoint } = job;
  endpoint.held[job.status]--;
  endpoint.held[to]++;
  endpoint.entered[to]++;
  if (isLive(job.status) !== isLive(to)) endpoint.live[job.op] += isLive(to) ? 1 : -1;
  job.status = to;
}

const isLive = (status: JobStatus): boolean => status === 'IN_QUEUE' || status === 'IN_PROGRESS';

/** Takes the job from its worker, and frees the slot. */
export function releaseWorker(state: ServiceState, job: Job, reason: ReleaseReason, nowMs: number): void {
  const worker = job.heldBy;
  if (worker === null) return;
  job.heldBy = null;
  state.deadlines.drop(job.lossTimer);
  if (worker.jobs.at(-1) === job) worker.jobs.pop();
  else worker.jobs.splice(worker.jobs.indexOf(job), 1);
  const endedByWorker = reason === 'report' || reason === 'crash';
  if (!endedByWorker && job.attempt !== null && state.rules.stopsHandlerOn(reason)) {
    state.effects.push({ kind: 'stop', attempt: job.attempt });
  }
  if (reason === 'crash' && !worker.external) return replaceWorker(state, job.endpoint, worker, nowMs);
  if (reason === 'crash' || state.rules.freesWorkerOn(reason))
    freeSlot(state, job.endpoint, worker, reason, nowMs);
}

/** From now on, reports of the job's last run are ignored. */
export function forgetAttempt(state: ServiceState, job: Job): void {
  if (job.attempt !== null) state.attempts.delete(job.attempt);
}

/** Sets the timers of the job to what the rules say in its present state. */
export function setTimers(state: ServiceState, job: Job, nowMs: number): void {
  const { rules } = state;
  noteJob(state, job);
  const ttlMs = fireAtMs(state, 'ttl', rules.ttlDeadlineMs(job, rules.ttlMs(job)), nowMs);
  const timeoutMs = rules.executionDeadlineMs(job, rules.executionTimeoutMs(job));
  const executionMs = fireAtMs(state, 'executionTimeout', timeoutMs, nowMs);
  const keptMs = rules.retentionDeadlineMs(job, rules.retentionMs(job));
  const retentionMs = fireAtMs(state, 'retention', keptMs, nowMs);
  // Both delete the job: without a ttl that comes second, a million ended jobs need half the timers.
  const deletedMs = retentionMs < ttlMs ? Infinity : ttlMs;
  if (!isSet(job.ttlTimer) || job.ttlTimer.atMs !== deletedMs) setTtlTimer(state, job, deletedMs);
  setExecutionTimer(state, job, executionMs);
  setRetentionTimer(state, job, retentionMs);
  updateScalingTrigger(state, job);
}

/** Here and below: an instant of Infinity, or beyond the safe integers, removes the timer. */
export function setTtlTimer(state: ServiceState, job: Job, dueMs: number): void {
  state.deadlines.drop(job.ttlTimer);
  job.ttlTimer = timerAt(state, 'ttl', job, dueMs, endTtl);
}

export function setExecutionTimer(state: ServiceState, job: Job, dueMs: number): void {
  state.deadlines.drop(job.executionTimer);
  job.executionTimer = timerAt(state, 'execution-timeout', job, dueMs, timeOut);
}

export function setRetentionTimer(state: ServiceState, job: Job, dueMs: number): void {
  state.deadlines.drop(job.retentionTimer);
  job.retentionTimer = timerAt(state, 'retention', job, dueMs, endRetention);
}

const endTtl: Fire<'ttl'> = (atMs, state, job) => deleteJob(state, job, 'ttl', atMs);
const timeOut: Fire<'execution-timeout'> = (atMs, state, job) =>
  endJob(state, job, state.rules.timeoutEnding(), 'timeout', atMs);
const endRetention: Fire<'retention'> = (atMs, state, job) => deleteJob(state, job, 'retention', atMs);

const timerAt = <K extends 'ttl' | 'execution-timeout' | 'retention'>(
  state: ServiceState,
  kind: K,
  job: DeadlineSubjects[K],
  dueMs: number,
  fire: Fire<K>,
): Deadline | null => (dueMs > Number.MAX_SAFE_INTEGER ? null : state.deadlines.set(kind, job, dueMs, fire));

function fireAtMs(
  state: ServiceState,
  timer: 'ttl' | 'executionTimeout' | 'retention',
  dueMs: number,
  nowMs: number,
): number {
  return dueMs === Infinity ? dueMs : Math.max(nowMs, state.rules.firesAtMs(timer, dueMs));
}
