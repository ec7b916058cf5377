/** The operations of section 4, each given a call that has passed authentication, routing and rate limits. */
import { refuse, type Answer, type EndpointCall, type Reply } from './call.js';
import { shownChunks } from './chunks.js';
import type { Timer } from './clock.js';
import type { Endpoint } from './endpoint.js';
import type { FaultId } from './faults.js';
import { hasEnded, recordOf, type Job } from './job.js';
import { type Json, type JsonObject } from './json.js';
import type { Operation } from './limits.js';
import { MINUTE_MS, readSubmission, readWait, SECOND_MS, WEEK_MS, type Submission } from './submission.js';

/** Real time between the look and the deed of a server that does them apart. */
const RACE_MS = 5;

type Handle = (call: EndpointCall, answer: Answer) => void;

export const OPERATIONS: Readonly<Record<Operation, Handle>> = {
  run,
  runsync,
  status,
  stream,
  cancel,
  retry,
  'purge-queue': purge,
  health,
  openai,
  requests,
};

const record = (endpoint: Endpoint, job: Job): JsonObject => {
  const { clock, choices, fault } = endpoint.service;
  return recordOf(job, clock.now(), choices, fault);
};

/** An answer of the shape `{id, status}`. */
function idAndStatus(endpoint: Endpoint, id: string, status: string): JsonObject {
  const { choices, fault } = endpoint.service;
  const shown: JsonObject = { id, status: fault === 'status-lower-case' ? status.toLowerCase() : status };
  if (choices.extraFields) Object.assign(shown, { message: 'ok', queuePosition: 1 });
  return shown;
}

// Submission

/** The submission in the body, or the refusal. */
function readBody(call: EndpointCall, kind: 'run' | 'runsync', waitMs: number | null): Submission | Reply {
  const { choices, fault } = call.endpoint.service;
  let megabytes = kind === 'run' ? 10 : 20;
  if (fault === 'run-limit-twenty' && kind === 'run') megabytes = 20;
  if (fault === 'run-limit-one' && kind === 'run') megabytes = 1;
  if (fault === 'run-limit-five' && kind === 'run') megabytes = 5;
  if (fault === 'run-limit-missing' && kind === 'run') megabytes = Infinity;
  if (fault === 'runsync-limit-missing' && kind === 'runsync') megabytes = Infinity;
  if (fault === 'runsync-limit-ten' && kind === 'runsync') megabytes = 10;
  if (fault === 'runsync-limit-one' && kind === 'runsync') megabytes = 1;
  let bytes = call.bodyBytes;
  if (fault === 'run-limit-in-characters') bytes = call.body?.toString('utf8').length ?? bytes;
  if (call.body === null || bytes > megabytes * choices.megabyte) {
    if (fault === 'run-oversize-is-500') return refuse(500, 'out of memory');
    if (fault === 'run-oversize-hangs-up') return { code: 500, hangUp: true };
    if (fault === 'run-oversize-makes-job') call.endpoint.submit(emptySubmission(call.endpoint, kind));
    return refuse(choices.oversizeCode, 'the body is too large');
  }
  if (choices.contentTypeRequired && !call.contentType.toLowerCase().startsWith('application/json')) {
    return refuse(400, 'content-type is not application/json');
  }
  if (fault === 'charset-refused' && call.contentType.includes(';')) return refuse(415, 'unknown charset');
  if (fault === 'empty-body-is-500' && call.bodyBytes === 0) return refuse(500, 'unexpected end of JSON');
  let body: Json;
  try {
    body = JSON.parse(leniently(call.body.toString('utf8'), fault)) as Json;
  } catch {
    if (fault === 'malformed-json-is-500') return refuse(500, 'unexpected token');
    if (fault === 'malformed-json-makes-job') call.endpoint.submit(emptySubmission(call.endpoint, kind));
    const accepted =
      fault === 'malformed-json-accepted' ||
      (fault === 'runsync-malformed-json-accepted' && kind === 'runsync');
    if (!accepted) return refuse(400, 'the body is no JSON');
    body = { input: {} };
  }
  const submission = readSubmission(kind, body, waitMs, call.endpoint.defaults, choices, fault);
  return typeof submission === 'string' ? refuse(400, submission) : submission;
}

/** What a parser that is not strict makes of a text. */
function leniently(text: string, fault: FaultId | null): string {
  if (fault === 'malformed-commas-accepted') return text.replace(/,\s*([\]}])/g, '$1');
  if (fault === 'malformed-nan-accepted') return text.replace(/\bNaN\b|-?\bInfinity\b/g, '0');
  if (fault === 'malformed-quotes-accepted') return text.replaceAll("'", '"');
  if (fault !== 'malformed-tail-accepted') return text;
  try {
    JSON.parse(text);
  } catch (error) {
    const place = /after JSON at position (\d+)/.exec(String(error))?.[1];
    if (place !== undefined) return text.slice(0, Number(place));
  }
  return text;
}

function emptySubmission(endpoint: Endpoint, kind: 'run' | 'runsync'): Submission {
  const { executionTimeoutMs, ttlMs } = endpoint.defaults;
  const rest = { webhook: null, s3Config: null, lowPriority: false, waitMs: null };
  return { kind, input: {}, executionTimeoutMs, ttlMs, ...rest };
}

const isReply = (value: Submission | Reply): value is Reply => 'code' in value;

function run(call: EndpointCall, answer: Answer): void {
  const { endpoint } = call;
  const { choices, fault } = endpoint.service;
  if (fault === 'queue-refuses-when-busy' && endpoint.idleWorkers() === 0) return answer(refuse(429, 'busy'));
  if (fault === 'concurrency-counts-queued-jobs' && endpoint.queue.length >= 200)
    return answer(refuse(429, 'busy'));
  const submission = readBody(call, 'run', null);
  if (isReply(submission)) return answer(submission);
  if (fault === 'queue-of-three-hundred' && endpoint.queue.length >= 300) return answer(refuse(429, 'busy'));
  if (fault === 'runsync-blocks-run' && endpoint.waitingCalls.length > 0) {
    const look = (): void => {
      if (endpoint.waitingCalls.length > 0)
        return void endpoint.service.clock.at(endpoint.service.clock.now() + 50, look);
      answer({
        code: choices.runCode,
        body: idAndStatus(endpoint, endpoint.submit(submission).id, 'IN_QUEUE'),
      });
    };
    return look();
  }
  if (fault === 'start-race') {
    const free = endpoint.idleWorkers() > 0;
    setTimeout(() => {
      const { id } = endpoint.submit(submission, free);
      answer({ code: choices.runCode, body: idAndStatus(endpoint, id, 'IN_QUEUE') });
    }, RACE_MS);
    return;
  }
  if (fault === 'submissions-at-once-overwritten') {
    const before = [...endpoint.queue];
    setTimeout(() => {
      endpoint.overwriteQueue(before);
      const job = endpoint.submit(submission);
      answer({ code: choices.runCode, body: idAndStatus(endpoint, job.id, 'IN_QUEUE') });
    }, RACE_MS);
    return;
  }
  const job = endpoint.submit(submission);
  let body = idAndStatus(endpoint, job.id, 'IN_QUEUE');
  if (fault === 'run-shows-current-status') body['status'] = job.status;
  if (fault === 'run-answers-id-only') body = { id: job.id };
  if (fault === 'run-answers-wrong-id') body['id'] = `${job.id.slice(0, -1)}z`;
  if (fault === 'id-is-number') body['id'] = Number(job.id.replace(/\D/g, '').slice(0, 12));
  if (fault === 'run-waits' && !hasEnded(job)) {
    job.watchers.add(function watch() {
      if (hasEnded(job) || job.deleted) {
        job.watchers.delete(watch);
        answer({ code: choices.runCode, body });
      }
    });
    return;
  }
  answer({ code: choices.runCode, body });
}

function runsync(call: EndpointCall, answer: Answer): void {
  const { endpoint } = call;
  const { clock, choices, fault } = endpoint.service;
  const wait = readWait(call.query.get('wait'), choices, fault);
  if (typeof wait === 'string') return answer(refuse(400, wait));
  const submission = readBody(call, 'runsync', wait);
  if (isReply(submission)) return answer(submission);
  const job = (fault === 'runsync-coalesced' && twinOf(endpoint, submission)) || endpoint.submit(submission);

  let timer: Timer | undefined;
  let answered = false;
  const close = (reply: Reply | null): void => {
    if (answered) return;
    answered = true;
    clock.stop(timer);
    job.watchers.delete(watch);
    const place = endpoint.waitingCalls.indexOf(ring);
    if (place !== -1) endpoint.waitingCalls.splice(place, 1);
    if (reply !== null) answer(reply);
    job.wrong.answeredMs = clock.now();
    if (fault === 'runsync-retention-of-failed-none' && job.status === 'FAILED') endpoint.remove(job);
    if (fault === 'runsync-retention-none' && hasEnded(job)) endpoint.remove(job);
  };
  const give = (ended: Job): void => close({ code: choices.runsyncCode, body: syncRecord(endpoint, ended) });
  const ring = (ended: Job): void => give(fault === 'runsync-woken-by-any-end' ? job : ended);
  const watch = (): void => {
    if (fault === 'runsync-never-early') return;
    if (fault === 'wait-from-start' && timer === undefined && job.startedMs !== null) arm();
    if (fault === 'runsync-waits-past-ttl' && job.deleted) return;
    if (fault === 'runsync-failure-waits-on' && job.status === 'FAILED') return;
    if (fault === 'runsync-overrun-waits-on' && job.error === 'executionTimeout exceeded') return;
    if (fault === 'runsync-waiters-overwritten' && endpoint.waitingCalls.at(-1) !== ring) return;
    if (fault === 'wait-polled-every-ten-seconds' && hasEnded(job)) {
      const roundMs = 10 * SECOND_MS;
      const rounds = Math.ceil((clock.now() - job.submittedMs) / roundMs);
      clock.at(job.submittedMs + rounds * roundMs, () => give(job));
      return;
    }
    if (fault === 'runsync-cancel-waits-on' && job.status === 'CANCELLED') return;
    const unanswered =
      (fault === 'runsync-purged-never-answered' && job.wrong.purged) ||
      (fault === 'runsync-cancelled-never-answered' && job.status === 'CANCELLED') ||
      (fault === 'runsync-expired-never-answered' && job.deleted && job.ttlAtMs <= clock.now());
    if (unanswered) return clock.stop(timer);
    if (job.deleted) return close(refuse(404, 'the job is gone'));
    if (fault === 'runsync-returns-at-start' && job.status === 'IN_PROGRESS') return give(job);
    if (!hasEnded(job)) return;
    if (fault === 'runsync-results-crossed') endpoint.waitingCalls[0]?.(job);
    give(job);
  };
  const elapsed = (): void => {
    if (fault === 'waits-one-per-instant' && endpoint.timesNow('wait') > 1) return;
    if (fault === 'wait-deletes-job') endpoint.remove(job);
    if (fault === 'wait-cancels-job' && !hasEnded(job)) endpoint.cancel(job);
    if (fault === 'wait-fails-job' && !hasEnded(job)) {
      endpoint.cancel(job);
      job.status = 'FAILED';
    }
    close(
      job.deleted
        ? refuse(404, 'the job is gone')
        : hasEnded(job)
          ? { code: 200, body: record(endpoint, job) }
          : stillWaiting(endpoint, job),
    );
  };

  if (fault === 'runsync-returns-at-once') return give(job);
  if (fault === 'runsync-one-at-a-time' && endpoint.waitingCalls.length > 0) return give(job);
  endpoint.waitingCalls.push(ring);
  const waitMs = waitedMs(call, wait);
  const arm = (): void => {
    if (fault === 'wait-timer-shared') clock.stop(endpoint.waitTimer);
    if (Number.isFinite(waitMs)) timer = endpoint.waitTimer = clock.at(clock.now() + waitMs, elapsed);
  };
  if (fault !== 'wait-from-start') arm();
  job.watchers.add(watch);
  call.onGone(() => close(null));
  if (fault !== 'runsync-misses-fast-end') watch();
}

/** A job of /runsync that has not ended and has the same input. */
function twinOf(endpoint: Endpoint, { input }: Submission): Job | undefined {
  return [...endpoint.jobs.values()].find(
    (job) => job.kind === 'runsync' && !hasEnded(job) && JSON.stringify(job.input) === JSON.stringify(input),
  );
}

function waitedMs(call: EndpointCall, wait: number | null): number {
  const { fault } = call.endpoint.service;
  let waitMs = wait ?? 90 * SECOND_MS;
  if (fault === 'wait-default-ten-seconds' && wait === null) waitMs = 10 * SECOND_MS;
  if (fault === 'wait-default-five-minutes' && wait === null) waitMs = 300 * SECOND_MS;
  if (fault === 'wait-ignored') waitMs = 90 * SECOND_MS;
  if (fault === 'wait-in-seconds') waitMs *= 1000;
  if (fault === 'wait-halved') waitMs /= 2;
  if (fault === 'wait-cut-to-seconds') waitMs = Math.floor(waitMs / SECOND_MS) * SECOND_MS;
  if (fault === 'wait-endless') waitMs = Infinity;
  if (fault === 'wait-capped-at-two-minutes') waitMs = Math.min(2 * MINUTE_MS, waitMs);
  if (fault === 'wait-capped-at-one-minute') waitMs = Math.min(MINUTE_MS, waitMs);
  return waitMs;
}

function syncRecord(endpoint: Endpoint, job: Job): Json {
  const { fault } = endpoint.service;
  const shown = record(endpoint, job);
  if (fault === 'times-zero-in-runsync') Object.assign(shown, { delayTime: 0, executionTime: 0 });
  if (fault === 'delay-zero-after-wait' && Number(job.startedMs) > job.queuedMs) shown['delayTime'] = 0;
  if (fault === 'times-missing-in-runsync') {
    delete shown['delayTime'];
    delete shown['executionTime'];
  }
  if (fault === 'runsync-output-missing') delete shown['output'];
  if (fault === 'runsync-output-only' && job.status === 'COMPLETED') return shown['output'] ?? null;
  return shown;
}

function stillWaiting(endpoint: Endpoint, job: Job): Reply {
  const { choices, fault } = endpoint.service;
  const shown = record(endpoint, job);
  if (fault === 'wait-claims-completed') shown['status'] = 'COMPLETED';
  if (fault === 'wait-elapsed-shows-submission') shown['status'] = 'IN_QUEUE';
  switch (choices.waitElapsed) {
    case 'record':
      return { code: choices.runsyncCode, body: shown };
    case 'id-and-status':
      return { code: choices.runsyncCode, body: idAndStatus(endpoint, job.id, job.status) };
    case 'accepted-202':
      return { code: 202, body: shown };
    case 'nothing-204':
      return { code: 204 };
    case 'see-other-303':
      return { code: 303, headers: { location: `/v2/${endpoint.id}/status/${encodeURIComponent(job.id)}` } };
    case 'timeout-408':
      return { code: 408, body: shown };
    case 'timeout-504':
      return refuse(504, `job ${job.id} has not ended in time`);
  }
}

// Reading

/** The job named in the path, or the refusal. */
function named(call: EndpointCall, operation: string): Job | Reply {
  const { endpoint } = call;
  const { choices, fault, ids } = endpoint.service;
  const id = call.rest[0] ?? '';
  const job = endpoint.find(id, operation);
  if (fault === 'cancel-finds-nothing' && operation === 'cancel') return refuse(404, 'no such job');
  if (fault === 'cancel-404-at-first' && job !== null && operation === 'cancel') {
    if (endpoint.service.clock.now() < job.submittedMs + 200) return refuse(404, 'no such job');
  }
  if (job === null) {
    if (fault === 'unknown-job-by-prototype' && id in {}) return refuse(500, 'job.status is undefined');
    if (fault === 'malformed-job-id-is-500' && !ids.wellFormed(id))
      return refuse(500, 'invalid input syntax for type uuid');
    if (fault === 'long-job-id-is-500' && id.length > 64) return refuse(500, 'value too long');
    if (fault === 'expired-while-queued-is-400' && endpoint.expiredInQueue(id)) return refuse(400, 'expired');
  }
  if (fault === 'status-404-at-first' && job !== null && operation === 'status') {
    if (endpoint.service.clock.now() < job.submittedMs + 200) return refuse(404, 'no such job');
  }
  if (job !== null) return job;
  if (fault === 'unknown-job-is-500') return refuse(500, 'cannot read properties of undefined');
  if (fault === 'unknown-job-is-200') return { code: 200, body: {} };
  if (fault === 'unknown-job-is-204') return { code: 204 };
  if (fault === 'expired-is-410' && endpoint.wasDeleted(id)) return refuse(410, 'gone');
  if (fault === 'expired-is-200' && endpoint.wasDeleted(id))
    return { code: 200, body: { id, status: 'EXPIRED' } };
  if (!ids.wellFormed(id)) return refuse(choices.malformedIdCode, 'no such job');
  return refuse(404, 'no such job');
}

const isRefusal = (value: Job | Reply): value is Reply => 'code' in value;

function status(call: EndpointCall, answer: Answer): void {
  const { endpoint } = call;
  const { clock, fault } = endpoint.service;
  const job = named(call, 'status');
  if (isRefusal(job)) return answer(job);
  let ttl = call.query.get('ttl');
  if (fault === 'status-ttl-number-prefix-accepted') ttl = /^\d+/.exec(ttl ?? '')?.[0] ?? ttl;
  if (fault === 'status-ttl-malformed-is-500' && ttl !== null && !/^-?\d+$/.test(ttl))
    return answer(refuse(500, 'ttl is NaN'));
  const ttlProblem = ttl === null ? null : checkStatusTtl(ttl, endpoint);
  if (ttlProblem !== null) return answer(refuse(400, ttlProblem));
  if (fault === 'status-limited-per-job' && endpoint.readTooOften(job))
    return answer(refuse(429, 'read too often'));
  if (fault === 'status-404-until-ended' && !hasEnded(job)) return answer(refuse(404, 'no result yet'));
  if (fault === 'status-404-while-queued' && job.status === 'IN_QUEUE')
    return answer(refuse(404, 'not started'));
  if (fault === 'failed-status-is-500' && job.status === 'FAILED')
    return answer(refuse(500, 'the job failed'));

  let shown = record(endpoint, job);
  const { lag } = job.wrong;
  if (lag !== undefined && clock.now() < lag.untilMs) shown = lag.record;
  if (hasEnded(job) && !job.wrong.readAtEnd) endpoint.readAtEnd(job);
  if (job.run !== null) job.wrong.readWhileRunning = true;
  if (fault === 'execution-timeout-looked-at-when-read') {
    endpoint.lookAtOverrun(job);
    shown = record(endpoint, job);
  }
  if (fault === 'execution-frozen-at-first-read') {
    job.wrong.executionShown ??= shown['executionTime'] ?? 0;
    shown['executionTime'] = job.wrong.executionShown;
  }
  if (fault === 'id-missing-in-status') delete shown['id'];
  if (fault === 'output-missing-in-status') delete shown['output'];
  if (fault === 'output-read-once' && hasEnded(job)) job.output = undefined;
  if (fault === 'ttl-restarts-on-read') endpoint.restartTtl(job);
  if (fault === 'execution-timeout-restarts-on-read' && job.run !== null) endpoint.watchOverrun(job.run);
  if (fault === 'status-drains-stream') job.chunksRead = job.chunks.length;
  if (fault === 'run-retention-restarts-on-read' && job.kind === 'run' && hasEnded(job)) {
    endpoint.retainUntil(job, clock.now() + 30 * MINUTE_MS);
  }
  if (fault === 'status-deletes-ended-job' && hasEnded(job)) endpoint.remove(job);
  if (ttl === null && fault === 'status-ttl-restarts-on-plain-read' && job.wrong.statusTtl)
    endpoint.restartTtl(job);
  if (ttl !== null && /^\d+$/.test(ttl)) endpoint.setTtl(job, Number(ttl));
  if (fault?.startsWith('ended-record-cached')) {
    if (hasEnded(job)) job.wrong.endedRecord ??= shown;
    if (fault === 'ended-record-cached') shown = job.wrong.endedRecord ?? shown;
  }
  if (fault === 'status-answers-crossed') return endpoint.answerCrossed({ code: 200, body: shown }, answer);
  if (fault === 'status-never-answered') return;
  if (fault === 'status-waits' && !hasEnded(job)) return answerAtEnd(endpoint, job, answer);
  const body = fault === 'status-stale' ? cached(endpoint, job.id, 5 * SECOND_MS, shown) : shown;
  answer({ code: 200, body });
}

function answerAtEnd(endpoint: Endpoint, job: Job, answer: Answer): void {
  job.watchers.add(function watch() {
    if (!hasEnded(job) && !job.deleted) return;
    job.watchers.delete(watch);
    answer(job.deleted ? refuse(404, 'the job is gone') : { code: 200, body: record(endpoint, job) });
  });
}

function checkStatusTtl(ttl: string, endpoint: Endpoint): string | null {
  const { choices, fault } = endpoint.service;
  if (!/^\d{1,15}$/.test(ttl)) return fault === 'status-ttl-malformed-accepted' ? null : 'ttl is no integer';
  const belowMinimum = Number(ttl) < 10 * SECOND_MS;
  if (fault === 'status-ttl-min-ten-seconds' && belowMinimum) return 'ttl is out of range';
  if (choices.statusTtlBelowMinimum === 'rejected' && belowMinimum) return 'ttl is out of range';
  if (choices.statusTtlAboveMaximum === 'rejected' && Number(ttl) > WEEK_MS) return 'ttl is out of range';
  return null;
}

function cached(endpoint: Endpoint, name: string, ms: number, fresh: Json): Json {
  const nowMs = endpoint.service.clock.now();
  const known = endpoint.cache.get(name);
  if (known !== undefined && known.untilMs > nowMs) return known.answer;
  endpoint.cache.set(name, { untilMs: nowMs + ms, answer: fresh });
  return fresh;
}

function stream(call: EndpointCall, answer: Answer): void {
  const { endpoint } = call;
  const { choices, fault } = endpoint.service;
  const job = named(call, 'stream');
  if (isRefusal(job)) {
    if (fault === 'unknown-job-streams-empty') return answer({ code: 200, body: [] });
    return answer(job);
  }
  if (fault === 'ttl-restarts-on-stream') endpoint.restartTtl(job);
  if (fault === 'retention-restarts-on-stream' && hasEnded(job)) endpoint.retain(job);
  const give = (): void => {
    const reply = readChunks(endpoint, job);
    job.wrong.streamRead = true;
    if (fault === 'stream-answers-crossed') endpoint.answerCrossed(reply, answer);
    else answer(reply);
  };
  const ready = (): boolean => {
    if (job.deleted || hasEnded(job)) return true;
    return choices.stream !== 'held-until-end' && job.chunks.length > job.chunksRead;
  };
  const held = choices.stream === 'held-until-news' || choices.stream === 'held-until-end';
  if (!held || ready()) return give();
  const watch = (): void => {
    if (!ready()) return;
    job.watchers.delete(watch);
    if (job.deleted) answer(refuse(404, 'the job is gone'));
    else give();
  };
  job.watchers.add(watch);
  call.onGone(() => job.watchers.delete(watch));
}

function readChunks(endpoint: Endpoint, job: Job): Reply {
  const { choices, fault } = endpoint.service;
  if (fault === 'stream-only-at-end' && !hasEnded(job)) return { code: 200, body: [] };
  const plain = job.status === 'COMPLETED' && job.chunks.length === 0 && job.output !== undefined;
  if (plain && choices.streamOfPlainJob === 400) return refuse(400, 'the handler does not stream');
  if (plain && choices.streamOfPlainJob === 'output') job.chunks.push(job.output ?? null);
  let from = choices.stream === 'cumulative' ? 0 : job.chunksRead;
  if (fault === 'retry-stream-stays-closed' && job.retries > 0) return { code: 200, body: [] };
  if (fault === 'stream-second-read-repeats-last' && from > 0) from -= 1;
  if (fault === 'stream-position-shared') from = endpoint.chunksRead;
  const page = job.chunks.slice(from, from + choices.streamPage);
  if (fault === 'stream-sorted-as-text') {
    const place = (output: Json): string => String(job.chunks.indexOf(output));
    page.sort((one, other) => (place(one) < place(other) ? -1 : 1));
  }
  const unread = page.filter((_, index) => {
    const number = from + index + 1;
    if (fault === 'stream-loses-first' && number === 1) return false;
    if (fault === 'stream-loses-last' && hasEnded(job) && number === job.chunks.length) return false;
    return !(fault === 'stream-every-tenth-lost' && number % 10 === 0);
  });
  job.chunksRead = from + page.length;
  endpoint.chunksRead = job.chunksRead;
  if (fault === 'stream-read-at-most-ten') unread.length = Math.min(10, unread.length);
  const nothing = unread.length === 0;
  if (fault === 'stream-closes-when-empty' && nothing) job.wrong.streamOver = true;
  if (fault === 'stream-read-while-waiting-stays-empty' && job.status === 'IN_QUEUE')
    job.wrong.streamOver = true;
  const body = shownChunks(unread, choices, fault);
  if (fault === 'stream-ndjson') {
    return { code: 200, text: unread.map((output) => `${JSON.stringify({ output })}\n`).join('') };
  }
  return { code: 200, body };
}

// Changing

function cancel(call: EndpointCall, answer: Answer): void {
  const { endpoint } = call;
  const { choices, fault } = endpoint.service;
  const job = named(call, 'cancel');
  if (isRefusal(job)) {
    if (fault === 'cancel-unknown-is-200') {
      return answer({ code: 200, body: { id: call.rest[0] ?? '', status: 'CANCELLED' } });
    }
    return answer(job);
  }
  const before = job.status;
  if (hasEnded(job)) endpoint.cancelledAtEnd(job);
  if (fault === 'cancel-race' && job.run !== null) {
    setTimeout(() => {
      if (hasEnded(job)) endpoint.freeOnceMore();
      else endpoint.cancel(job);
      answer({ code: choices.cancelCode, body: idAndStatus(endpoint, job.id, 'CANCELLED') });
    }, RACE_MS);
    return;
  }
  if (hasEnded(job) && before !== 'CANCELLED') return answer(cancelEnded(endpoint, job));
  if (fault === 'cancel-queued-only' && before === 'IN_PROGRESS')
    return answer(refuse(400, 'already running'));
  if (fault === 'cancel-running-only' && before === 'IN_QUEUE') return answer(refuse(400, 'not running'));
  if (!hasEnded(job)) endpoint.cancel(job);
  let body = idAndStatus(endpoint, job.id, fault === 'status-canceled' ? 'CANCELED' : 'CANCELLED');
  if (fault === 's3-in-cancel') body['s3Config'] = job.s3Config;
  if (fault === 'cancel-answers-old-status') body['status'] = before;
  if (fault === 'cancel-answers-no-body') return answer({ code: 204 });
  if (fault === 'cancel-answers-no-id') body = { status: 'CANCELLED' };
  if (fault === 'cancel-answers-ten-seconds-later') {
    const { clock } = endpoint.service;
    return void clock.at(clock.now() + 10 * SECOND_MS, () => answer({ code: choices.cancelCode, body }));
  }
  answer({ code: choices.cancelCode, body });
}

function cancelEnded(endpoint: Endpoint, job: Job): Reply {
  const { choices } = endpoint.service;
  switch (choices.cancelFinished) {
    case 'own-status':
      return { code: choices.cancelCode, body: idAndStatus(endpoint, job.id, job.status) };
    case 'becomes-cancelled':
      endpoint.relabelCancelled(job);
      return { code: choices.cancelCode, body: idAndStatus(endpoint, job.id, 'CANCELLED') };
    case 'claims-cancelled':
      return { code: choices.cancelCode, body: idAndStatus(endpoint, job.id, 'CANCELLED') };
    default:
      return refuse(choices.cancelFinished, 'the job has ended');
  }
}

function retry(call: EndpointCall, answer: Answer): void {
  const { endpoint } = call;
  const { choices, fault } = endpoint.service;
  const job = named(call, 'retry');
  if (isRefusal(job)) {
    if (fault === 'retry-unknown-is-200') {
      return answer({ code: 200, body: { id: call.rest[0] ?? '', status: 'IN_QUEUE' } });
    }
    return answer(job);
  }
  const before = job.status;
  if (!mayRetry(endpoint, job)) {
    endpoint.retryRefused(job);
    if (fault === 'retention-restarts-on-refused-retry' && hasEnded(job)) endpoint.retain(job);
    if (choices.retryRefusal !== 'unchanged')
      return answer(refuse(choices.retryRefusal, `the job is ${before}`));
    return answer({ code: 200, body: idAndStatus(endpoint, job.id, before) });
  }
  let { id } = job;
  if (fault === 'retry-race') {
    setTimeout(() => {
      endpoint.retry(job);
      answer({ code: choices.retryCode, body: idAndStatus(endpoint, id, 'IN_QUEUE') });
    }, RACE_MS);
    return;
  }
  if (fault === 'retry-new-id') {
    endpoint.remove(job);
    id = endpoint.submit(job).id;
  } else {
    endpoint.retry(job);
  }
  if (fault === 'retry-takes-failed-along')
    for (const other of endpoint.jobs.values()) if (other.status === 'FAILED') endpoint.retry(other);
  if (fault === 'retry-answers-when-started' && job.status === 'IN_QUEUE') {
    const watch = (): void => {
      if (job.status === 'IN_QUEUE' && !job.deleted) return;
      job.watchers.delete(watch);
      answer({ code: choices.retryCode, body: idAndStatus(endpoint, id, 'IN_QUEUE') });
    };
    job.watchers.add(watch);
    return;
  }
  if (fault === 'retry-answers-at-the-end') {
    const watch = (): void => {
      if (!hasEnded(job) && !job.deleted) return;
      job.watchers.delete(watch);
      answer({ code: choices.retryCode, body: idAndStatus(endpoint, id, 'IN_QUEUE') });
    };
    job.watchers.add(watch);
    return;
  }
  if (fault === 'retry-answers-no-body') return answer({ code: 204 });
  const status = fault === 'retry-answers-old-status' ? before : 'IN_QUEUE';
  answer({ code: choices.retryCode, body: idAndStatus(endpoint, id, status) });
}

function mayRetry(endpoint: Endpoint, job: Job): boolean {
  const { fault } = endpoint.service;
  const overran = job.status === 'TIMED_OUT' || job.error === 'executionTimeout exceeded';
  if (fault === 'retry-of-timed-out-refused' && overran) return false;
  if (fault === 'retry-of-failed-refused' && !overran) return false;
  const endedLongAgo = Number(job.endedMs) < endpoint.service.clock.now() - MINUTE_MS;
  if (fault === 'retry-only-within-a-minute' && job.kind === 'run' && endedLongAgo) return false;
  if (fault === 'retry-refused-while-webhook-pending' && endpoint.isNoticePending(job)) return false;
  if (fault === 'retry-not-after-three' && job.retries >= 3) return false;
  if (fault === 'retry-once-only' && job.retries > 0) return false;
  if (fault === 'retry-of-completed' && job.status === 'COMPLETED') return true;
  if (fault === 'retry-of-cancelled' && job.status === 'CANCELLED') return true;
  if (fault === 'retry-of-queued' && job.status === 'IN_QUEUE') return true;
  if (fault === 'retry-of-running' && job.status === 'IN_PROGRESS') return true;
  return job.status === 'FAILED' || job.status === 'TIMED_OUT';
}

function purge(call: EndpointCall, answer: Answer): void {
  const { endpoint } = call;
  const { choices, fault, endpoints } = endpoint.service;
  if (fault === 'purge-race') {
    const count = endpoint.queue.length;
    setTimeout(() => {
      endpoint.purge();
      answer({ code: choices.purgeCode, body: { removed: count, status: 'completed' } });
    }, RACE_MS);
    return;
  }
  if (fault === 'purge-of-empty-queue-is-404' && endpoint.queue.length === 0)
    return answer(refuse(404, 'nothing to remove'));
  const removed = endpoint.purge();
  if (fault === 'purge-reaches-all-endpoints') for (const other of endpoints.values()) other.purge();
  if (fault === 'purge-by-beginning-of-endpoint')
    for (const other of endpoints.values()) if (other.id.startsWith(endpoint.id)) other.purge();
  const body: JsonObject = { removed, status: 'completed' };
  if (fault === 'purge-status-upper-case') body['status'] = 'COMPLETED';
  if (fault === 'purge-status-ok') body['status'] = 'ok';
  if (choices.extraFields) body['queue'] = endpoint.id;
  if (fault === 'purge-waits-for-running') {
    const running = endpoint.running();
    const look = (): void => {
      if (running.some((job) => !hasEnded(job) && !job.deleted))
        return void endpoint.service.clock.at(endpoint.service.clock.now() + 50, look);
      answer({ code: choices.purgeCode, body });
    };
    return look();
  }
  answer({ code: choices.purgeCode, body });
}

function health(call: EndpointCall, answer: Answer): void {
  const { endpoint } = call;
  const { choices, fault, endpoints } = endpoint.service;
  if (fault === 'health-500-without-workers' && endpoint.workers === 0)
    return answer(refuse(500, 'division by zero'));
  if (fault === 'health-404-before-first-job' && endpoint.latest === null)
    return answer(refuse(404, 'no statistics'));
  const shown = endpoint.health() as { jobs: Record<string, number>; workers: Record<string, number> };
  const byBeginning = fault === 'health-by-beginning-of-endpoint';
  if (fault === 'health-of-all-endpoints' || byBeginning) {
    for (const other of endpoints.values()) {
      if (other === endpoint || (byBeginning && !other.id.startsWith(endpoint.id))) continue;
      const { jobs } = other.health() as typeof shown;
      for (const name of Object.keys(jobs)) shown.jobs[name] = (shown.jobs[name] ?? 0) + (jobs[name] ?? 0);
    }
  }
  if (fault === 'health-workers-of-all-endpoints')
    for (const other of endpoints.values())
      if (other !== endpoint)
        shown.workers['running'] = Number(shown.workers['running']) + other.busyWorkers();
  if (choices.healthExtra) {
    Object.assign(shown.workers, {
      initializing: 0,
      ready: shown.workers['idle'] ?? 0,
      throttled: 0,
      unhealthy: 0,
    });
    Object.assign(shown.jobs, { cancelled: 0 });
  }
  let body: JsonObject = shown;
  if (choices.healthKeptMs > 0) body = cached(endpoint, '/health', choices.healthKeptMs, body) as JsonObject;
  if (fault === 'health-stale') body = cached(endpoint, '/health', 10 * SECOND_MS, body) as JsonObject;
  if (fault === 'health-flat') body = { ...shown.jobs, ...shown.workers };
  if (fault === 'health-without-workers') body = { jobs: shown.jobs };
  if (fault === 'health-strings') {
    const asStrings = (numbers: Record<string, number>): JsonObject =>
      Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, String(number)]));
    body = { jobs: asStrings(shown.jobs), workers: asStrings(shown.workers) };
  }
  answer({ code: 200, body });
}

// Other paths (4.9)

/** Passes the call to a worker and answers with its output. */
function openai(call: EndpointCall, answer: Answer): void {
  const { endpoint } = call;
  const { clock, choices } = endpoint.service;
  if (choices.openai === 'not-found') return answer(refuse(404, 'no such route'));
  if (choices.openai === 'stub') return answer({ code: 200, body: { object: 'list', data: [] } });
  let openaiInput: Json;
  try {
    openaiInput = JSON.parse(call.body?.toString('utf8') || '{}') as Json;
  } catch {
    return answer(refuse(400, 'the body is no JSON'));
  }
  const input: JsonObject = { openai_route: `/${call.rest.join('/')}`, openai_input: openaiInput };
  const job = endpoint.submit({ ...emptySubmission(endpoint, 'runsync'), input });
  const timer = clock.at(clock.now() + 90 * SECOND_MS, () =>
    close(refuse(504, 'no worker answered in time')),
  );
  const close = (reply: Reply | null): void => {
    clock.stop(timer);
    job.watchers.delete(watch);
    if (reply !== null) answer(reply);
  };
  const watch = (): void => {
    if (job.deleted) return close(refuse(404, 'the job is gone'));
    if (!hasEnded(job)) return;
    close(
      job.status === 'COMPLETED' ? { code: 200, body: job.output ?? null } : refuse(500, 'the worker failed'),
    );
  };
  job.watchers.add(watch);
  call.onGone(() => close(null));
  watch();
}

function requests(call: EndpointCall, answer: Answer): void {
  const jobs = [...call.endpoint.jobs.values()];
  answer({ code: 200, body: { requests: jobs.map((job) => ({ id: job.id, status: job.status })) } });
}
