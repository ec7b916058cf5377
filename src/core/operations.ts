/** Section 4: the operations. */
import type { Json } from '../history/events.js';
import type { CoreReply, CoreRequest } from './api.js';
import { integerInQuery } from './http/integer.js';
import { refusal, refusalWith } from './http/refusal.js';
import type { Route } from './http/route.js';
import { jsonObject, submissionIn } from './http/submission.js';
import { setTimers, dispatch, endJob, deleteJob, submitJob } from './lifecycle.js';
import { jsonReply } from './state.js';
import type { ServiceState } from './state.js';
import type { ConcurrencySlot } from './meters.js';
import { recordOf } from './saved/job-record.js';
import type { EndpointCounts } from './rules/health.js';
import type { UnspecifiedAnswer } from './rules/jobs.js';
import type { RecordKind } from './rules/records.js';
import type { Endpoint, Job, Submission } from './entities.js';
import { retryJob } from './workers/redelivery.js';
import { streamReply } from './streams.js';
import { waitFor } from './waiting-calls.js';

/** `/requests` lists this many of the newest jobs. */
const LISTED_MAX = 1_000;

/** A request that may be performed: key, endpoint and method are right, and no limit is exceeded. */
export interface Call {
  readonly callId: number;
  readonly request: CoreRequest;
  readonly route: Route;
  readonly endpoint: Endpoint;
  /** Counts the call as in flight. A waiting call keeps it until it is answered. */
  readonly slot: ConcurrencySlot;
}

export function perform(state: ServiceState, call: Call, nowMs: number): CoreReply | null {
  switch (call.route.op) {
    case 'run':
      return run(state, call, nowMs);
    case 'runsync':
      return runsync(state, call, nowMs);
    case 'openai':
      return openai(state, call, nowMs);
    case 'purge-queue':
      return purge(state, call, nowMs);
    case 'health':
      return health(state, call, nowMs);
    case 'requests':
      return requests(state, call, nowMs);
    default:
      return withJob(state, call, nowMs);
  }
}

function withJob(state: ServiceState, call: Call, nowMs: number): CoreReply | null {
  const { route, endpoint } = call;
  const job = state.jobs.get(route.job);
  if (job === undefined || !state.rules.jobVisibleFrom(job.endpoint.id, endpoint.id, route.op))
    return notFound(state, route);
  switch (route.op) {
    case 'cancel':
      return cancel(state, job, nowMs);
    case 'retry':
      return retry(state, job, nowMs);
    case 'stream':
      return stream(state, call, job, nowMs);
    default:
      return route.waits ? statusSync(state, call, job, nowMs) : status(state, call, job, nowMs);
  }
}

function notFound(state: ServiceState, { op, job }: Route): CoreReply {
  const detail = `job not found: ${job}`;
  if (!state.rules.couldBeId(job)) return refusal(state, 'impossible-id', op, detail);
  if (state.purgedIds.has(job)) return refusal(state, 'purged', op, `job was purged: ${job}`);
  const never = state.idsGiven !== null && !state.idsGiven.has(job);
  return refusal(state, never ? 'never-existed' : 'no-such-job', op, detail);
}

const record = (state: ServiceState, job: Job, view: RecordKind, nowMs: number): CoreReply =>
  jsonReply(state, state.rules.successCode(view), recordOf(state.rules, job, view, nowMs));

/** §4.2 */
function run(state: ServiceState, { request, endpoint }: Call, nowMs: number): CoreReply {
  const submission = submissionIn(state.rules, request);
  if ('refused' in submission) return refusal(state, 'malformed', 'run', submission.refused);
  return submit(state, endpoint, submission.value, nowMs);
}

export function submit(state: ServiceState, to: Endpoint, submission: Submission, nowMs: number): CoreReply {
  const job = submitJob(state, to, { op: 'run', submission, waitMs: null }, nowMs);
  const reply = record(state, job, 'run', nowMs);
  dispatch(state, to, 'submission', nowMs);
  return reply;
}

/** §4.1: the answer is an effect. */
function runsync(
  state: ServiceState,
  { callId, request, endpoint, slot }: Call,
  nowMs: number,
): null | CoreReply {
  const submission = submissionIn(state.rules, request);
  if ('refused' in submission) return refusal(state, 'malformed', 'runsync', submission.refused);
  const wait = integerInQuery(state.rules, 'wait', request.query['wait']);
  if ('refused' in wait) return refusal(state, 'malformed', 'runsync', wait.refused);
  const job = submitJob(
    state,
    endpoint,
    { op: 'runsync', submission: submission.value, waitMs: wait.value },
    nowMs,
  );
  const afterwards = (atMs: number): void => {
    if (state.rules.elapsedWaitStopsJob(job) && job.endedMs === null)
      endJob(state, job, state.rules.cancelEnding(job), 'cancel', atMs);
  };
  waitFor(
    state,
    job,
    { callId, slot, waitsFor: 'record', waitMs: state.rules.waitMs(wait.value), afterwards },
    nowMs,
  );
  dispatch(state, endpoint, 'submission', nowMs);
  return null;
}

/** §4.9 shows no formats: the worker gets the route and the body, and its output is the answer. */
function openai(
  state: ServiceState,
  { callId, request, route, endpoint, slot }: Call,
  nowMs: number,
): null | CoreReply {
  if (!state.rules.offersOpenai())
    return refusal(state, 'not-offered', 'openai', 'this endpoint offers no /openai');
  const body = jsonObject(state.rules, request);
  if ('refused' in body) return refusal(state, 'malformed', 'openai', body.refused);
  const input: Json = { openai_route: `/${route.rest}`, openai_input: body.value };
  const policy = { executionTimeoutMs: null, lowPriority: null, ttlMs: null };
  const submission = { input, webhook: null, s3Config: null, policy };
  const job = submitJob(state, endpoint, { op: 'openai', submission, waitMs: null }, nowMs);
  waitFor(state, job, { callId, slot, waitsFor: 'record', waitMs: state.rules.waitMs(null) }, nowMs);
  dispatch(state, endpoint, 'submission', nowMs);
  return null;
}

/** §4.3 */
function status(state: ServiceState, { request, route }: Call, job: Job, nowMs: number): CoreReply {
  const ttl = integerInQuery(state.rules, 'ttl', request.query['ttl']);
  if ('refused' in ttl) return refusal(state, 'malformed', 'status', ttl.refused);
  if (state.rules.hiddenFromStatus(job, nowMs)) return notFound(state, route);
  const ofEnded = job.endedMs === null ? 'holds' : state.rules.ttlOfEnded();
  if (ttl.value !== null && ofEnded === 'refused')
    return refusal(state, 'malformed', 'status', `job ${job.id} has ended: ${job.status}`);
  if (ttl.value !== null && ofEnded === 'holds') {
    job.ttlSet = { ttlMs: ttl.value, atMs: nowMs };
    const over = state.rules.ttlDeadlineMs(job, state.rules.ttlMs(job)) <= nowMs;
    if (over && state.rules.ttlAlreadyOver() === 'not-found') {
      deleteJob(state, job, 'ttl', nowMs);
      return notFound(state, route);
    }
    setTimers(state, job, nowMs);
  }
  const reply = record(state, job, 'status', nowMs);
  wasRead(state, job, 'status', nowMs);
  return reply;
}

/** `/status-sync` of edition `runpod`: waits for the end of the job. */
function statusSync(
  state: ServiceState,
  { callId, request, slot }: Call,
  job: Job,
  nowMs: number,
): null | CoreReply {
  const wait = integerInQuery(state.rules, 'wait', request.query['wait']);
  if ('refused' in wait) return refusal(state, 'malformed', 'status', wait.refused);
  if (state.rules.endsWait(job.status)) return record(state, job, 'status', nowMs);
  waitFor(state, job, { callId, slot, waitsFor: 'record', waitMs: state.rules.waitMs(wait.value) }, nowMs);
  return null;
}

/** §4.4 */
function stream(state: ServiceState, { callId, slot }: Call, job: Job, nowMs: number): CoreReply | null {
  const waits = state.rules.streamWaits(job);
  if (waits !== 'no') {
    const forEnd = waits === 'end';
    const waitMs = forEnd ? Number.POSITIVE_INFINITY : state.rules.streamWaitMs();
    waitFor(state, job, { callId, slot, waitsFor: forEnd ? 'stream-end' : 'chunk', waitMs }, nowMs);
    return null;
  }
  const reply = streamReply(state, job);
  wasRead(state, job, 'stream', nowMs);
  return reply;
}

function wasRead(state: ServiceState, job: Job, op: 'status' | 'stream', nowMs: number): void {
  job.readMs = nowMs;
  if (state.rules.readSetsTimersAnew()) setTimers(state, job, nowMs);
  if (state.rules.readConsumes(job, op)) deleteJob(state, job, 'retention', nowMs);
}

/** §4.5 */
function cancel(state: ServiceState, job: Job, nowMs: number): CoreReply {
  if (!state.rules.mayCancel(job.status, job)) return cancelEnded(state, job, nowMs);
  endJob(state, job, state.rules.cancelEnding(job), 'cancel', nowMs);
  const reply = record(state, job, 'cancel', nowMs);
  if (state.rules.forgetsCancelled()) deleteJob(state, job, 'cancel', nowMs);
  return reply;
}

function cancelEnded(state: ServiceState, job: Job, nowMs: number): CoreReply {
  const reply = unspecifiedAnswer(state, job, 'cancel', state.rules.cancelOfEnded(job), nowMs);
  const does = state.rules.cancelOfEndedDoes(job);
  // A job that is CANCELLED is not cancelled, counted and announced again.
  if (does === 'cancels' && job.status !== 'CANCELLED') {
    // Where cancelled jobs count as failed, too, this job must not count twice.
    if (job.status === 'FAILED' || job.status === 'TIMED_OUT') job.endpoint.entered[job.status]--;
    endJob(state, job, state.rules.cancelEnding(job), 'cancel', nowMs);
  }
  if (does === 'removes') deleteJob(state, job, 'cancel', nowMs);
  return reply;
}

/** §4.6 */
function retry(state: ServiceState, job: Job, nowMs: number): CoreReply {
  if (!state.rules.mayRetry(job.status, job.retries, job))
    return unspecifiedAnswer(state, job, 'retry', state.rules.retryOfOther(job), nowMs);
  retryJob(state, job, nowMs);
  const reply = record(state, job, 'retry', nowMs);
  dispatch(state, job.endpoint, 'retry', nowMs);
  return reply;
}

/** An answer that the document does not show. */
function unspecifiedAnswer(
  state: ServiceState,
  job: Job,
  view: 'cancel' | 'retry',
  what: UnspecifiedAnswer,
  nowMs: number,
): CoreReply {
  if (what === 'as-it-is') return record(state, job, view, nowMs);
  if (what === 'done') {
    const status = view === 'cancel' ? 'CANCELLED' : 'IN_QUEUE';
    return jsonReply(state, state.rules.successCode(view), { id: job.id, status });
  }
  return refusalWith(state, what, `/${view} does not apply: job ${job.id} is ${job.status}`);
}

/** §4.7 */
function purge(state: ServiceState, { endpoint }: Call, nowMs: number): CoreReply {
  let removed = 0;
  for (const other of state.endpoints.values()) {
    if (!state.rules.purgeReaches(other.id, endpoint.id)) continue;
    for (const job of [...other.jobs].filter((each) => state.rules.purgeRemoves(each))) {
      const purged = state.rules.purgedIs();
      if (purged === 'gone') deleteJob(state, job, 'purge', nowMs);
      else endJob(state, job, purged, 'purge', nowMs);
      if (state.rules.remembersPurged()) {
        state.purgedIds.add(job.id);
        state.changes?.purged.add(job.id);
      }
      removed++;
    }
  }
  const body = state.rules.purgeBody(state.rules.purgeCount(removed, endpoint.pool.running));
  return jsonReply(state, state.rules.successCode('purge-queue'), body);
}

/** §4.8 */
function health(state: ServiceState, { endpoint }: Call, nowMs: number): CoreReply {
  const everywhere = (): readonly EndpointCounts[] =>
    [...state.endpoints.values()].map((each) => countsOf(each, nowMs));
  const body = state.rules.healthOf(countsOf(endpoint, nowMs), everywhere);
  return jsonReply(state, state.rules.successCode('health'), body);
}

const countsOf = (
  { held, entered, retriedFrom, redispatched, pool, scaling, jobs }: Endpoint,
  nowMs: number,
): EndpointCounts => ({
  held,
  entered,
  retriedFrom,
  redispatched,
  initializing: pool.starting + pool.restarting,
  idle: pool.idle,
  running: pool.running,
  workersMax: scaling.max + pool.external.size,
  jobs,
  nowMs,
});

/** §4.9 */
function requests(state: ServiceState, { endpoint }: Call, nowMs: number): CoreReply {
  if (!state.rules.offersRequests())
    return refusal(state, 'not-offered', 'requests', 'this endpoint offers no /requests');
  const newest = [...endpoint.jobs].slice(-LISTED_MAX);
  const jobs = newest.map((job) => recordOf(state.rules, job, 'requests', nowMs));
  return jsonReply(state, state.rules.successCode('requests'), state.rules.requestsBody(jobs));
}
