/**
 * The effect of one operation on a hypothesis: the successors of the hypothesis that are consistent with
 * how the operation was answered.
 */
import type { CallEvent } from '../../history/events.js';
import { TTL_DEFAULT_MS, TTL_MAX_MS, TTL_MIN_MS } from '../../spec/limits.js';
import type { JobStatus } from '../../spec/types.js';
import { between, seconds } from '../../util/duration.js';
import type { Answer } from '../observed/recorded-call.js';
import type { RuleSet } from './rule-set.js';
import {
  fork,
  withZone,
  isFinished,
  isReportedAsFailed,
  readAs,
  JOB_STATES,
  STATES_WITH_RECORD,
  DOCUMENT_STATES,
  type MutableHypothesis,
  type Hypothesis,
  type JobState,
} from './hypothesis.js';

import type { RequirementId } from '../../spec/index.js';
import type { JobModel } from './job-model.js';
import { satisfiesInvariants } from './timer-bounds.js';
import { legalTransitionsTo, timeoutsAsCancelled, transitionsTo } from './lifecycle/silent-transitions.js';
import {
  CANCEL,
  EXPIRED,
  PURGE,
  RETRY,
  STATUS_TTL,
  STAYS_TIMED_OUT,
  STREAM_OF_DELETED,
  WEBHOOK,
} from './lifecycle/lifecycle-calls.js';
import { keptAsRun, keptForAnyTime, keptUntilTtl, policyWithTtl } from './effective-policy.js';
import { requirementOf, type CallEffects } from './lifecycle/lifecycle-rows.js';
import { withReportedTimes } from './reported-times.js';
import { BIT, type StateSet } from './state-set.js';
import { Tracer, type UnsatisfiedBound } from './tracer.js';
import { RUN_COUNT_UNKNOWN } from '../observed/worker-prediction.js';
import { ENDED, TTL_START, QUEUED, STARTED, SUBMITTED, ZERO, type Zone } from './zone.js';

/** One observation of a job, or one call that may have changed it. */
export interface JobOperation {
  readonly kind: 'reply' | 'status' | 'stream' | 'cancel' | 'retry' | 'purge' | 'webhook' | 'health';
  /** It took effect at some instant in this interval. */
  readonly fromMs: number;
  readonly byMs: number;
  readonly sentTick: number | null;
  readonly endedTick: number | null;
  readonly answer: Answer;
  /** HTTP status code; 0 where there was none. */
  readonly code: number;
  /** The job status that the answer reports. */
  readonly observed: JobStatus | null;
  readonly call: CallEvent | null;
  /** `?ttl=` of `/status`, ms; null where none was sent, NaN where it is not a count. */
  readonly ttlMs: number | null;
  /**
   * After a `/retry` it reports a failure or a timeout that does not differ from what was reported before,
   * or nothing was read before. It may be the end of an equal second run, or there was no second run.
   */
  readonly isAsBeforeRetry: boolean;
}

/**
 * The states that a job may be in when it is reported so. A timeout may be reported as FAILED, a purge as
 * CANCELLED.
 */
export const STATES_BY_STATUS: { readonly [status in JobStatus]: readonly JobState[] } = {
  IN_QUEUE: ['queued'],
  IN_PROGRESS: ['running'],
  COMPLETED: ['completed'],
  FAILED: ['failed', 'timed-out', 'purged'],
  TIMED_OUT: ['timed-out'],
  CANCELLED: ['cancelled', 'purged'],
};

/** The successors of a hypothesis by an operation. Empty: the two contradict each other. */
export function successors(
  rules: RuleSet,
  model: JobModel,
  before: Hypothesis,
  op: JobOperation,
): Hypothesis[] {
  if (op.code === 401 || op.code === 429) return [before];
  if (rules.tracer !== null) rules.tracer.op = op;
  switch (op.kind) {
    case 'reply':
    case 'status':
      return afterStatus(rules, model, before, op);
    case 'cancel':
      return afterCancel(rules, model, before, op);
    case 'retry':
      return afterRetry(rules, model, before, op);
    case 'purge':
      return afterPurge(rules, model, before, op);
    case 'stream':
      return afterStream(rules, before, op);
    case 'webhook':
      return afterWebhook(rules, model, before, op);
    case 'health':
      return [before];
  }
}

/** Some instant from the one to the other. */
type During = Pick<JobOperation, 'fromMs' | 'byMs'>;

/** The states that the job may have been in at some instant from `fromMs` to `byMs`. */
export function statesDuring(
  rules: RuleSet,
  model: JobModel,
  before: Hypothesis,
  { fromMs, byMs }: During,
): StateSet {
  let found: StateSet = 0;
  for (const there of everywhere(rules, model, before, byMs)) {
    const bit = BIT[there.state];
    if ((found & bit) === 0 && isStillIn(rules, model, there, fromMs, byMs)) found |= bit;
  }
  return found;
}

/** All ways in which the job can have been in a state at some instant from `fromMs` to `byMs`. */
export const waysDuring = (
  rules: RuleSet,
  model: JobModel,
  before: Hypothesis,
  { fromMs, byMs }: During,
): readonly Hypothesis[] =>
  everywhere(rules, model, before, byMs).filter((there) => isStillIn(rules, model, there, fromMs, byMs));

/** Where the job cannot have been in the state then: the rules that keep it from there. */
export function obstaclesTo(
  rules: RuleSet,
  model: JobModel,
  before: Hypothesis,
  state: JobState,
  { fromMs, byMs }: During,
): readonly UnsatisfiedBound[] {
  const tracer = new Tracer();
  const traced = rules.tracedBy(tracer);
  for (const there of transitionsTo(traced, model, before, state, byMs))
    isStillIn(traced, model, there, fromMs, byMs);
  return tracer.unsatisfiedBounds;
}

/** All ways in which the job can be in any state by then. */
function everywhere(rules: RuleSet, model: JobModel, before: Hypothesis, byMs: number): MutableHypothesis[] {
  // Without forbidden transitions, the ways to all states have their beginnings in common.
  if (rules.isPlain) return legalTransitionsTo(rules, model, before, byMs);
  return JOB_STATES.flatMap((state) => transitionsTo(rules, model, before, state, byMs));
}

/** The job is in `state` at some instant of the operation. */
function observedIn(
  rules: RuleSet,
  model: JobModel,
  before: Hypothesis,
  state: JobState,
  op: JobOperation,
): MutableHypothesis[] {
  return stillIn(rules, model, transitionsTo(rules, model, before, state, op.byMs), op);
}

function stillIn(
  rules: RuleSet,
  model: JobModel,
  found: MutableHypothesis[],
  op: JobOperation,
): MutableHypothesis[] {
  let kept = 0;
  for (const there of found) {
    if (!isStillIn(rules, model, there, op.fromMs, op.byMs)) continue;
    commit(there, op);
    found[kept] = there;
    kept += 1;
  }
  if (kept < found.length) found.length = kept;
  return found;
}

/** Constrains the zone. */
function isStillIn(
  rules: RuleSet,
  model: JobModel,
  there: Hypothesis,
  fromMs: number,
  byMs: number,
): boolean {
  return there.state === 'deleted' || satisfiesInvariants(rules, model, there, fromMs, byMs);
}

function commit(at: MutableHypothesis, { call, fromMs }: JobOperation): void {
  if (call !== null) {
    // Literals, as an object spread is several times slower.
    const { submitted, lastQueued, firstStarted, lastRunning, ended } = at.milestones;
    if (at.state === 'queued')
      at.milestones = { submitted, lastQueued: call, firstStarted, lastRunning, ended };
    else if (at.state === 'running')
      at.milestones = {
        submitted,
        lastQueued,
        firstStarted: firstStarted ?? call,
        lastRunning: call,
        ended,
      };
    // A read dates the end better than a call that came too late.
    else if (ended === null || (ended.op !== 'status' && call.op === 'status'))
      at.milestones = { submitted, lastQueued, firstStarted, lastRunning, ended: call };
  }
  // A deletion does not show when it happened.
  if (at.state !== 'deleted' && fromMs > at.notBeforeMs) at.notBeforeMs = fromMs;
}

/** Also where the answer was lost, or names no state of the document: the lifespan may have been set. */
export const maySetTtl = (op: JobOperation): op is JobOperation & { readonly ttlMs: number } =>
  op.answer !== 'refused' && op.ttlMs !== null;

function afterStatus(rules: RuleSet, model: JobModel, before: Hypothesis, op: JobOperation): Hypothesis[] {
  if (op.answer === 'ok' && op.observed !== null) {
    const states = STATES_BY_STATUS[op.observed];
    const timed =
      states.length === 1
        ? observedWithTimes(rules, model, before, states[0]!, op)
        : states.flatMap((state) => observedWithTimes(rules, model, before, state, op));
    if (op.isAsBeforeRetry) timed.push(...retryNotVisibleYet(rules, model, before, op));
    // Others may set another lifespan at any time, as they may have before.
    return op.ttlMs === null || op.kind === 'reply' || model.others
      ? timed
      : timed.flatMap((one) => withNewTtl(rules, one, op, op.ttlMs!));
  }
  if (op.code === 404 && op.kind === 'status')
    return [...notFound(rules, model, before, op), ...deletedByNewTtl(rules, model, before, op)];
  if (maySetTtl(op) && before.state !== 'deleted')
    return [before, ...withNewTtl(rules, before, op, op.ttlMs)];
  return [before];
}

/** The job is in `state`, and the reported times are consistent with that. */
function observedWithTimes(
  rules: RuleSet,
  model: JobModel,
  before: Hypothesis,
  state: JobState,
  op: JobOperation,
): Hypothesis[] {
  if (state === 'timed-out' && before.state === state && op.kind === 'status' && !model.others) {
    const told = readAs(before);
    const say = (): readonly string[] => [`it was ${told}, and then ${op.observed}`];
    // As which of the two a timeout is reported is open, but it stays in its state.
    if (told !== null && told !== op.observed && !rules.permits(STAYS_TIMED_OUT, say)) return [];
  }
  const seen = observedIn(rules, model, before, state, op);
  if (seen.length === 0 || state === 'queued' || state === 'running') return seen;
  return seen.length === 1
    ? withReportedTimes(rules, seen[0]!, op)
    : seen.flatMap((at) => withReportedTimes(rules, at, op));
}

/** The states that a retried job may be in while its record is still that of before the retry. */
const STATES_BEHIND_OLD_RECORD: readonly JobState[] = [
  'queued',
  'running',
  'completed',
  'failed',
  'timed-out',
];

/** The retry is not visible yet: the record is the one of before it. */
function retryNotVisibleYet(
  rules: RuleSet,
  model: JobModel,
  before: Hypothesis,
  op: JobOperation,
): Hypothesis[] {
  const { retriedFrom, state } = before;
  if (retriedFrom === null || (state !== 'queued' && state !== 'running')) return [];
  const say = (): readonly string[] => ['the record is that of before the retry'];
  // No explanation is closer than that nothing has changed: the cost is 0.
  if (!rules.exceeds(requirementOf(RETRY[retriedFrom].cases, model, before), 0, say)) return [];
  return STATES_BEHIND_OLD_RECORD.flatMap((each) => observedIn(rules, model, before, each, op));
}

/**
 * A 404: the job is deleted; or it is cancelled, by its `executionTimeout` too, or purged, and the service
 * does not return such jobs. The 404 dates none of these.
 */
function notFound(rules: RuleSet, model: JobModel, before: Hypothesis, op: JobOperation): Hypothesis[] {
  if (before.state === 'cancelled' || before.state === 'purged') return [before];
  const deleted = observedIn(rules, model, before, 'deleted', op);
  // A job that was deleted after it was cancelled is covered by the cancelled one, which may be deleted.
  const reported =
    before.state === 'deleted'
      ? deleted
      : deleted.filter(({ previousState }) => previousState !== 'cancelled');
  return [...reported, ...timeoutsAsCancelled(rules, model, before, op.byMs)];
}

/**
 * A lifespan that counts from the submission may have passed when it is set. Then this call no longer finds
 * the job, which was deleted by the call and not at the end of the lifespan.
 */
function deletedByNewTtl(
  rules: RuleSet,
  model: JobModel,
  before: Hypothesis,
  op: JobOperation,
): Hypothesis[] {
  const { ttlMs } = op;
  if (ttlMs === null) return [];
  const found: Hypothesis[] = [];
  for (const state of STATES_WITH_RECORD)
    for (const alive of observedIn(rules, model, before, state, op)) {
      const at = fork(alive, { policy: policyWithTtl(alive.policy, Number.isNaN(ttlMs) ? null : ttlMs) });
      if (Number.isNaN(ttlMs) || isOverNow(at.zone, op, ttlMs))
        found.push(...observedIn(rules, model, at, 'deleted', op));
    }
  return found;
}

/** The lifespan that the call set ends during the call. Constrains the zone. */
function isOverNow(zone: Zone, { fromMs, byMs }: JobOperation, ttlMs: number): boolean {
  zone.free(TTL_START);
  return (
    zone.constrain(SUBMITTED, TTL_START, 0) &&
    zone.constrain(TTL_START, ZERO, byMs - ttlMs) &&
    zone.constrain(ZERO, TTL_START, ttlMs - fromMs)
  );
}

/** The operation took effect no earlier than what had been observed by then. */
const notBeforeMs = (at: Hypothesis, { fromMs }: JobOperation): number => Math.max(fromMs, at.notBeforeMs);

/** `/status?ttl=` sets the lifespan of the job. Whether it counts from now or from the submission is open. */
function withNewTtl(rules: RuleSet, at: Hypothesis, op: JobOperation, ttlMs: number): Hypothesis[] {
  // If `-1` was not refused it may stand for the minimum, for the default, or for nothing.
  if (Number.isNaN(ttlMs)) return [at, fork(at, { policy: keptForAnyTime(at.policy) })];
  const clamped = Math.min(Math.max(ttlMs, TTL_MIN_MS), TTL_MAX_MS);
  const found: Hypothesis[] = [];
  for (const value of clamped === ttlMs ? [ttlMs] : [ttlMs, clamped, TTL_DEFAULT_MS]) {
    // Whether it can extend a retention is open.
    const policy = keptUntilTtl(policyWithTtl(at.policy, value));
    const fromSubmission = fork(at);
    fromSubmission.policy = policy;
    fromSubmission.zone.free(TTL_START);
    fromSubmission.zone.assign(TTL_START, SUBMITTED);
    const fromNow = fork(at);
    fromNow.policy = policy;
    fromNow.zone.free(TTL_START);
    if (
      fromNow.zone.constrain(TTL_START, ZERO, op.byMs) &&
      fromNow.zone.constrain(ZERO, TTL_START, -notBeforeMs(at, op))
    )
      found.push(fromNow);
    found.push(fromSubmission);
  }
  // Whether it has an effect on an ended job is open.
  const ignorable = clamped !== ttlMs || isFinished(at.state);
  if (ignorable || rules.permits(STATUS_TTL, () => [`/status?ttl=${ttlMs} was answered with success`]))
    found.push(at);
  return found;
}

/** How often a job can be retried is open, but it must be possible more than once. */
const RETRIES_CERTAIN = 2;

/**
 * Applies a call on the job by its row for the job's state: `effect`, no effect, or `elsewhere` in the
 * states that the document does not cover.
 */
function afterCall(
  rules: RuleSet,
  model: JobModel,
  before: Hypothesis,
  op: JobOperation,
  rows: CallEffects,
  effect: (at: Hypothesis) => readonly Hypothesis[],
  elsewhere: (at: Hypothesis) => readonly Hypothesis[],
): Hypothesis[] {
  const { answer } = op;
  const found: Hypothesis[] = [];
  const there = rules.isPlain ? stillIn(rules, model, everywhere(rules, model, before, op.byMs), op) : null;
  for (const state of JOB_STATES) {
    const row = rows[state];
    for (const at of there ?? observedIn(rules, model, before, state, op)) {
      if (at.state !== state) continue;
      if (row === undefined) {
        found.push(...elsewhere(at));
        continue;
      }
      const must = row.how === 'must';
      if (must && answer !== 'refused') found.push(...effect(at));
      const isOften = op.kind === 'retry' && at.requeues >= RETRIES_CERTAIN;
      const isOpen = must ? answer === 'unknown' || (answer === 'refused' && isOften) : answer !== 'ok';
      // It may have been in another state as well, in which the call would have had an effect, too.
      const say = (): readonly string[] => [
        `by earlier answers, the job may have been ${DOCUMENT_STATES[state]}`,
      ];
      // Where it is certainly gone, its answer is judged by itself (`decide.ts`).
      if (isForgotten(at) && isRefusedOtherwise(op)) {
        if (rules.permits(expiredOf(model, op.kind), say)) found.push(at);
        continue;
      }
      if (isOpen || rules.permits(requirementOf(row.cases, model, at), say)) found.push(at);
    }
  }
  return found;
}

/** How long an unsuccessful job can be read is open: it may be gone, or still there to be retried. */
const isForgotten = ({ state, previousState, deletedBy }: Hypothesis): boolean =>
  state === 'deleted' &&
  deletedBy === 'retention' &&
  (previousState === 'failed' || previousState === 'timed-out');

/** A job whose result has expired is answered with 404 (section 7). */
export const isRefusedOtherwise = ({ answer, code, call }: JobOperation): boolean =>
  answer === 'refused' && code !== 404 && code !== 403 && call?.request.illegal === null;

function expiredOf({ sync }: JobModel, kind: JobOperation['kind']): RequirementId {
  const [, synchronous, asynchronous] = EXPIRED[kind === 'retry' ? 'retry' : 'cancel'];
  return sync ? synchronous : asynchronous;
}

function afterCancel(rules: RuleSet, model: JobModel, before: Hypothesis, op: JobOperation): Hypothesis[] {
  const saidFinished = op.observed === 'COMPLETED' || op.observed === 'FAILED' || op.observed === 'TIMED_OUT';
  const effect = (at: Hypothesis): readonly Hypothesis[] => (saidFinished ? [] : cancelled(at, op));
  return afterCall(rules, model, before, op, CANCEL, effect, (at) => {
    if (op.answer === 'refused') return [at];
    const wronglyAccepted = withZone(at, at.zone);
    wronglyAccepted.wronglyAccepted = 'cancel';
    const isNoMore = at.state === 'cancelled' || at.state === 'purged';
    return isNoMore ? [wronglyAccepted] : [wronglyAccepted, ...cancelled(wronglyAccepted, op)];
  });
}

function afterRetry(rules: RuleSet, model: JobModel, before: Hypothesis, op: JobOperation): Hypothesis[] {
  return afterCall(
    rules,
    model,
    before,
    op,
    RETRY,
    (at) => requeued(at, op),
    (at) => {
      const isRevived = at.state === 'purged' && op.answer !== 'refused' && isReportedAsFailed(before);
      const wronglyAccepted = withZone(at, at.zone);
      wronglyAccepted.wronglyAccepted = 'retry';
      return isRevived ? [wronglyAccepted, ...revived(model, at, op)] : [wronglyAccepted];
    },
  );
}

/**
 * A server error may have been sent before the effect. A call without any answer is applied when it takes
 * effect.
 */
const mayTakeEffectLater = ({ answer, call }: JobOperation): boolean =>
  answer === 'unknown' && call?.receivedMs !== null;

function cancelled(at: Hypothesis, op: JobOperation): Hypothesis[] {
  const zone = at.zone.copy();
  const started = at.state !== 'queued';
  zone.free(ENDED);
  const possible =
    zone.constrain(started ? STARTED : QUEUED, ENDED, 0) &&
    zone.constrain(ZERO, ENDED, -notBeforeMs(at, op)) &&
    (mayTakeEffectLater(op) || zone.constrain(ENDED, ZERO, op.byMs));
  if (!possible) return [];
  const next = withZone(at, zone);
  next.state = 'cancelled';
  next.runs = started ? at.runs + 1 : at.runs;
  next.previousState = at.state;
  return [next];
}

/** It need not have run before: where its worker does not do the same each time, nothing is predicted of the next run. */
function revived(model: JobModel, at: Hypothesis, op: JobOperation): Hypothesis[] {
  const { priorRunsMs, runs } = at;
  const isAlike = model.predicted(runs) === model.predicted(runs + 1);
  const unknown = RUN_COUNT_UNKNOWN;
  const known = isAlike ? { priorRunsMs } : { runs: unknown, retries: unknown, requeues: unknown };
  return requeued(at, op).map((one) => ({ ...one, ...known }));
}

/** Back in the queue. The ttl goes on: "The timer starts at submission". */
function requeued(at: Hypothesis, op: JobOperation): Hypothesis[] {
  const zone = at.zone.copy();
  zone.free(QUEUED);
  zone.free(STARTED);
  const possible =
    zone.constrain(ENDED, QUEUED, 0) &&
    zone.constrain(ZERO, QUEUED, -notBeforeMs(at, op)) &&
    (mayTakeEffectLater(op) || zone.constrain(QUEUED, ZERO, op.byMs));
  if (!possible) return [];
  const ranMs = at.zone.bound(ENDED, STARTED);
  zone.free(ENDED);
  const { submitted } = at.milestones;
  const next = withZone(at, zone);
  next.state = 'queued';
  next.lastRetry = op.call;
  next.retriedFrom = at.state === 'timed-out' ? 'timed-out' : 'failed';
  next.runs = at.runs + 1;
  next.retries = at.retries + 1;
  next.requeues = at.requeues + 1;
  next.priorRunsMs = at.priorRunsMs + Math.max(0, ranMs);
  next.policy = keptAsRun(at.policy);
  next.unit = null;
  next.milestones = { submitted, lastQueued: op.call, firstStarted: null, lastRunning: null, ended: null };
  return [next];
}

function afterPurge(rules: RuleSet, model: JobModel, before: Hypothesis, op: JobOperation): Hypothesis[] {
  if (op.answer === 'refused' || (before.state !== 'queued' && before.state !== 'running')) return [before];
  const say = (): readonly string[] => [`/purge-queue ${between(op.fromMs, op.byMs)}`];
  const found: Hypothesis[] = [];
  const running = before.state === 'running';
  if (running) {
    found.push(before);
    if (rules.permits(PURGE.running.cases[0][0], say))
      found.push(fork(before, { state: 'purged', purgedBy: op.call }));
    // Its worker may have crashed, so that it waits again.
    if (model.predicted(before.runs).outcome !== 'crash') return found;
  }
  for (const waiting of observedIn(rules, model, before, 'queued', op)) {
    const zone = waiting.zone.copy();
    zone.free(ENDED);
    zone.constrain(ZERO, ENDED, -notBeforeMs(waiting, op));
    if (!mayTakeEffectLater(op)) zone.constrain(ENDED, ZERO, op.byMs);
    found.push(fork(waiting, { state: 'purged', zone, purgedBy: op.call }));
    if (op.answer !== 'unknown' && rules.permits(requirementOf(PURGE.queued.cases, model, waiting), say))
      found.push(waiting);
  }
  if (running) return found;
  // The purge may have come before the job, or have had no effect.
  if (op.answer === 'unknown') return [before, ...found];
  for (const state of ['running', 'deleted'] as const)
    found.push(...transitionsTo(rules, model, before, state, op.byMs));
  return found;
}

/** `/stream` must not return chunks of a deleted job. Everything else about streams is checked elsewhere. */
function afterStream(rules: RuleSet, before: Hypothesis, op: JobOperation): Hypothesis[] {
  const { ttlMs } = before.policy;
  if (op.answer !== 'ok' || ttlMs === null || before.state === 'cancelled' || before.state === 'purged')
    return [before];
  const say = (): readonly string[] => [
    `ttl set by ${seconds(before.zone.latest(TTL_START))}, ttl ${seconds(ttlMs)}`,
    `but /stream answered with success at ${seconds(op.fromMs)}`,
  ];
  const at = fork(before);
  const rule = STREAM_OF_DELETED;
  const graceMs = rules.graceAt(op.fromMs);
  return rules.bound(rule, at.zone, ZERO, TTL_START, -(op.fromMs - ttlMs - graceMs), say, graceMs)
    ? [at]
    : [];
}

/**
 * A webhook shows that the job had ended, or been deleted, by then. Whether it was due is checked
 * elsewhere.
 */
function afterWebhook(rules: RuleSet, model: JobModel, before: Hypothesis, op: JobOperation): Hypothesis[] {
  if (before.state !== 'queued' && before.state !== 'running') return [before];
  const found: Hypothesis[] = [];
  for (const state of ['completed', 'failed', 'timed-out', 'deleted'] as const)
    found.push(...transitionsTo(rules, model, before, state, op.byMs));
  found.push(...timeoutsAsCancelled(rules, model, before, op.byMs));
  if (rules.permits(WEBHOOK, () => [`the webhook was called at ${seconds(op.byMs)}`])) found.push(before);
  return found;
}
