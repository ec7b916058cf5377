/** Section 4, operation by operation. */
import type { Json } from '../history/events.js';
import type { CoreReply, CoreRequest } from './api.js';
import { integerInQuery } from './http/integer.js';
import { refusal, refusalWith } from './http/refusal.js';
import type { Route } from './http/route.js';
import { jsonObject, submissionIn } from './http/submission.js';
import { arm, dispatch, end, remove, submit } from './lifecycle.js';
import { jsonReply } from './machine.js';
import type { Machine } from './machine.js';
import type { Slot } from './meters.js';
import { recordOf } from './record.js';
import type { EndpointCounts } from './rules/health.js';
import type { Instead } from './rules/jobs.js';
import type { View } from './rules/records.js';
import type { Endpoint, Job } from './state.js';
import { requeue } from './requeue.js';
import { streamReply } from './streams.js';
import { wait } from './waiting.js';

/** `/requests` lists so many jobs, the newest ones. */
const LISTED_MAX = 1_000;

/** A request that may be performed: known key, endpoint and method, within the limits. */
export interface Call {
  readonly callId: number;
  readonly request: CoreRequest;
  readonly route: Route;
  readonly endpoint: Endpoint;
  /** Counts it as under way; whoever lets it wait takes it over. */
  readonly slot: Slot;
}

export function perform(m: Machine, call: Call, nowMs: number): CoreReply | null {
  switch (call.route.op) {
    case 'run':
      return run(m, call, nowMs);
    case 'runsync':
      return runsync(m, call, nowMs);
    case 'openai':
      return openai(m, call, nowMs);
    case 'purge-queue':
      return purge(m, call, nowMs);
    case 'health':
      return health(m, call, nowMs);
    case 'requests':
      return requests(m, call, nowMs);
    default:
      return withJob(m, call, nowMs);
  }
}

function withJob(m: Machine, call: Call, nowMs: number): CoreReply | null {
  const { route, endpoint } = call;
  const job = m.jobs.get(route.job);
  if (job === undefined || !m.rules.jobVisibleFrom(job.endpoint.id, endpoint.id, route.op))
    return notFound(m, route);
  switch (route.op) {
    case 'cancel':
      return cancel(m, job, nowMs);
    case 'retry':
      return retry(m, job, nowMs);
    case 'stream':
      return stream(m, call, job, nowMs);
    default:
      return route.waits ? statusSync(m, call, job, nowMs) : status(m, call, job, nowMs);
  }
}

function notFound(m: Machine, { op, job }: Route): CoreReply {
  const detail = `job not found: ${job}`;
  if (!m.rules.couldBeId(job)) return refusal(m, 'impossible-id', op, detail);
  if (m.purgedIds.has(job)) return refusal(m, 'purged', op, `job was purged: ${job}`);
  const never = m.everyId !== null && !m.everyId.has(job);
  return refusal(m, never ? 'never-existed' : 'no-such-job', op, detail);
}

const record = (m: Machine, job: Job, view: View, nowMs: number): CoreReply =>
  jsonReply(m, m.rules.successCode(view), recordOf(m.rules, job, view, nowMs));

/** §4.2 */
function run(m: Machine, { request, endpoint }: Call, nowMs: number): CoreReply {
  const submission = submissionIn(m.rules, request.body);
  if ('refused' in submission) return refusal(m, 'malformed', 'run', submission.refused);
  const job = submit(m, endpoint, { op: 'run', submission: submission.value, waitMs: null }, nowMs);
  const reply = record(m, job, 'run', nowMs);
  dispatch(m, endpoint, 'submission', nowMs);
  return reply;
}

/** §4.1: answered by an effect. */
function runsync(m: Machine, { callId, request, endpoint, slot }: Call, nowMs: number): null | CoreReply {
  const submission = submissionIn(m.rules, request.body);
  if ('refused' in submission) return refusal(m, 'malformed', 'runsync', submission.refused);
  const asked = integerInQuery(m.rules, 'wait', request.query['wait']);
  if ('refused' in asked) return refusal(m, 'malformed', 'runsync', asked.refused);
  const job = submit(
    m,
    endpoint,
    { op: 'runsync', submission: submission.value, waitMs: asked.value },
    nowMs,
  );
  const afterwards = (atMs: number): void => {
    if (m.rules.elapsedWaitStopsJob(job) && job.endedMs === null)
      end(m, job, m.rules.cancelEnding(job), 'cancel', atMs);
  };
  wait(m, job, { callId, slot, waitsFor: 'record', waitMs: m.rules.waitMs(asked.value), afterwards }, nowMs);
  dispatch(m, endpoint, 'submission', nowMs);
  return null;
}

/** §4.9 shows no shapes: the route and the body go to the worker, its output comes back. */
function openai(
  m: Machine,
  { callId, request, route, endpoint, slot }: Call,
  nowMs: number,
): null | CoreReply {
  if (!m.rules.offersOpenai()) return refusal(m, 'not-offered', 'openai', 'this endpoint offers no /openai');
  const body = jsonObject(m.rules, request.body);
  if ('refused' in body) return refusal(m, 'malformed', 'openai', body.refused);
  const input: Json = { openai_route: `/${route.rest}`, openai_input: body.value };
  const policy = { executionTimeoutMs: null, lowPriority: null, ttlMs: null };
  const submission = { input, webhook: null, s3Config: null, policy };
  const job = submit(m, endpoint, { op: 'openai', submission, waitMs: null }, nowMs);
  wait(m, job, { callId, slot, waitsFor: 'record', waitMs: m.rules.waitMs(null) }, nowMs);
  dispatch(m, endpoint, 'submission', nowMs);
  return null;
}

/** §4.3 */
function status(m: Machine, { request, route }: Call, job: Job, nowMs: number): CoreReply {
  const ttl = integerInQuery(m.rules, 'ttl', request.query['ttl']);
  if ('refused' in ttl) return refusal(m, 'malformed', 'status', ttl.refused);
  if (m.rules.hiddenFromStatus(job, nowMs)) return notFound(m, route);
  if (ttl.value !== null && (job.endedMs === null || m.rules.ttlOfEndedHolds())) {
    job.ttlSet = { ttlMs: ttl.value, atMs: nowMs };
    const over = m.rules.ttlDeadlineMs(job, m.rules.ttlMs(job)) <= nowMs;
    if (over && m.rules.ttlAlreadyOver() === 'not-found') {
      remove(m, job, 'ttl', nowMs);
      return notFound(m, route);
    }
    arm(m, job, nowMs);
  }
  const reply = record(m, job, 'status', nowMs);
  wasRead(m, job, 'status', nowMs);
  return reply;
}

/** Edition `runpod`: `/status` that waits for the end of the job. */
function statusSync(m: Machine, { callId, request, slot }: Call, job: Job, nowMs: number): null | CoreReply {
  const asked = integerInQuery(m.rules, 'wait', request.query['wait']);
  if ('refused' in asked) return refusal(m, 'malformed', 'status', asked.refused);
  if (m.rules.endsWait(job.status)) return record(m, job, 'status', nowMs);
  wait(m, job, { callId, slot, waitsFor: 'record', waitMs: m.rules.waitMs(asked.value) }, nowMs);
  return null;
}

/** §4.4 */
function stream(m: Machine, { callId, slot }: Call, job: Job, nowMs: number): CoreReply | null {
  const waits = m.rules.streamWaits(job);
  if (waits !== 'no') {
    const forEnd = waits === 'end';
    const waitMs = forEnd ? Number.POSITIVE_INFINITY : m.rules.streamWaitMs();
    wait(m, job, { callId, slot, waitsFor: forEnd ? 'stream-end' : 'chunk', waitMs }, nowMs);
    return null;
  }
  const reply = streamReply(m, job);
  wasRead(m, job, 'stream', nowMs);
  return reply;
}

function wasRead(m: Machine, job: Job, op: 'status' | 'stream', nowMs: number): void {
  job.readMs = nowMs;
  if (m.rules.readSetsTimersAnew()) arm(m, job, nowMs);
  if (m.rules.readConsumes(job, op)) remove(m, job, 'retention', nowMs);
}

/** §4.5 */
function cancel(m: Machine, job: Job, nowMs: number): CoreReply {
  if (!m.rules.mayCancel(job.status, job)) return cancelEnded(m, job, nowMs);
  end(m, job, m.rules.cancelEnding(job), 'cancel', nowMs);
  const reply = record(m, job, 'cancel', nowMs);
  if (m.rules.forgetsCancelled()) remove(m, job, 'cancel', nowMs);
  return reply;
}

function cancelEnded(m: Machine, job: Job, nowMs: number): CoreReply {
  const reply = instead(m, job, 'cancel', m.rules.cancelOfEnded(job), nowMs);
  const does = m.rules.cancelOfEndedDoes(job);
  // One that was cancelled before is not cancelled, counted and told of once more.
  if (does === 'cancels' && job.status !== 'CANCELLED') {
    // One job fails once, where cancelled ones count as failed too.
    if (job.status === 'FAILED' || job.status === 'TIMED_OUT') job.endpoint.entered[job.status] -= 1;
    end(m, job, m.rules.cancelEnding(job), 'cancel', nowMs);
  }
  if (does === 'removes') remove(m, job, 'cancel', nowMs);
  return reply;
}

/** §4.6 */
function retry(m: Machine, job: Job, nowMs: number): CoreReply {
  if (!m.rules.mayRetry(job.status, job.retries, job))
    return instead(m, job, 'retry', m.rules.retryOfOther(job), nowMs);
  requeue(m, job, nowMs);
  const reply = record(m, job, 'retry', nowMs);
  dispatch(m, job.endpoint, 'retry', nowMs);
  return reply;
}

/** An answer that the document does not show. */
function instead(m: Machine, job: Job, view: 'cancel' | 'retry', what: Instead, nowMs: number): CoreReply {
  if (what === 'as-it-is') return record(m, job, view, nowMs);
  if (what === 'done') {
    const status = view === 'cancel' ? 'CANCELLED' : 'IN_QUEUE';
    return jsonReply(m, m.rules.successCode(view), { id: job.id, status });
  }
  return refusalWith(m, what, `/${view} does not apply: job ${job.id} is ${job.status}`);
}

/** §4.7 */
function purge(m: Machine, { endpoint }: Call, nowMs: number): CoreReply {
  let removed = 0;
  for (const other of m.endpoints.values()) {
    if (!m.rules.purgeReaches(other.id, endpoint.id)) continue;
    for (const job of [...other.jobs.values()].filter((each) => m.rules.purgeRemoves(each))) {
      const purged = m.rules.purgedIs();
      if (purged === 'gone') remove(m, job, 'purge', nowMs);
      else end(m, job, purged, 'purge', nowMs);
      if (m.rules.remembersPurged()) {
        m.purgedIds.add(job.id);
        m.changes?.purged.add(job.id);
      }
      removed++;
    }
  }
  const body = m.rules.purgeBody(m.rules.purgeCount(removed, endpoint.fleet.running));
  return jsonReply(m, m.rules.successCode('purge-queue'), body);
}

/** §4.8 */
function health(m: Machine, { endpoint }: Call, nowMs: number): CoreReply {
  const everywhere = (): readonly EndpointCounts[] =>
    [...m.endpoints.values()].map((each) => countsOf(each, nowMs));
  const body = m.rules.healthOf(countsOf(endpoint, nowMs), everywhere);
  return jsonReply(m, m.rules.successCode('health'), body);
}

const countsOf = (
  { held, entered, retriedFrom, redispatched, fleet, scaling, jobs }: Endpoint,
  nowMs: number,
): EndpointCounts => ({
  held,
  entered,
  retriedFrom,
  redispatched,
  initializing: fleet.starting + fleet.restarting,
  idle: fleet.idle,
  running: fleet.running,
  workersMax: scaling.max + fleet.external.size,
  jobs: jobs.values(),
  nowMs,
});

/** §4.9 */
function requests(m: Machine, { endpoint }: Call, nowMs: number): CoreReply {
  if (!m.rules.offersRequests())
    return refusal(m, 'not-offered', 'requests', 'this endpoint offers no /requests');
  const newest = [...endpoint.jobs.values()].slice(-LISTED_MAX);
  const jobs = newest.map((job) => recordOf(m.rules, job, 'requests', nowMs));
  return jsonReply(m, m.rules.successCode('requests'), m.rules.requestsBody(jobs));
}
