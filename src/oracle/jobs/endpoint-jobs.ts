/**
 * All jobs of a run on an endpoint that nothing else uses (`dedicated`) and that was not made for the run: since when
 * each may exist, and by when it is known to have ended. A shared endpoint is judged in parts, each of which knows its own
 * jobs only; what concerns all jobs at once, such as how many there are, is judged by this.
 */
import { RUN_ITSELF, type CallEvent, type HistoryEvent, type RunEvent } from '../../history/events.js';
import { TTL_MAX_MS, TTL_MIN_MS, WAIT_DEFAULT_MS } from '../../spec/limits.js';
import { ENDED_STATUSES } from '../../spec/states.js';
import { getOrMake } from '../../util/maps.js';
import {
  answerOf,
  authorized,
  counterIn,
  effectiveOperation,
  idIn,
  idInPath,
  policyFieldOf,
  statusIn,
  submissionOf,
} from '../observed/recorded-call.js';
import type { TargetLife } from '../observed/target-life.js';
import { HarnessLags } from '../observed/tolerance.js';
import { predict, type Prediction } from '../observed/worker-prediction.js';
import { isWaitingOrRunning, readIn, type StatusObservation } from './status-observations.js';

export interface EndpointJob {
  /** Null: nothing is known of the job, not even whether it exists. */
  readonly id: string | null;
  readonly submitted: CallEvent;
  /** A call may have requeued it. */
  readonly retried: boolean;
  /** What the worker does with it, as far as its plan says so and it runs once at most. */
  readonly outcome: Prediction['outcome'];
  /** What it does with it after a retry, if it knows of the first run. */
  readonly again: Prediction['outcome'];
  /** What any answer about it showed, in order. */
  readonly reads: readonly StatusObservation[];
  /** From then on it is known to have ended, ms; Infinity if it is not. */
  readonly overByMs: number;
  /** When the ttl of its submission is over at the latest, ms; Infinity: not known, or the job was seen later. */
  readonly expiredByMs: number;
}

export interface EndpointJobs {
  /** By the number of the script. */
  readonly scenarios: ReadonlyMap<number, string>;
  /** In order of submission. */
  readonly jobs: readonly EndpointJob[];
  /** Calls that may have requeued a job. */
  readonly retries: readonly CallEvent[];
  /** The answered calls of `/health`, in order. */
  readonly counts: readonly CallEvent[];
  /** The last of them before the first submission. */
  readonly before: CallEvent | undefined;
  /** The answered calls of `/purge-queue`, in order. */
  readonly purges: readonly CallEvent[];
  /** Calls that may have taken jobs away: purges, cancels, and what sets a `ttl`. */
  readonly takers: readonly CallEvent[];
  readonly lags: HarnessLags;
}

const WITHOUT_ID = { id: null, retried: false, reads: [], expiredByMs: Infinity } as const;

/**
 * Null where the jobs of the endpoint are not all known: others may use it, it was made for a script, or the target was
 * lost, and may have forgotten jobs or run those of others again.
 */
export function endpointJobsOf(
  run: RunEvent,
  events: readonly HistoryEvent[],
  { periods, isOver }: TargetLife,
): EndpointJobs | null {
  const scripts = events.filter((event) => event.kind === 'script');
  const endpoint = scripts[0]?.endpoint;
  const isShared = scripts.every((one) => !one.fresh && one.endpoint === endpoint);
  if (endpoint === undefined || !isShared || !run.capabilities.includes('dedicated')) return null;
  if (periods.length !== 1 || isOver) return null;
  const calls = events.filter((event) => event.kind === 'call');
  const submissions = calls.filter(maySubmit);
  const callsById = new Map<string, CallEvent[]>();
  for (const call of calls) {
    const id = idNamed(call);
    if (id !== null) getOrMake(callsById, id, () => []).push(call);
  }
  const cleanedUpMs = new Map<string, number[]>();
  for (const event of events)
    if (event.kind === 'cleanup' && event.endpoint === endpoint)
      for (const id of event.ended) getOrMake(cleanedUpMs, id, () => []).push(event.atMs);
  const [given, givenTwice] = [new Set<string | null>(), new Set<string | null>()];
  for (const id of submissions.map(idIn)) (given.has(id) ? givenTwice : given).add(id);
  const jobs = submissions.map((submitted): EndpointJob => {
    const id = idIn(submitted);
    const [outcome, again] = [outcomeOf(run, submitted, false), outcomeOf(run, submitted, true)];
    const one = { submitted, outcome, again };
    if (id === null || givenTwice.has(id)) return { ...one, ...WITHOUT_ID, overByMs: goneMs(run, submitted) };
    const named = callsById.get(id) ?? [];
    const retries = named.filter(mayRequeue);
    const reads = named.flatMap((call) => (shows(call, endpoint) ? (readIn(id, call) ?? []) : []));
    const overByMs = Math.min(overAccordingTo(reads, retries), ...(cleanedUpMs.get(id) ?? []));
    const isLost = retries.some(({ receivedMs }) => receivedMs === null);
    const retried = retries.length > 0;
    const expiredByMs = named.some(({ request }) => request.query['ttl'] !== undefined)
      ? Infinity
      : expiredMs(submitted, reads);
    return { ...one, id, retried, reads, overByMs: isLost ? Infinity : overByMs, expiredByMs };
  });
  jobs.sort((left, right) => left.submitted.sentTick - right.submitted.sentTick);
  const answered = (op: 'health' | 'purge-queue'): readonly CallEvent[] =>
    calls.filter((call) => call.op === op && call.endpoint === endpoint && answerOf(call) === 'ok');
  const counts = answered('health');
  const firstTick = jobs[0]?.submitted.sentTick ?? -1;
  const lags = events.flatMap((event) => (event.kind === 'script-end' ? (event.harnessLags ?? []) : []));
  return {
    scenarios: new Map([
      [RUN_ITSELF, 'none (the run itself, before or after its scripts)'],
      ...scripts.map(({ script, scenario }) => [script, scenario] as const),
    ]),
    jobs,
    retries: calls.filter(mayRequeue),
    counts,
    before: counts.findLast(({ endedTick }) => endedTick !== null && endedTick < firstTick),
    purges: answered('purge-queue'),
    takers: calls.filter(mayTakeAway),
    lags: HarnessLags.of(run, lags),
  };
}

/** These say that nothing was done. Others may tell the end of a job, or that the time of the call is up. */
const NOT_DONE: readonly number[] = [400, 401, 403, 404, 405, 411, 413, 414, 415, 422, 429, 431];

/** A job may exist because of the call. That refused submissions create none is another requirement. */
function maySubmit(call: CallEvent): boolean {
  const op = effectiveOperation(call);
  const code = call.reply?.status ?? 0;
  // The job of a waiting call may have been purged or have reached its ttl, so that it is no longer found.
  const mayBeGone = op === 'runsync' && code === 404;
  const isRefused = NOT_DONE.includes(code) && !mayBeGone && idIn(call) === null;
  if (op === 'run' || op === 'runsync' || op === 'openai') return !isRefused;
  // At an address of no operation, such as that of another version.
  return op === null && call.request.method === 'POST' && !isRefused;
}

/** Infinity where it was seen at a later time: a service that spares it is failed for that. */
function expiredMs(submitted: CallEvent, reads: readonly StatusObservation[]): number {
  const ttl = policyFieldOf(submissionOf(submitted), 'ttl');
  const isGiven = typeof ttl === 'number' && ttl >= TTL_MIN_MS && ttl <= TTL_MAX_MS;
  if (!isGiven || submitted.receivedMs === null) return Infinity;
  const overMs = submitted.receivedMs + ttl;
  return reads.some((read) => read.observed !== 'GONE' && read.call.sentMs > overMs) ? Infinity : overMs;
}

/** A waiting call was told before its time was up that its job is not found: it is gone, or never was. */
function goneMs(run: RunEvent, { op, request, reply, sentMs, receivedMs }: CallEvent): number {
  const waitMs = Number(request.query['wait'] ?? WAIT_DEFAULT_MS);
  const isTold = op === 'runsync' && reply?.status === 404 && receivedMs! < sentMs + waitMs - run.earlyMs;
  return isTold ? receivedMs! : Infinity;
}

function idNamed(call: CallEvent): string | null {
  const op = effectiveOperation(call);
  return op === 'run' || op === 'runsync' ? idIn(call) : idInPath(call);
}

const mayRequeue = (call: CallEvent): boolean =>
  effectiveOperation(call) === 'retry' && answerOf(call) !== 'refused';

function mayTakeAway(call: CallEvent): boolean {
  const op = effectiveOperation(call);
  const takes = op === 'cancel' || op === 'purge-queue' || call.request.query['ttl'] !== undefined;
  return takes && answerOf(call) !== 'refused';
}

/** Not a call that may have done more than its operation says. */
function shows(call: CallEvent, endpoint: string): boolean {
  if (call.op === null || call.endpoint !== endpoint || !authorized(call)) return false;
  // What /runsync answers when `wait` elapses is not shown (section 4.1).
  return call.op !== 'runsync' || !isWaitingOrRunning(statusIn(call));
}

const isEnd = ({ observed }: StatusObservation): boolean =>
  observed === 'GONE' || ENDED_STATUSES.includes(observed);

/** Its first end after which it was not seen alive, nor requeued: a service may not know a job at first. */
function overAccordingTo(reads: readonly StatusObservation[], retries: readonly CallEvent[]): number {
  const alive = reads.filter((read) => !isEnd(read)).map(({ call }) => call.sentTick);
  const aliveTick = Math.max(-1, ...alive, ...retries.map(({ endedTick }) => endedTick!));
  return reads.find((read) => isEnd(read) && read.call.sentTick > aliveTick)?.call.receivedMs ?? Infinity;
}

function outcomeOf(
  { capabilities }: RunEvent,
  submitted: CallEvent,
  ranBefore: boolean,
): Prediction['outcome'] {
  if (!capabilities.includes('scripted-worker') || submitted.request.illegal !== null) return 'unknown';
  const submission = submissionOf(submitted) ?? {};
  return predict(submission['input'] ?? null, submission['s3Config'] ?? null, ranBefore).outcome;
}

/** If the service or a client runs it again, it may have waited or run meanwhile. */
export const mayRunTwice = (job: EndpointJob): boolean =>
  job.id === null || job.retried || mayComeBack(job.outcome);

/** Its worker may die, and the service give the job to another one. */
const mayComeBack = (outcome: Prediction['outcome']): boolean => outcome === 'crash' || outcome === 'unknown';

/** The call that put it into the queue last before this one; null: unknown, or it may have come back by itself. */
export function queuedLastBy(
  { retries }: EndpointJobs,
  job: EndpointJob,
  before: CallEvent,
): CallEvent | null {
  if (job.id === null || mayComeBack(job.outcome)) return null;
  if (!job.retried) return job.submitted.receivedMs === null ? null : job.submitted;
  const own = retries.filter((call) => idInPath(call) === job.id && call.sentTick < before.endedTick!);
  const last = own.at(-1) ?? job.submitted;
  const isLast = own.every((call) => call === last || (call.endedTick ?? Infinity) < last.sentTick);
  return isLast && answerOf(last) === 'ok' && !mayComeBack(job.again) ? last : null;
}

/** It was IN_QUEUE at the call, had not been seen with a worker before, and can have lost none. */
export function hadOnlyWaited(job: EndpointJob, call: CallEvent): boolean {
  if (mayRunTwice(job)) return false;
  return job.reads.every((one) => one.call.sentTick > call.sentTick || one.observed === 'IN_QUEUE');
}

/** The jobs that wait or run according to `/health`. */
export function jobsIn(count: CallEvent | undefined): number | null {
  if (count === undefined) return null;
  const [inQueue, inProgress] = [counterIn(count, 'jobs.inQueue'), counterIn(count, 'jobs.inProgress')];
  return inQueue === null || inProgress === null ? null : inQueue + inProgress;
}

export const failureBy = (
  { scenarios }: EndpointJobs,
  script: number,
  actual: string,
  calls: readonly CallEvent[],
  proof: readonly string[] = [],
) => ({
  script,
  scenario: scenarios.get(script) ?? '',
  actual,
  proof,
  calls: calls.map(({ call }) => call),
  originMs: 0,
});
