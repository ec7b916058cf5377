/**
 * All jobs of a run on an endpoint that nothing else uses (`dedicated`) and that was not made for the run: since when
 * each may exist, and by when it is known to have ended. A shared endpoint is judged in parts, each of which knows its own
 * jobs only; what concerns all jobs at once, such as how many there are, is judged by this.
 */
import {
  RUN_ITSELF,
  type CallEvent,
  type CleanupEvent,
  type HistoryEvent,
  type RunEvent,
} from '../../history/events.js';
import { ENDED_STATUSES } from '../../spec/states.js';
import type { JobStatus } from '../../spec/types.js';
import {
  answerOf,
  authorized,
  effectiveOperation,
  idIn,
  idInPath,
  statusIn,
  submissionOf,
  type JsonObject,
} from '../observed/recorded-call.js';
import { HarnessLags } from '../observed/tolerance.js';
import { predict, type Prediction } from '../observed/worker-prediction.js';

/** An answer about the job. */
export interface Look {
  readonly call: CallEvent;
  readonly status: JobStatus | 'GONE';
}

export interface EndpointJob {
  /** Null: nothing is known of the job, not even whether it exists. */
  readonly id: string | null;
  readonly submitted: CallEvent;
  readonly submission: JsonObject;
  /** It may have been requeued, or have run more than once. */
  readonly mayRunAgain: boolean;
  /** What the worker does with it, as far as its plan says so and it runs once at most. */
  readonly outcome: Prediction['outcome'];
  /** In order of their answers. */
  readonly looks: readonly Look[];
  /** From then on it is known to have ended, ms; Infinity if it is not. */
  readonly overByMs: number;
}

export interface EndpointJobs {
  readonly endpoint: string;
  /** By the number of the script. */
  readonly scenarios: ReadonlyMap<number, string>;
  /** In order of submission. */
  readonly jobs: readonly EndpointJob[];
  /** Calls that may have requeued a job. */
  readonly retries: readonly CallEvent[];
  /** The answered calls of `/health`, in order. */
  readonly counts: readonly CallEvent[];
  /** The answered calls of `/purge-queue`, in order. */
  readonly purges: readonly CallEvent[];
  readonly lags: HarnessLags;
}

interface Draft {
  readonly id: string | null;
  readonly submitted: CallEvent;
  readonly looks: Look[];
  /** The last `/retry` that may have requeued it had ended at this position; Infinity if it was not answered. */
  retriedByTick: number;
  isGivenTwice: boolean;
  /** By when the harness had ended it, after all of its own calls. */
  cleanedUpByMs: number;
}

/** Null where the jobs of the endpoint are not all known: others may use it, or it was made for a script. */
export function endpointJobsOf(run: RunEvent, events: readonly HistoryEvent[]): EndpointJobs | null {
  const scripts = events.filter((event) => event.kind === 'script');
  const endpoint = scripts[0]?.endpoint;
  const isShared = scripts.every(
    (one) => !one.fresh && one.endpoint === endpoint && one.neighbour === undefined,
  );
  if (endpoint === undefined || !isShared || !run.capabilities.includes('dedicated')) return null;
  const drafts: Draft[] = [];
  const byId = new Map<string, Draft>();
  const calls = events.filter((event) => event.kind === 'call');
  for (const call of calls) {
    if (!maySubmit(call)) continue;
    const id = idIn(call);
    const known = id === null ? undefined : byId.get(id);
    if (known !== undefined) known.isGivenTwice = true;
    const draft = newDraft(known === undefined ? id : null, call);
    drafts.push(draft);
    if (draft.id !== null) byId.set(draft.id, draft);
  }
  for (const call of calls) look(call, endpoint, byId);
  for (const event of events) if (event.kind === 'cleanup') cleanUp(event, endpoint, byId);
  const answered = (op: 'health' | 'purge-queue'): readonly CallEvent[] =>
    calls.filter((call) => call.op === op && call.endpoint === endpoint && answerOf(call) === 'ok');
  const lags = events.flatMap((event) => (event.kind === 'script-end' ? (event.harnessLags ?? []) : []));
  return {
    endpoint,
    scenarios: new Map([
      [RUN_ITSELF, 'none (the run itself, before or after its scripts)'],
      ...scripts.map(({ script, scenario }) => [script, scenario] as const),
    ]),
    jobs: drafts
      .map((draft) => asJob(run, draft))
      .sort((left, right) => left.submitted.sentTick - right.submitted.sentTick),
    retries: calls.filter((call) => effectiveOperation(call) === 'retry' && answerOf(call) !== 'refused'),
    counts: answered('health'),
    purges: answered('purge-queue'),
    lags: new HarnessLags(lags),
  };
}

function newDraft(id: string | null, submitted: CallEvent): Draft {
  return {
    id,
    submitted,
    looks: [],
    retriedByTick: -1,
    isGivenTwice: false,
    cleanedUpByMs: Infinity,
  };
}

/** These say that nothing was done. Others may tell the end of a job, or that the time of the call is up. */
const NOT_DONE: readonly number[] = [400, 401, 403, 404, 405, 411, 413, 414, 415, 422, 429, 431];

/** A job may exist because of the call. That refused submissions create none is another requirement. */
function maySubmit(call: CallEvent): boolean {
  const op = effectiveOperation(call);
  const isRefused = NOT_DONE.includes(call.reply?.status ?? 0) && idIn(call) === null;
  if (op === 'run' || op === 'runsync' || op === 'openai') return !isRefused;
  // At an address of no operation, such as that of another version.
  return op === null && call.request.method === 'POST' && !isRefused;
}

function look(call: CallEvent, endpoint: string, byId: ReadonlyMap<string, Draft>): void {
  const op = effectiveOperation(call);
  const isSubmission = op === 'run' || op === 'runsync';
  const named = isSubmission ? idIn(call) : idInPath(call);
  const draft = named === null ? undefined : byId.get(named);
  if (draft === undefined) return;
  if (op === 'retry' && answerOf(call) !== 'refused')
    draft.retriedByTick = Math.max(
      draft.retriedByTick,
      call.receivedMs === null ? Infinity : call.endedTick!,
    );
  // A call that may have done more than its operation says shows nothing.
  if (call.op === null || call.endpoint !== endpoint || !authorized(call)) return;
  const status = (idIn(call) ?? named) === named ? statusIn(call) : null;
  // What /runsync answers when `wait` elapses is not shown (section 4.1).
  if (op === 'runsync' && (status === 'IN_QUEUE' || status === 'IN_PROGRESS')) return;
  if (status !== null && answerOf(call) === 'ok') draft.looks.push({ call, status });
  else if (op === 'status' && call.reply?.status === 404) draft.looks.push({ call, status: 'GONE' });
}

function cleanUp(
  { ended, endpoint, atMs }: CleanupEvent,
  own: string,
  byId: ReadonlyMap<string, Draft>,
): void {
  if (endpoint !== own) return;
  for (const id of ended) {
    const draft = byId.get(id);
    if (draft !== undefined) draft.cleanedUpByMs = Math.min(draft.cleanedUpByMs, atMs);
  }
}

const isEnd = ({ status }: Look): boolean => status === 'GONE' || ENDED_STATUSES.includes(status);

function asJob(run: RunEvent, draft: Draft): EndpointJob {
  const { id, submitted, looks, retriedByTick, isGivenTwice, cleanedUpByMs } = draft;
  // A service may not know a job at first.
  const aliveTick = Math.max(retriedByTick, ...looks.map((one) => (isEnd(one) ? -1 : one.call.sentTick)));
  const seen = looks.find((one) => isEnd(one) && one.call.sentTick > aliveTick)?.call.receivedMs;
  const isKnown = !isGivenTwice && retriedByTick < Infinity;
  return {
    id: isGivenTwice ? null : id,
    submitted,
    submission: submissionOf(submitted) ?? {},
    mayRunAgain: isGivenTwice || retriedByTick >= 0,
    outcome: outcomeOf(run, submitted),
    looks: isGivenTwice ? [] : looks,
    overByMs: isKnown ? Math.min(seen ?? Infinity, cleanedUpByMs) : Infinity,
  };
}

function outcomeOf({ capabilities }: RunEvent, submitted: CallEvent): Prediction['outcome'] {
  if (!capabilities.includes('scripted-worker') || submitted.request.illegal !== null) return 'unknown';
  const submission = submissionOf(submitted) ?? {};
  return predict(submission['input'] ?? null, submission['s3Config'] ?? null, false).outcome;
}

/** It was IN_QUEUE at the call, had not been seen with a worker before, and can have lost none. */
export function hadOnlyWaited({ mayRunAgain, outcome, looks }: EndpointJob, call: CallEvent): boolean {
  if (mayRunAgain || outcome === 'crash' || outcome === 'unknown') return false;
  return looks.every((one) => one.call.sentTick > call.sentTick || one.status === 'IN_QUEUE');
}
