/** Section 3: the moves of a job, and all that a move brings with it. */
import type { JobStatus } from '../spec/types.js';
import { noteJob } from './changes.js';
import type { Deadline } from './deadlines.js';
import type { Worker } from './fleet.js';
import type { Machine } from './machine.js';
import type { Ending, Occasion } from './rules/jobs.js';
import { countWait, freeSlot, replace, scale } from './scaling.js';
import { watch } from './silence.js';
import type { Endpoint, Job, ReleaseReason, StopReason, Submission } from './state.js';
import { addChunks } from './streams.js';
import { answerOrphans, answerWaiting } from './waiting.js';
import { announce, call } from './webhooks.js';

export interface NewJob {
  readonly op: Job['op'];
  readonly submission: Submission;
  readonly waitMs: number | null;
}

/** (none) → IN_QUEUE. The caller forms its answer, then calls `dispatch`. */
export function submit(m: Machine, endpoint: Endpoint, made: NewJob, nowMs: number): Job {
  const job = blankJob(m.makeId(endpoint.id, made.op !== 'run'), endpoint, made, nowMs);
  m.jobs.set(job.id, job);
  endpoint.jobs.set(job.id, job);
  endpoint.live[job.op]++;
  endpoint.held.IN_QUEUE++;
  endpoint.entered.IN_QUEUE++;
  endpoint.queue.add(job);
  arm(m, job, nowMs);
  return job;
}

/** A job as it comes: waiting, with no timer set. */
export function blankJob(id: string, endpoint: Endpoint, made: NewJob, nowMs: number): Job {
  return {
    id,
    ...made,
    endpoint,
    status: 'IN_QUEUE',
    submittedMs: nowMs,
    queuedMs: nowMs,
    startedMs: null,
    endedMs: null,
    output: undefined,
    progress: undefined,
    error: null,
    chunks: [],
    streamed: [],
    chunksRead: 0,
    retries: 0,
    redispatches: 0,
    crashed: false,
    outlivedWait: false,
    waitedBeforeMs: 0,
    ranBeforeMs: 0,
    worker: null,
    heldBy: null,
    ttlSet: null,
    readMs: null,
    attempt: null,
    ranBefore: false,
    present: true,
    waiting: new Set(),
    ttlTimer: null,
    executionTimer: null,
    retentionTimer: null,
    scaleTimer: null,
    lossTimer: null,
    before: null,
    after: null,
    place: 0,
  };
}

/** Lets free workers take waiting jobs. */
export function dispatch(m: Machine, endpoint: Endpoint, occasion: Occasion, nowMs: number): void {
  if (endpoint.queue.first === null) return;
  if (m.rules.dispatchesOn(occasion)) offer(m, endpoint, nowMs);
  if (scale(m, endpoint, nowMs)) offer(m, endpoint, nowMs);
}

function offer(m: Machine, endpoint: Endpoint, nowMs: number): void {
  if (endpoint.fleet.free === undefined) return;
  const delayMs = m.rules.dispatchDelayMs();
  if (delayMs === 0) return dispatchNow(m, endpoint, nowMs);
  endpoint.dispatchTimer ??= m.deadlines.set(nowMs + delayMs, (atMs) => {
    endpoint.dispatchTimer = null;
    dispatchNow(m, endpoint, atMs);
    if (scale(m, endpoint, atMs)) offer(m, endpoint, atMs);
  });
}

function dispatchNow(m: Machine, endpoint: Endpoint, nowMs: number): void {
  const { queue, fleet } = endpoint;
  const served = new Set<Worker>();
  while (queue.first !== null && queue.last !== null && fleet.free !== undefined) {
    const job = m.rules.nextOf(queue.first, queue.last, queue);
    if (!m.rules.mayStart(job, fleet.running, m.workers.running)) break;
    if (fleet.free.external) served.add(fleet.free);
    start(m, job, fleet.free, nowMs);
  }
  // A worker that asked for several and was given some has its answer.
  for (const worker of served) fleet.update(worker, { room: 0 });
}

/** IN_QUEUE → IN_PROGRESS. */
function start(m: Machine, job: Job, worker: Worker, nowMs: number): void {
  const { endpoint } = job;
  endpoint.queue.remove(job);
  worker.jobs.set(job, nowMs);
  endpoint.fleet.update(worker, { used: worker.used + 1, room: worker.room - 1 });
  if (worker.external) watch(m, endpoint, worker);
  else m.deadlines.drop(worker.timer);
  job.heldBy = worker;
  job.worker = worker.id;
  job.attempt = ++m.lastAttempt;
  job.startedMs = nowMs;
  m.attempts.set(job.attempt, job);
  move(job, 'IN_PROGRESS');
  if (!worker.external && m.rules.silencesWorker(job)) awaitLoss(m, job, nowMs);
  else
    m.effects.push({
      kind: 'start',
      attempt: job.attempt,
      endpoint: endpoint.id,
      worker: worker.id,
      external: worker.external,
      job: job.id,
      queuedForMs: nowMs - job.queuedMs,
      input: m.rules.inputForHandler(job),
      s3Config: m.rules.s3ConfigForHandler(job),
      ranBefore: job.ranBefore,
    });
  job.ranBefore = true;
  arm(m, job, nowMs);
  announce(m, job, nowMs);
}

/** No handler is started: the worker has the job, and is not heard of again. */
function awaitLoss(m: Machine, job: Job, nowMs: number): void {
  const lostMs = nowMs + m.rules.silenceMs(job.endpoint.silenceMs);
  job.lossTimer = m.deadlines.set(lostMs, (atMs) => m.lose(job, atMs));
}

/** IN_QUEUE or IN_PROGRESS → one of the four ends. */
export function end(m: Machine, job: Job, ending: Ending, reason: ReleaseReason, nowMs: number): void {
  if (job.status === 'IN_QUEUE') job.endpoint.queue.remove(job);
  job.endedMs = nowMs;
  job.output = m.rules.outputKept(job, ending.output);
  job.error = ending.error;
  move(job, ending.status);
  for (const output of m.rules.outputsAtEnd(job)) addChunks(m, job, output);
  release(m, job, reason, nowMs);
  arm(m, job, nowMs);
  answerWaiting(m, job, nowMs);
  announce(m, job, nowMs);
  dispatch(m, job.endpoint, 'worker-free', nowMs);
}

/** any → gone. Calls that wait for it get 404. */
export function remove(m: Machine, job: Job, reason: StopReason, nowMs: number): void {
  const { endpoint } = job;
  if (!job.present) return;
  job.present = false;
  noteJob(m, job);
  if (job.status === 'IN_QUEUE') endpoint.queue.remove(job);
  release(m, job, reason, nowMs);
  forgetAttempt(m, job);
  endpoint.held[job.status]--;
  if (isLive(job.status)) endpoint.live[job.op]--;
  m.jobs.delete(job.id);
  endpoint.jobs.delete(job.id);
  m.deadlines.drop(job.ttlTimer);
  m.deadlines.drop(job.executionTimer);
  m.deadlines.drop(job.retentionTimer);
  countWait(m, job);
  answerOrphans(m, job, reason, nowMs);
  if (m.rules.webhookWantedOnRemoval(job, reason)) call(m, job, nowMs);
  dispatch(m, endpoint, 'worker-free', nowMs);
}

/** The job enters a state; the endpoint's counters follow. */
export function move(job: Job, to: JobStatus): void {
  const { held, entered } = job.endpoint;
  held[job.status]--;
  held[to]++;
  entered[to]++;
  job.endpoint.live[job.op] += (isLive(to) ? 1 : 0) - (isLive(job.status) ? 1 : 0);
  job.status = to;
}

const isLive = (status: JobStatus): boolean => status === 'IN_QUEUE' || status === 'IN_PROGRESS';

/** Takes the job from its worker, and gives its slot back. */
export function release(m: Machine, job: Job, reason: ReleaseReason, nowMs: number): void {
  const worker = job.heldBy;
  if (worker === null) return;
  job.heldBy = null;
  m.deadlines.drop(job.lossTimer);
  worker.jobs.delete(job);
  const ownEnd = reason === 'report' || reason === 'crash';
  if (!ownEnd && job.attempt !== null && m.rules.stopsHandlerOn(reason)) {
    m.effects.push({ kind: 'stop', attempt: job.attempt });
  }
  if (reason === 'crash' && !worker.external) return replace(m, job.endpoint, worker, nowMs);
  if (reason === 'crash' || m.rules.freesWorkerOn(reason)) freeSlot(m, job.endpoint, worker, reason, nowMs);
}

/** What the handler of the job's last run still reports counts no more. */
export function forgetAttempt(m: Machine, job: Job): void {
  if (job.attempt !== null) m.attempts.delete(job.attempt);
}

/** Sets the job's timers to what the rules say at this step of its life. */
export function arm(m: Machine, job: Job, nowMs: number): void {
  const { rules } = m;
  noteJob(m, job);
  const ttlMs = strikeMs(m, 'ttl', rules.ttlDeadlineMs(job, rules.ttlMs(job)), nowMs);
  if (job.ttlTimer === null || job.ttlTimer.index < 0 || job.ttlTimer.atMs !== ttlMs)
    setTtlTimer(m, job, ttlMs);
  const executionMs = rules.executionDeadlineMs(job, rules.executionTimeoutMs(job));
  setExecutionTimer(m, job, strikeMs(m, 'executionTimeout', executionMs, nowMs));
  const retentionMs = rules.retentionDeadlineMs(job, rules.retentionMs(job));
  setRetentionTimer(m, job, strikeMs(m, 'retention', retentionMs, nowMs));
  countWait(m, job);
}

/** `Infinity` takes the timer away, here and below, and so does an instant that no clock counts up to. */
export function setTtlTimer(m: Machine, job: Job, dueMs: number): void {
  m.deadlines.drop(job.ttlTimer);
  job.ttlTimer = timer(m, dueMs, (atMs) => remove(m, job, 'ttl', atMs));
}

export function setExecutionTimer(m: Machine, job: Job, dueMs: number): void {
  m.deadlines.drop(job.executionTimer);
  job.executionTimer = timer(m, dueMs, (atMs) => end(m, job, m.rules.timeoutEnding(), 'timeout', atMs));
}

export function setRetentionTimer(m: Machine, job: Job, dueMs: number): void {
  m.deadlines.drop(job.retentionTimer);
  job.retentionTimer = timer(m, dueMs, (atMs) => remove(m, job, 'retention', atMs));
}

const timer = (m: Machine, dueMs: number, strike: Deadline['strike']): Deadline | null =>
  dueMs > Number.MAX_SAFE_INTEGER ? null : m.deadlines.set(dueMs, strike);

function strikeMs(
  m: Machine,
  timer: 'ttl' | 'executionTimeout' | 'retention',
  dueMs: number,
  nowMs: number,
): number {
  return dueMs === Infinity ? dueMs : Math.max(nowMs, m.rules.strikesAtMs(timer, dueMs));
}
