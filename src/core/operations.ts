/** Section 4, operation by operation. */
import type { Json } from '../history/events.js';
import type { CoreReply, CoreRequest } from './api.js';
import { integerInQuery } from './http/integer.js';
import { refusal } from './http/refusal.js';
import type { Route } from './http/route.js';
import { jsonObject, submissionIn } from './http/submission.js';
import { arm, cancelled, dispatch, end, remove, requeue, submit } from './lifecycle.js';
import { jsonReply } from './machine.js';
import type { Machine } from './machine.js';
import { recordOf } from './record.js';
import type { EndpointCounts } from './rules/jobs.js';
import type { View } from './rules/replies.js';
import type { Endpoint, Job } from './state.js';
import { wait, endedReply } from './waiting.js';

/** A request that may be performed: known key, endpoint and method, within the limits. */
export interface Call {
  readonly callId: number;
  readonly request: CoreRequest;
  readonly route: Route;
  readonly endpoint: Endpoint;
  /** The rate meter that it counts on. */
  readonly meter: string;
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
      return health(m, call);
    case 'requests':
      return requests(m, call, nowMs);
    default:
      return withJob(m, call, nowMs);
  }
}

function withJob(m: Machine, call: Call, nowMs: number): CoreReply | null {
  const { route, endpoint } = call;
  const job = m.jobs.get(route.job);
  if (job === undefined || !m.rules.jobVisibleFrom(job.endpoint.id, endpoint.id, route.op)) {
    return refusal(m, 'no-such-job', route.op, `job not found: ${route.job}`);
  }
  if (route.op === 'cancel') return cancel(m, job, nowMs);
  if (route.op === 'retry') return retry(m, job, nowMs);
  if (route.op === 'stream') return stream(m, job, nowMs);
  return route.waits ? statusSync(m, call, job, nowMs) : status(m, call, job, nowMs);
}

const record = (m: Machine, job: Job, view: View, nowMs: number): CoreReply =>
  jsonReply(m, m.rules.successCode(view), recordOf(m.rules, job, view, nowMs));

/** §4.2 */
function run(m: Machine, { request, endpoint }: Call, nowMs: number): CoreReply {
  const body = jsonObject(request.body);
  if ('refused' in body) return refusal(m, 'malformed', 'run', body.refused);
  const submission = submissionIn(m.rules, body.value);
  if ('refused' in submission) return refusal(m, 'malformed', 'run', submission.refused);
  const job = submit(m, endpoint, { op: 'run', submission: submission.value, waitMs: null }, nowMs);
  const reply = record(m, job, 'run', nowMs);
  dispatch(m, endpoint, 'submission', nowMs);
  return reply;
}

/** §4.1: answered by an effect. */
function runsync(m: Machine, { callId, request, endpoint, meter }: Call, nowMs: number): null | CoreReply {
  const body = jsonObject(request.body);
  if ('refused' in body) return refusal(m, 'malformed', 'runsync', body.refused);
  const submission = submissionIn(m.rules, body.value);
  if ('refused' in submission) return refusal(m, 'malformed', 'runsync', submission.refused);
  const asked = integerInQuery(m.rules, 'wait', request.query['wait']);
  if ('refused' in asked) return refusal(m, 'malformed', 'runsync', asked.refused);
  const job = submit(
    m,
    endpoint,
    { op: 'runsync', submission: submission.value, waitMs: asked.value },
    nowMs,
  );
  wait(m, callId, job, meter, m.rules.waitMs(asked.value), nowMs);
  dispatch(m, endpoint, 'submission', nowMs);
  return null;
}

/** §4.9 shows no shapes: the route and the body go to the worker, its output comes back. */
function openai(
  m: Machine,
  { callId, request, route, endpoint, meter }: Call,
  nowMs: number,
): null | CoreReply {
  const body = jsonObject(request.body);
  if ('refused' in body) return refusal(m, 'malformed', 'openai', body.refused);
  const input: Json = { openai_route: `/${route.rest}`, openai_input: body.value };
  const submission = {
    input,
    webhook: null,
    s3Config: null,
    policy: { executionTimeoutMs: null, lowPriority: null, ttlMs: null },
  };
  const job = submit(m, endpoint, { op: 'openai', submission, waitMs: null }, nowMs);
  wait(m, callId, job, meter, m.rules.waitMs(null), nowMs);
  dispatch(m, endpoint, 'submission', nowMs);
  return null;
}

/** §4.3 */
function status(m: Machine, { request }: Call, job: Job, nowMs: number): CoreReply {
  const ttl = integerInQuery(m.rules, 'ttl', request.query['ttl']);
  if ('refused' in ttl) return refusal(m, 'malformed', 'status', ttl.refused);
  if (ttl.value !== null) {
    job.ttlSet = { ttlMs: ttl.value, atMs: nowMs };
    arm(m, job, nowMs);
  }
  const reply = record(m, job, 'status', nowMs);
  wasRead(m, job, 'status', nowMs);
  return reply;
}

/** Edition `runpod`: `/status` that waits for the end of the job. */
function statusSync(m: Machine, { callId, request, meter }: Call, job: Job, nowMs: number): null | CoreReply {
  const asked = integerInQuery(m.rules, 'wait', request.query['wait']);
  if ('refused' in asked) return refusal(m, 'malformed', 'status', asked.refused);
  if (m.rules.endsWait(job.status)) return endedReply(m, job, nowMs);
  wait(m, callId, job, meter, m.rules.waitMs(asked.value), nowMs);
  return null;
}

/** §4.4 */
function stream(m: Machine, job: Job, nowMs: number): CoreReply {
  const chunks = job.chunks.slice(m.rules.chunksFrom(job));
  job.chunksRead = job.chunks.length;
  const reply = jsonReply(m, m.rules.successCode('stream'), m.rules.streamBody(job, chunks));
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
  if (m.rules.mayCancel(job.status)) {
    end(m, job, cancelled(m.rules.statusAfterCancel(job)), 'cancel', nowMs);
    return record(m, job, 'cancel', nowMs);
  }
  switch (m.rules.cancelOfEnded(job)) {
    case 'refuse':
      return refusal(m, 'wrong-state', 'cancel', `job ${job.id} has ended: ${job.status}`);
    case 'not-found':
      return refusal(m, 'no-such-job', 'cancel', `job not found: ${job.id}`);
    case 'answer-as-it-stands':
      return record(m, job, 'cancel', nowMs);
    case 'say-done':
      return jsonReply(m, m.rules.successCode('cancel'), { id: job.id, status: 'CANCELLED' });
  }
}

/** §4.6 */
function retry(m: Machine, job: Job, nowMs: number): CoreReply {
  if (m.rules.mayRetry(job.status)) {
    requeue(m, job, nowMs);
    const reply = record(m, job, 'retry', nowMs);
    dispatch(m, job.endpoint, 'retry', nowMs);
    return reply;
  }
  switch (m.rules.retryOfOther(job)) {
    case 'refuse':
      return refusal(
        m,
        'wrong-state',
        'retry',
        `only a FAILED or TIMED_OUT job can be retried, not ${job.status}`,
      );
    case 'not-found':
      return refusal(m, 'no-such-job', 'retry', `job not found: ${job.id}`);
    case 'answer-as-it-stands':
      return record(m, job, 'retry', nowMs);
    case 'say-done':
      return jsonReply(m, m.rules.successCode('retry'), { id: job.id, status: 'IN_QUEUE' });
  }
}

/** §4.7 */
function purge(m: Machine, { endpoint }: Call, nowMs: number): CoreReply {
  let removed = 0;
  for (const other of m.endpoints.values()) {
    if (!m.rules.purgeReaches(other.id, endpoint.id)) continue;
    for (const job of [...other.jobs.values()].filter((each) => m.rules.purgeRemoves(each))) {
      if (m.rules.purgedIs() === 'cancelled') end(m, job, cancelled('CANCELLED'), 'cancel', nowMs);
      else remove(m, job, 'purge', nowMs);
      removed++;
    }
  }
  const body = m.rules.purgeBody(m.rules.purgeCount(removed, endpoint.queue.size));
  return jsonReply(m, m.rules.successCode('purge-queue'), body);
}

/** §4.8 */
function health(m: Machine, { endpoint }: Call): CoreReply {
  const body = m.rules.healthOf(countsOf(endpoint), () => [...m.endpoints.values()].map(countsOf));
  return jsonReply(m, m.rules.successCode('health'), body);
}

const countsOf = ({ held, entered, retried, idle, busy }: Endpoint): EndpointCounts => ({
  held,
  entered,
  retried,
  idle: idle.length,
  running: busy.size,
});

/** §4.9 */
function requests(m: Machine, { endpoint }: Call, nowMs: number): CoreReply {
  const jobs = [...endpoint.jobs.values()].map((job) => recordOf(m.rules, job, 'requests', nowMs));
  return jsonReply(m, m.rules.successCode('requests'), m.rules.requestsBody(jobs));
}
