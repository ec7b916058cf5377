/**
 * Test control, version 1, in one file: an example to copy from. Node 20 or later, no packages.
 *
 *     RUNPROOF_API_KEY=secret node examples/test-control/server.mjs 8080
 *     RUNPROOF_API_KEY=secret npx runproof check-control http://127.0.0.1:8080/_control
 *
 * Of the job API it has what shows time: /run, /runsync, /status, /cancel, /health; ttl, executionTimeout and
 * retention; steps sleepMs, return, echo, fail and hang of the scripted worker. It has no webhooks, streams, retries
 * or rate limits: it is no complete service.
 *
 * The idea: the service never reads a clock of the machine. It reads `nowMs` and files everything that happens later
 * in one list, ordered by time. `advance` goes through that list. An endpoint with a clock of its own has its own list.
 */
import { createServer } from 'node:http';
import { randomUUID } from 'node:crypto';

const KEY = process.env.RUNPROOF_API_KEY ?? 'secret';
const DAY = 86_400_000;
const isCount = (value) => Number.isSafeInteger(value) && value >= 0;

// --- the clock ------------------------------------------------------------------------------------------

class Clock {
  nowMs = 0;
  /** What happens later: `{ atMs, act }`, ordered by time; of equal times, the one filed first. */
  agenda = [];

  later(ms, act) {
    const entry = { atMs: this.nowMs + ms, act };
    const place = this.agenda.findIndex(({ atMs }) => atMs > entry.atMs);
    this.agenda.splice(place === -1 ? this.agenda.length : place, 0, entry);
    return () => {
      const index = this.agenda.indexOf(entry);
      if (index !== -1) this.agenda.splice(index, 1);
    };
  }

  /** Rule 2: one by one, each at its own instant, and what it causes before what comes later. */
  advance(byMs) {
    const untilMs = this.nowMs + byMs;
    while (this.agenda.length > 0 && this.agenda[0].atMs <= untilMs) {
      const { atMs, act } = this.agenda.shift();
      this.nowMs = atMs;
      act();
    }
    this.nowMs = untilMs;
  }
}

const serverClock = new Clock();
/** Rule 9: the clocks that endpoints have named, while one of them is there. */
const clocks = new Map();

function clockNamed(name) {
  if (name === undefined) return serverClock;
  if (!clocks.has(name)) clocks.set(name, new Clock());
  return clocks.get(name);
}

// --- the service ----------------------------------------------------------------------------------------

const endpoints = new Map();
const createEndpoint = (id, workers, clock) => ({
  id,
  workers,
  clock,
  received: 0,
  queue: [],
  running: 0,
  jobs: new Map(),
});

function submit(endpoint, { input, policy = {} }, isSync) {
  const job = {
    id: randomUUID(),
    input,
    status: 'IN_QUEUE',
    submittedMs: endpoint.clock.nowMs,
    startedMs: null,
    endedMs: null,
  };
  Object.assign(job, { isSync, timers: [], waiters: [], limitMs: policy.executionTimeout ?? 600_000 });
  endpoint.jobs.set(job.id, job);
  endpoint.queue.push(job);
  job.clock = endpoint.clock;
  job.stopTtl = endpoint.clock.later(policy.ttl ?? DAY, () => remove(endpoint, job));
  dispatch(endpoint);
  return job;
}

function dispatch(endpoint) {
  while (endpoint.queue.length > 0 && endpoint.running < endpoint.workers) {
    const job = endpoint.queue.shift();
    endpoint.running += 1;
    Object.assign(job, { status: 'IN_PROGRESS', startedMs: endpoint.clock.nowMs });
    job.timers.push(endpoint.clock.later(job.limitMs, () => end(endpoint, job, 'TIMED_OUT')));
    follow(endpoint, job, 0);
  }
}

/** The scripted worker: one step of the plan, then the next. */
function follow(endpoint, job, index) {
  const { clock } = endpoint;
  const { plan } = job.input;
  if (plan === undefined) return end(endpoint, job, 'COMPLETED', { echo: job.input });
  const step = plan[index];
  if (step === undefined) return end(endpoint, job, 'COMPLETED', { ok: true });
  if ('sleepMs' in step)
    return job.timers.push(clock.later(step.sleepMs, () => follow(endpoint, job, index + 1)));
  if ('return' in step) return end(endpoint, job, 'COMPLETED', step.return);
  if ('echo' in step) return end(endpoint, job, 'COMPLETED', job.input);
  if ('hang' in step) return;
  if ('fail' in step || 'crash' in step) return end(endpoint, job, 'FAILED');
  // What needs /stream or a webhook to be seen is left out.
  follow(endpoint, job, index + 1);
}

function leave(endpoint, job) {
  for (const stop of job.timers.splice(0)) stop();
  if (job.status === 'IN_PROGRESS') endpoint.running -= 1;
  endpoint.queue = endpoint.queue.filter((other) => other !== job);
}

function end(endpoint, job, status, output) {
  leave(endpoint, job);
  Object.assign(job, { status, output, endedMs: endpoint.clock.nowMs });
  for (const answer of job.waiters.splice(0)) answer(200, record(job));
  // Results are kept for 30 minutes, those of /runsync for one.
  job.timers.push(endpoint.clock.later(job.isSync ? 60_000 : 1_800_000, () => remove(endpoint, job)));
  dispatch(endpoint);
}

function remove(endpoint, job) {
  leave(endpoint, job);
  job.stopTtl();
  endpoint.jobs.delete(job.id);
  for (const answer of job.waiters.splice(0)) answer(404, { error: 'no such job' });
  dispatch(endpoint);
}

function record({ id, status, output, submittedMs, startedMs, endedMs, clock: { nowMs } }) {
  const executionTime = startedMs === null ? 0 : (endedMs ?? nowMs) - startedMs;
  return { id, status, output, delayTime: (startedMs ?? nowMs) - submittedMs, executionTime };
}

function health({ jobs, workers, running }) {
  const count = (...statuses) => [...jobs.values()].filter(({ status }) => statuses.includes(status)).length;
  return {
    jobs: {
      completed: count('COMPLETED'),
      failed: count('FAILED', 'TIMED_OUT'),
      inProgress: count('IN_PROGRESS'),
      inQueue: count('IN_QUEUE'),
      retried: 0,
    },
    workers: { idle: Math.max(0, workers - running), running },
  };
}

function isPolicy({ ttl = DAY, executionTimeout = 600_000 }) {
  const within = (ms, leastMs) => isCount(ms) && ms >= leastMs && ms <= 7 * DAY;
  return within(ttl, 10_000) && within(executionTimeout, 5_000);
}

// --- the job API ----------------------------------------------------------------------------------------

function api(endpoint, method, [operation, jobId], query, body, answer) {
  endpoint.received += 1;
  const job = endpoint.jobs.get(jobId);
  if (operation === 'run' || operation === 'runsync') {
    if (typeof body?.input !== 'object' || body.input === null)
      return answer(400, { error: 'input is missing' });
    if (!isPolicy(body.policy ?? {})) return answer(400, { error: 'the policy is out of bounds' });
    const made = submit(endpoint, body, operation === 'runsync');
    if (operation === 'run') return answer(200, { id: made.id, status: 'IN_QUEUE' });
    if (made.endedMs !== null) return answer(200, record(made));
    made.waiters.push(answer);
    // The call waits on the clock of the endpoint as well.
    return endpoint.clock.later(Number(query.get('wait') ?? 90_000), () => {
      if (made.waiters.includes(answer)) answer(200, record(made));
      made.waiters = made.waiters.filter((other) => other !== answer);
    });
  }
  if (operation === 'health') return answer(200, health(endpoint));
  if (job === undefined) return answer(404, { error: 'no such job' });
  if (operation === 'status') return answer(200, record(job));
  if (operation === 'cancel') {
    if (job.endedMs === null) end(endpoint, job, 'CANCELLED');
    return answer(200, { id: job.id, status: job.status });
  }
  return answer(404, { error: 'no such operation' });
}

// --- test control ---------------------------------------------------------------------------------------

const FEATURES = ['clock', 'endpoints', 'endpoint-clocks'];

function control(method, [what, id, act], body, answer) {
  if (what === undefined) return answer(200, { protocol: 'test-control/1', features: FEATURES });
  if (what === 'clock') return controlClock(serverClock, `${method} ${id ?? ''}`, body, answer);
  if (what === 'clocks') return controlClock(clocks.get(id), `${method} ${act ?? ''}`, body, answer);
  if (what !== 'endpoints' || id === undefined) return answer(404, { error: 'no such call' });
  const endpoint = endpoints.get(id);
  const show = ({ workers, received }) => answer(200, { endpointId: id, workers, received });
  const hasWorkers = isCount(body?.workers);
  if (method === 'PUT') {
    if (!hasWorkers) return answer(400, { error: 'workers must be an integer from 0' });
    const name = body.clock;
    if (name !== undefined && (typeof name !== 'string' || name === ''))
      return answer(400, { error: 'clock must be a name' });
    empty(endpoint);
    endpoints.set(id, createEndpoint(id, body.workers, clockNamed(name)));
    forgetClocks();
    return show(endpoints.get(id));
  }
  if (endpoint === undefined) return answer(404, { error: 'no such endpoint' });
  if (method === 'GET') return show(endpoint);
  if (method === 'DELETE') {
    empty(endpoint);
    endpoints.delete(id);
    forgetClocks();
    return answer(204);
  }
  if (!hasWorkers) return answer(400, { error: 'workers must be an integer from 0' });
  // Running jobs finish first: `dispatch` only looks at how many run.
  endpoint.workers = body.workers;
  dispatch(endpoint);
  return show(endpoint);
}

function controlClock(clock, call, body, answer) {
  if (clock === undefined) return answer(404, { error: 'no such clock' });
  if (call === 'GET ')
    return answer(200, { nowMs: clock.nowMs, nextEventAtMs: clock.agenda[0]?.atMs ?? null });
  if (call !== 'POST advance') return answer(404, { error: 'no such call' });
  if (!isCount(body?.byMs)) return answer(400, { error: 'byMs must be an integer from 0' });
  clock.advance(body.byMs);
  return answer(200, { nowMs: clock.nowMs });
}

/** Rule 9: a clock goes with its last endpoint. */
function forgetClocks() {
  const used = new Set([...endpoints.values()].map(({ clock }) => clock));
  for (const [name, clock] of clocks) if (!used.has(clock)) clocks.delete(name);
}

/** Rule 6: waiting calls are answered with 404. */
function empty(endpoint) {
  if (endpoint === undefined) return;
  endpoint.workers = 0;
  for (const job of [...endpoint.jobs.values()]) remove(endpoint, job);
}

// --- HTTP -----------------------------------------------------------------------------------------------

async function handle(request, response) {
  const answer = (status, body) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  };
  let text = '';
  for await (const part of request) text += part;
  if ((request.headers.authorization ?? '').replace(/^Bearer /, '') !== KEY)
    return answer(401, { error: 'a valid API key is needed' });
  let body;
  try {
    body = text === '' ? undefined : JSON.parse(text);
  } catch {
    return answer(400, { error: 'the body is not JSON' });
  }
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  const [first, ...rest] = pathname.split('/').slice(1).filter(Boolean).map(decodeURIComponent);
  if (first === '_control') return control(request.method, rest, body, answer);
  const endpoint = first === 'v2' ? endpoints.get(rest[0]) : undefined;
  if (endpoint === undefined) return answer(404, { error: 'no such endpoint' });
  api(endpoint, request.method, rest.slice(1), searchParams, body, answer);
}

// A client that goes away in the middle of a call ends that call only.
const server = createServer(
  (request, response) => void handle(request, response).catch(() => response.destroy()),
);
server.on('error', ({ code, port }) => {
  console.error(code === 'EADDRINUSE' ? `port ${port} is in use: name another` : `cannot listen: ${code}`);
  process.exitCode = 1;
});
server.listen(Number(process.argv[2] ?? 8080), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}/_control`);
});
