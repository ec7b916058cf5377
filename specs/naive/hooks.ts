/**
 * Where a fault reaches into the server. At each of these points the server asks what the fault makes of a value or a step.
 * A fault in `faults/` answers at one point or a few; `right.ts` answers at all others, and changes nothing.
 *
 * A hook of type `boolean | undefined` may carry out a step itself: `true` says that it has, so that the server does not.
 */
import type { Allowance, Limit, Operation } from './limits.js';
import type { Answer, Call, EndpointCall, Reply } from './call.js';
import type { Choices } from './choices.js';
import type { Timer } from './clock.js';
import type { Endpoint, Service } from './endpoint.js';
import type { Job, Run, Status } from './job.js';
import type { Json, JsonObject } from './json.js';
import type { Waiting } from './operations/runsync.js';
import type { EndpointDefaults, Policy, Submission } from './submission.js';
import type { Notice } from './webhooks.js';

/** The key of a call, as far as the server has understood it. */
export interface GivenKey {
  /** Null where the call has none. */
  readonly given: string | null;
  readonly right: string;
  readonly isBearer: boolean;
  /** A key that exists and has no permission. */
  readonly isUnpermitted: boolean;
  readonly operation: Operation | null;
}

interface Times {
  readonly delayMs: number;
  readonly executionMs: number;
}

/** What `/health` shows (section 2.7). */
export interface Health {
  readonly jobs: Record<'completed' | 'failed' | 'inProgress' | 'inQueue' | 'retried', number>;
  readonly workers: Record<'idle' | 'running', number>;
}

type Kind = Submission['kind'];
export type Range = readonly [min: number, max: number];
export type TimerKind = 'overrun' | 'ttl' | 'retention' | 'wait' | 'webhook';

export interface Hooks {
  // Paths and replies (sections 4, 7, 9)
  path(path: readonly string[]): readonly string[];
  endpointLike(id: string, service: Service): Endpoint | undefined;
  noEndpoint(operation: Operation, id: string): Reply | null;
  method(right: string, operation: Operation, given: string): string;
  callRefused(call: Call, operation: Operation): Reply | null;
  reply(reply: Reply): Reply;
  written(choices: Choices): Choices;

  // Keys (section 5)
  keyPasses(key: GivenKey): boolean;
  keyRefused(key: GivenKey): Reply | null;
  checkedKey(checked: string | Reply, endpoint: Endpoint, right: string, isMissing: boolean): string | Reply;
  refusedByKey(perform: () => void): void;

  // Rates (section 8)
  limit(limit: Limit | null, operation: Operation): Limit | null;
  rate(rate: number, base: number, dynamic: number): number;
  window(window: { spanMs: number; rate: number }, allowance: Allowance): { spanMs: number; rate: number };
  taken(allowance: Allowance, nowMs: number, rate: number): boolean | null;
  rateRefused(taken: number[], nowMs: number): number[];
  allowanceName(operation: Operation, jobId: string): string;
  allowanceOwner(endpoint: Endpoint): Endpoint;
  drawsFrom(operation: Operation): Operation | null;
  refusedByRate(perform: () => void, allowance: Allowance): void;
  /** Whether a request that is answered so no longer counts as open. */
  endsRequest(operation: Operation, reply: Reply): boolean;
  /** Whether a request whose client has hung up no longer counts as open. */
  endsWhenGone(operation: Operation): boolean;

  // Submissions (sections 2.1 to 2.3, 4.1, 4.2)
  defaults(defaults: EndpointDefaults): EndpointDefaults;
  bodyMegabytes(megabytes: number, kind: Kind): number;
  bodyBytes(bytes: number, body: Buffer | null): number;
  oversize(call: EndpointCall, kind: Kind): Reply | null;
  bodyRefused(call: EndpointCall): Reply | null;
  bodyText(text: string): string;
  malformed(call: EndpointCall, kind: Kind): Reply | JsonObject | null;
  body(body: Json): void;
  /** Null: read as it should be. */
  inputGiven(input: Json | undefined, kind: Kind): JsonObject | null;
  webhookGiven(webhook: Json | undefined, input: JsonObject): Json | undefined;
  s3Given(s3Config: Json | undefined): Json | undefined;
  policyGiven(policy: Json | undefined, input: JsonObject): Json | undefined;
  executionTimeoutGiven(value: Json): Json | undefined;
  executionTimeoutRange(range: Range, kind: Kind): Range;
  ttlGiven(value: Json): Json | undefined;
  ttlRange(range: Range, kind: Kind): Range;
  lowPriorityGiven(value: Json): Json;
  policy(policy: Policy, endpoint: Endpoint): Policy;
  submission(submission: Submission, policy: JsonObject, endpoint: Endpoint): void;
  waitGiven(wait: string): string | null;
  waitRange(range: Range): Range;
  jobId(id: string, submission: Submission, endpoint: Endpoint): string;
  twin(endpoint: Endpoint, id: string): Job | undefined;
  submitted(job: Job): void;
  /** What becomes of a job that was submitted; `queue` is what should. */
  enter(job: Job, queue: () => void): void;

  // `/run` (section 4.2)
  runRefused(endpoint: Endpoint): Reply | null;
  run(endpoint: Endpoint, submit: () => void): void;
  runBody(body: JsonObject, job: Job): JsonObject;
  answerRun(job: Job, answer: () => void): void;

  // `/runsync` (section 4.1)
  joined(endpoint: Endpoint, submission: Submission): Job | undefined;
  answersAtOnce(endpoint: Endpoint): boolean;
  waitMs(ms: number, given: number | null): number;
  waitBegins(waiting: Waiting): void;
  /** Whether a look at the job is left out; `isFirst` is the one when the wait begins. */
  missesChange(waiting: Waiting, isFirst: boolean): boolean;
  waitOver(waiting: Waiting): boolean;
  runsyncRecord(record: JsonObject, job: Job): Json;
  waitedRecord(record: JsonObject): JsonObject;
  runsyncAnswered(job: Job): void;

  // Finding and showing a job (sections 2.4, 4.3)
  find(endpoint: Endpoint, id: string, operation: Operation, right: Job | null): Job | null;
  hidden(endpoint: Endpoint, job: Job, operation: Operation): Reply | null;
  unknown(endpoint: Endpoint, id: string, operation: Operation): Reply | null;
  status(status: Status, job: Job): string;
  times(times: Times, job: Job, instants: { nowMs: number; fromMs: number; endMs: number }): Times;
  output(output: Json): Json;
  record(record: JsonObject, job: Job): JsonObject;
  idAndStatus(body: JsonObject): JsonObject;
  statusTtlGiven(ttl: string): string | null;
  statusRefused(job: Job): Reply | null;
  statusRead(record: JsonObject, job: Job, ttl: string | null): JsonObject;
  answerStatus(reply: Reply, job: Job, answer: Answer): void;

  // `/stream` (sections 2.5, 4.4)
  chunk(result: Json): readonly Json[];
  keepsChunk(run: Run, result: Json): boolean;
  chunkBytesMax(bytes: number): number;
  split(parts: string[], result: Json, bytesMax: number): Json[];
  chunks(chunks: Json[], run: Run): Job;
  streamRead(job: Job): void;
  streamClosed(job: Job): boolean;
  streamFrom(from: number, job: Job): number;
  unread(page: Json[], from: number, job: Job): Json[];
  shownOutputs(outputs: Json[]): Json[];
  shownChunks(chunks: readonly JsonObject[], outputs: readonly Json[]): Json;
  streamReply(reply: Reply, outputs: readonly Json[]): Reply;
  answerStream(reply: Reply, job: Job, answer: Answer): void;

  // `/cancel` (section 4.5)
  cancelOfEnded(job: Job): void;
  cancelCall(job: Job, proceed: () => void, answer: () => void): void;
  cancelRefused(job: Job): Reply | null;
  cancels(job: Job): boolean | undefined;
  cancelsRunning(run: Run): boolean | undefined;
  cancelsWaiting(job: Job): boolean | undefined;
  cancelReply(reply: Reply, job: Job, before: Status): Reply;
  answerCancel(endpoint: Endpoint, answer: () => void): void;

  // `/retry` (section 4.6)
  mayRetry(right: boolean, job: Job): boolean;
  retryRefused(job: Job): void;
  retryCall(job: Job, proceed: () => void, answer: (id: string) => void): void;
  retryForgets(what: 'retention' | 'output' | 'chunks'): boolean;
  stopsForRetry(): boolean;
  retries(job: Job): boolean | undefined;
  retried(job: Job): void;
  requeue(job: Job, queue: () => void): void;
  retryReply(reply: Reply, before: Status): Reply;
  answerRetry(job: Job, answer: () => void): void;

  // `/purge-queue` (sections 2.6, 4.7)
  purgeCall(endpoint: Endpoint, proceed: () => void, answer: (removed: number) => void): Reply | null;
  purgeTaken(taken: Job[], endpoint: Endpoint): Job[];
  removed(taken: readonly Job[], endpoint: Endpoint): Json;
  purges(endpoint: Endpoint, taken: readonly Job[]): boolean | undefined;
  purgesJob(job: Job): boolean | undefined;
  purged(endpoint: Endpoint, taken: readonly Job[]): void;
  purgeBody(body: JsonObject): JsonObject;
  answerPurge(endpoint: Endpoint, answer: () => void): void;

  // `/health` (section 2.7)
  healthRefused(endpoint: Endpoint): Reply | null;
  health(health: Health, endpoint: Endpoint): Health;
  healthBody(body: JsonObject, endpoint: Endpoint): JsonObject;

  // `/requests` (section 4.9)
  requestsRead(endpoint: Endpoint): void;

  // Workers and runs (sections 1, 2.2, 3)
  wakes(why: 'work' | 'freed'): boolean;
  wakesOnResize(): boolean;
  dispatches(endpoint: Endpoint): boolean;
  freeWorkers(free: number, endpoint: Endpoint): number;
  ready(jobs: Job[], endpoint: Endpoint): Job[];
  /** Starts a job taken from the queue; false: no further job is looked at. */
  begin(job: Job, start: () => void): boolean;
  starts(run: Run): void;
  started(run: Run): void;
  input(input: JsonObject, job: Job): JsonObject;
  s3Config(s3Config: Json, job: Job): Json;
  outputKnown(job: Job): Json | undefined;
  executionTimeout(timeout: { ms: number; fromMs: number }, run: Run): { ms: number; fromMs: number } | null;
  /** What a handler's end becomes; null where the fault has done all that is done. */
  succeeds(run: Run, output: Json): { readonly output: Json } | null;
  fails(run: Run, message: string): boolean | undefined;
  crashes(run: Run): boolean | undefined;
  overruns(run: Run): boolean | undefined;
  overrunIs(run: Run): boolean;
  revives(job: Job): boolean;
  finishes(run: Run, status: Status): void;
  settles(run: Run, status: Status, settle: (done?: () => void) => void): boolean;
  counted(job: Job, status: Status): void;
  ended(job: Job, status: Status): void;
  shown(job: Job): void;
  stopsOverrun(): boolean;
  left(run: Run): void;
  leavesQueue(how: 'ended' | 'removed'): boolean;

  // Lifespans (sections 2.2, 4.1 to 4.3)
  ttl(ms: number, job: Job): number | null;
  statusTtl(ms: number, job: Job): number | null;
  keepsStatusTtl(): boolean;
  ttlExpires(job: Job): boolean | undefined;
  retention(retention: { ms: number; fromMs: number }, job: Job): { ms: number; fromMs: number };
  retentionOver(job: Job): boolean;
  swept(atMs: number, what: TimerKind): number | null;
  timerSet(kind: TimerKind, timer: Timer | undefined, endpoint: Endpoint | null): void;
  forgotten(job: Job): void;
  removing(job: Job): void;

  // Webhooks (section 6)
  notifies(right: boolean, job: Job, status: Status): boolean;
  webhookOf(job: Job): string | null;
  notice(notice: Notice, job: Job): Notice | null;
  noticeDone(job: Job, succeeded: boolean): void;
  noticeDelayMs(ms: number): number;
  send(notice: Notice, attempt: (notice: Notice, number: number) => void): void;
  attempts(notice: Notice, number: number, nowMs: number): boolean;
  attemptUrl(url: string, number: number): string;
  succeeded(right: boolean, answer: number | null): boolean;
  answered(notice: Notice, succeeded: boolean, nowMs: number): void;
  isLastCall(succeeded: boolean): boolean;
  attemptsMax(max: number, answer: number | null): number;
  pauseMs(ms: number, number: number): number;
  /** Asked when an attempt is put off; what it gives is asked when the attempt is due. */
  retriesLater(notice: Notice): () => boolean;
}
