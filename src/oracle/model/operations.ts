/** What an answered, refused or unanswered operation says of one job's life, hypothesis by hypothesis. */
import type { CallEvent } from '../../history/events.js';
import { RUN_RETENTION_MS, TTL_DEFAULT_MS, TTL_MAX_MS, TTL_MIN_MS } from '../../spec/limits.js';
import type { JobStatus } from '../../spec/types.js';
import { seconds, type Answer } from '../observed/recorded-call.js';
import type { RuleSet } from './rule-set.js';
import {
  fork,
  isFinished,
  isReportedAsFailed,
  JOB_STATES,
  STATES_WITH_RECORD,
  DOCUMENT_STATES,
  type MutableHypothesis,
  type Hypothesis,
  type JobState,
  type EffectivePolicy,
} from './hypothesis.js';

import type { JobModel } from './job-model.js';
import { satisfiesInvariants, timeoutsAsCancelled, transitionsTo } from './silent-transitions.js';
import { CANCEL, PURGE, RETRY, STATUS_TTL, STREAM_OF_DELETED, WEBHOOK } from './lifecycle-calls.js';
import { requirementOf, type CallEffects } from './lifecycle-rows.js';
import { withReportedTimes } from './reported-times.js';
import { RUN_COUNT_UNKNOWN } from '../observed/worker-prediction.js';
import { ENDED, TTL_START, QUEUED, STARTED, SUBMITTED, ZERO, type Zone } from './zone.js';

/** One observation of a job, or one call that may have changed it. */
export interface JobOperation {
  readonly kind: 'reply' | 'status' | 'stream' | 'cancel' | 'retry' | 'purge' | 'webhook' | 'health';
  /** It took effect between these instants. */
  readonly fromMs: number;
  readonly byMs: number;
  readonly sentTick: number | null;
  readonly endedTick: number | null;
  readonly answer: Answer;
  /** HTTP status; 0 where there was none. */
  readonly code: number;
  /** The job status that the answer shows. */
  readonly observed: JobStatus | null;
  readonly call: CallEvent | null;
  /** `?ttl=` of `/status`, ms; null where none was sent, NaN where it is no count. */
  readonly ttlMs: number | null;
  /**
   * After a `/retry` it shows a failure or a timeout that tells nothing else than what was seen before that call, or nobody had
   * looked: it may be that of a second run like the first, or there was none.
   */
  readonly isAsBeforeRetry: boolean;
}

/** Where a job may be when its status reads so. An overrun may be told as FAILED, a purge as CANCELLED. */
export const STATES_BY_STATUS: { readonly [status in JobStatus]: readonly JobState[] } = {
  IN_QUEUE: ['queued'],
  IN_PROGRESS: ['running'],
  COMPLETED: ['completed'],
  FAILED: ['failed', 'timed-out', 'purged'],
  TIMED_OUT: ['timed-out'],
  CANCELLED: ['cancelled', 'purged'],
};

/** Everything that may be true after the operation, where `before` was true. Empty: the two contradict. */
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

/** The places at which the job may have been at some instant of the operation. */
export function statesDuring(
  rules: RuleSet,
  model: JobModel,
  before: Hypothesis,
  op: JobOperation,
): readonly JobState[] {
  return JOB_STATES.filter((state) => observedIn(rules, model, before, state, op).length > 0);
}

/** The job is at `place` at some instant of the operation. */
function observedIn(
  rules: RuleSet,
  model: JobModel,
  before: Hypothesis,
  state: JobState,
  op: JobOperation,
): MutableHypothesis[] {
  return stillIn(rules, model, transitionsTo(rules, model, before, state, op.byMs), state, op);
}

function stillIn(
  rules: RuleSet,
  model: JobModel,
  found: MutableHypothesis[],
  state: JobState,
  op: JobOperation,
): MutableHypothesis[] {
  let kept = 0;
  for (const there of found) {
    if (state !== 'deleted' && !satisfiesInvariants(rules, model, there, op.fromMs, op.byMs)) continue;
    commit(there, op);
    found[kept] = there;
    kept += 1;
  }
  if (kept < found.length) found.length = kept;
  return found;
}

function commit(at: MutableHypothesis, { call, fromMs }: JobOperation): void {
  const { milestones } = at;
  if (call !== null) {
    if (at.state === 'queued') at.milestones = { ...milestones, lastQueued: call };
    else if (at.state === 'running')
      at.milestones = { ...milestones, firstStarted: milestones.firstStarted ?? call, lastRunning: call };
    // A look shows the end better than a call that came too late.
    else if (milestones.ended === null || (milestones.ended.op !== 'status' && call.op === 'status'))
      at.milestones = { ...milestones, ended: call };
  }
  // Being gone tells nothing of when it went.
  if (at.state !== 'deleted' && fromMs > at.notBeforeMs) at.notBeforeMs = fromMs;
}

function afterStatus(rules: RuleSet, model: JobModel, before: Hypothesis, op: JobOperation): Hypothesis[] {
  if (op.answer === 'ok' && op.observed !== null) {
    const states = STATES_BY_STATUS[op.observed];
    const timed =
      states.length === 1
        ? observedWithTimes(rules, model, before, states[0]!, op)
        : states.flatMap((state) => observedWithTimes(rules, model, before, state, op));
    if (op.isAsBeforeRetry) timed.push(...retryNotVisibleYet(rules, model, before, op));
    return op.ttlMs === null || op.kind === 'reply'
      ? timed
      : timed.flatMap((one) => withNewTtl(rules, one, op, op.ttlMs!));
  }
  if (op.code === 404 && op.kind === 'status')
    return [...notFound(rules, model, before, op), ...deletedByNewTtl(rules, model, before, op)];
  // Its answer was lost; the lifespan it gave may hold all the same.
  if (op.answer === 'unknown' && op.ttlMs !== null && before.state !== 'deleted')
    return [before, ...withNewTtl(rules, before, op, op.ttlMs)];
  return [before];
}

/** The job is at `place`, and the times that were told with it fit. */
function observedWithTimes(
  rules: RuleSet,
  model: JobModel,
  before: Hypothesis,
  state: JobState,
  op: JobOperation,
): Hypothesis[] {
  const seen = observedIn(rules, model, before, state, op);
  if (seen.length === 0 || state === 'queued' || state === 'running') return seen;
  return seen.length === 1
    ? withReportedTimes(rules, seen[0]!, op)
    : seen.flatMap((at) => withReportedTimes(rules, at, op));
}

/** Where a retried job may be while what is shown is its state before the retry. */
const STATES_BEHIND_OLD_RECORD: readonly JobState[] = [
  'queued',
  'running',
  'completed',
  'failed',
  'timed-out',
];

/** The retry is not to be seen: what is shown is the job's state before it. */
function retryNotVisibleYet(
  rules: RuleSet,
  model: JobModel,
  before: Hypothesis,
  op: JobOperation,
): Hypothesis[] {
  const { retriedFrom, state } = before;
  if (retriedFrom === null || (state !== 'queued' && state !== 'running')) return [];
  const say = (): readonly string[] => ['the record is that of before the retry'];
  // Nothing is nearer than that nothing has changed.
  if (!rules.exceeds(RETRY[retriedFrom].ids[0].id, 0, say)) return [];
  return STATES_BEHIND_OLD_RECORD.flatMap((each) => observedIn(rules, model, before, each, op));
}

/**
 * A 404: deleted, or cancelled, also by its executionTimeout, or purged, where the service shows those no more. It sees none of
 * these, so it dates none: whatever else found the job cancelled first leaves it the same.
 */
function notFound(rules: RuleSet, model: JobModel, before: Hypothesis, op: JobOperation): Hypothesis[] {
  if (before.state === 'cancelled' || before.state === 'purged') return [before];
  const deleted = observedIn(rules, model, before, 'deleted', op);
  // What is deleted after it was cancelled is told by what is cancelled and may still be deleted.
  const told =
    before.state === 'deleted'
      ? deleted
      : deleted.filter(({ previousState }) => previousState !== 'cancelled');
  return [...told, ...timeoutsAsCancelled(rules, model, before, op.byMs)];
}

/**
 * A lifespan that counts from the submission may be over when it is set. Then this very call no longer finds the job,
 * which went now and not when the lifespan would have ended.
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

/** The lifespan that the call set is over while it is under way. Narrows the zone. */
function isOverNow(zone: Zone, { fromMs, byMs }: JobOperation, ttlMs: number): boolean {
  zone.free(TTL_START);
  return (
    zone.constrain(SUBMITTED, TTL_START, 0) &&
    zone.constrain(TTL_START, ZERO, byMs - ttlMs) &&
    zone.constrain(ZERO, TTL_START, ttlMs - fromMs)
  );
}

/** The operation took effect no sooner than what had been seen by then. */
const notBeforeMs = (at: Hypothesis, { fromMs }: JobOperation): number => Math.max(fromMs, at.notBeforeMs);

/** `/status?ttl=` sets the job's lifespan; whether it counts from now or from the submission is open. */
function withNewTtl(rules: RuleSet, at: Hypothesis, op: JobOperation, ttlMs: number): Hypothesis[] {
  // Where `-1` was not refused, it may stand for the least, for the default, or for nothing.
  if (Number.isNaN(ttlMs)) return [at, fork(at, { policy: keptUntilTtl(policyWithTtl(at.policy, null)) })];
  const clamped = Math.min(Math.max(ttlMs, TTL_MIN_MS), TTL_MAX_MS);
  const found: Hypothesis[] = [];
  for (const value of clamped === ttlMs ? [ttlMs] : [ttlMs, clamped, TTL_DEFAULT_MS]) {
    // Whether it can prolong a retention is open.
    const policy = keptUntilTtl(policyWithTtl(at.policy, value));
    const fromSubmission = fork(at, { policy });
    fromSubmission.zone.free(TTL_START);
    fromSubmission.zone.assign(TTL_START, SUBMITTED);
    const fromNow = fork(at, { policy });
    fromNow.zone.free(TTL_START);
    if (
      fromNow.zone.constrain(TTL_START, ZERO, op.byMs) &&
      fromNow.zone.constrain(ZERO, TTL_START, -notBeforeMs(at, op))
    )
      found.push(fromNow);
    found.push(fromSubmission);
  }
  // Whether it means anything for an ended job is open.
  const ignorable = clamped !== ttlMs || isFinished(at.state);
  if (ignorable || rules.permits(STATUS_TTL, () => [`/status?ttl=${ttlMs} was answered with success`]))
    found.push(at);
  return found;
}

/** What a job was promised first, by what it was promised later. */
const originalPolicies = new WeakMap<EffectivePolicy, EffectivePolicy>();
const derivedPolicies = new WeakMap<EffectivePolicy, Map<string, EffectivePolicy>>();

/** The same terms with others in two places; one value for the same terms, so that hypotheses can be compared. */
function policyWith(policy: EffectivePolicy, ttlMs: number | null, keptAtMostMs: number): EffectivePolicy {
  const first = originalPolicies.get(policy) ?? policy;
  for (const known of [policy, first])
    if (known.ttlMs === ttlMs && known.keptAtMostMs === keptAtMostMs) return known;
  let later = derivedPolicies.get(first);
  if (later === undefined) derivedPolicies.set(first, (later = new Map()));
  const key = `${ttlMs} ${keptAtMostMs}`;
  let changed = later.get(key);
  if (changed === undefined) {
    later.set(key, (changed = { ...first, ttlMs, keptAtMostMs }));
    originalPolicies.set(changed, first);
  }
  return changed;
}

const policyWithTtl = (policy: EffectivePolicy, ttlMs: number | null): EffectivePolicy =>
  policyWith(policy, ttlMs, policy.keptAtMostMs);

/** The same terms, with a result that may stay as long as its job. */
const keptUntilTtl = (policy: EffectivePolicy): EffectivePolicy => policyWith(policy, policy.ttlMs, Infinity);

/** After a retry the result of a `/runsync` job may be kept as that of `/run`. */
const keptAsRun = (policy: EffectivePolicy): EffectivePolicy =>
  policyWith(policy, policy.ttlMs, Math.max(policy.keptAtMostMs, RUN_RETENTION_MS));

/** How often a job can be retried is open, but more than once it can. */
const RETRIES_CERTAIN = 2;

/** A call on the job, by what it has to do where it finds the job: `effect`, nothing, or `elsewhere` what is not shown. */
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
  for (const state of JOB_STATES) {
    const row = rows[state];
    for (const at of observedIn(rules, model, before, state, op)) {
      if (row === undefined) {
        found.push(...elsewhere(at));
        continue;
      }
      const must = row.how === 'must';
      if (must && answer !== 'refused') found.push(...effect(at));
      const isOften = op.kind === 'retry' && at.retries >= RETRIES_CERTAIN;
      const isOpen = must ? answer === 'unknown' || (answer === 'refused' && isOften) : answer !== 'ok';
      const say = (): readonly string[] => [`the job was ${DOCUMENT_STATES[state]}`];
      if (isOpen || rules.permits(requirementOf(row.ids, model, at), say)) found.push(at);
    }
  }
  return found;
}

function afterCancel(rules: RuleSet, model: JobModel, before: Hypothesis, op: JobOperation): Hypothesis[] {
  const saidFinished = op.observed === 'COMPLETED' || op.observed === 'FAILED' || op.observed === 'TIMED_OUT';
  const effect = (at: Hypothesis): readonly Hypothesis[] => (saidFinished ? [] : cancelled(at, op));
  return afterCall(rules, model, before, op, CANCEL, effect, (at) => {
    if (op.answer === 'refused') return [at];
    const wronglyAccepted = { ...at, wronglyAccepted: 'cancel' } as const;
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
      return [{ ...at, wronglyAccepted: 'retry' }, ...(isRevived ? revived(at, op) : [])];
    },
  );
}

/** An answer that tells nothing may have come before the effect; a call without any has its effect when it is its turn. */
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
  const runs = started ? at.runs + 1 : at.runs;
  return possible ? [fork(at, { state: 'cancelled', zone, runs, previousState: at.state })] : [];
}

/** So many runs that nothing is foreseen of the next: it need not have run before. */
function revived(at: Hypothesis, op: JobOperation): Hypothesis[] {
  return requeued(at, op).map((one) => ({ ...one, runs: RUN_COUNT_UNKNOWN, retries: RUN_COUNT_UNKNOWN }));
}

/** Back in the queue. Whether the ttl goes on or starts anew with a retry, the document does not say. */
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
  const change = {
    state: 'queued',
    lastRetry: op.call,
    retriedFrom: at.state === 'timed-out' ? 'timed-out' : 'failed',
    runs: at.runs + 1,
    retries: at.retries + 1,
    priorRunsMs: at.priorRunsMs + Math.max(0, ranMs),
    policy: keptAsRun(at.policy),
    unit: null,
    milestones: { ...at.milestones, lastQueued: op.call, firstStarted: null, lastRunning: null, ended: null },
  } as const;
  const goesOn = fork(at, { ...change, zone });
  const startsAnew = fork(at, { ...change, zone: zone.copy() });
  startsAnew.zone.free(TTL_START);
  startsAnew.zone.assign(TTL_START, QUEUED);
  return [goesOn, startsAnew];
}

function afterPurge(rules: RuleSet, model: JobModel, before: Hypothesis, op: JobOperation): Hypothesis[] {
  if (op.answer === 'refused' || (before.state !== 'queued' && before.state !== 'running')) return [before];
  const say = (): readonly string[] => [`/purge-queue between ${seconds(op.fromMs)} and ${seconds(op.byMs)}`];
  const found: Hypothesis[] = [];
  const running = before.state === 'running';
  if (running) {
    found.push(before);
    if (rules.permits(PURGE.running.ids[0].id, say))
      found.push(fork(before, { state: 'purged', purgedBy: op.call }));
    // Its worker may have died, so that it waits again.
    if (model.predicted(before.runs).outcome !== 'crash') return found;
  }
  for (const waiting of observedIn(rules, model, before, 'queued', op)) {
    const zone = waiting.zone.copy();
    zone.free(ENDED);
    zone.constrain(ZERO, ENDED, -notBeforeMs(waiting, op));
    if (!mayTakeEffectLater(op)) zone.constrain(ENDED, ZERO, op.byMs);
    found.push(fork(waiting, { state: 'purged', zone, purgedBy: op.call }));
    if (op.answer !== 'unknown' && rules.permits(PURGE.queued.ids[0].id, say)) found.push(waiting);
  }
  if (running) return found;
  // It may have come before the job did, or not at all.
  if (op.answer === 'unknown') return [before, ...found];
  for (const state of ['running', 'deleted'] as const)
    found.push(...transitionsTo(rules, model, before, state, op.byMs));
  return found;
}

/** Chunks of a job that is gone must not be had any more; what a stream answers else is judged elsewhere. */
function afterStream(rules: RuleSet, before: Hypothesis, op: JobOperation): Hypothesis[] {
  const { ttlMs } = before.policy;
  if (op.answer !== 'ok' || ttlMs === null || before.state === 'cancelled' || before.state === 'purged')
    return [before];
  const say = (): readonly string[] => [
    `submitted not after ${seconds(before.zone.latest(TTL_START))}, ttl ${seconds(ttlMs)}`,
    `but /stream answered with success at ${seconds(op.fromMs)}`,
  ];
  const at = fork(before);
  const rule = STREAM_OF_DELETED;
  const graceMs = rules.graceAt(op.fromMs);
  return rules.bound(rule, at.zone, ZERO, TTL_START, -(op.fromMs - ttlMs - graceMs), say, graceMs)
    ? [at]
    : [];
}

/** A webhook tells that the job had ended by then, or been deleted: whether it should have been called then is asked elsewhere. */
function afterWebhook(rules: RuleSet, model: JobModel, before: Hypothesis, op: JobOperation): Hypothesis[] {
  if (before.state !== 'queued' && before.state !== 'running') return [before];
  const found: Hypothesis[] = [];
  for (const state of ['completed', 'failed', 'timed-out', 'deleted'] as const)
    found.push(...transitionsTo(rules, model, before, state, op.byMs));
  found.push(...timeoutsAsCancelled(rules, model, before, op.byMs));
  if (rules.permits(WEBHOOK, () => [`the webhook was called at ${seconds(op.byMs)}`])) found.push(before);
  return found;
}
