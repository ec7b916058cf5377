/**
 * Which requirements an explained observation decides in the target's favour, by the rows of the
 * life-cycle: those whose violation would have shown here.
 */
import { TTL_DEFAULT_MS, TTL_MAX_MS } from '../../spec/limits.js';
import type { HeldDecisions } from './held-decisions.js';
import { type Hypothesis, JOB_STATES, wasEndedByTimeout, type JobState } from './hypothesis.js';
import { counterIn, describeCall } from '../observed/recorded-call.js';
import {
  CALL_DECISIONS,
  CANCEL,
  EXPIRED,
  RECORD_DECISIONS,
  RETRY,
  RETRY_DECISIONS,
} from './lifecycle/lifecycle-calls.js';
import { casesDecided } from './cases-decided.js';
import { statesDuring } from './operations.js';
import { statesIn } from './state-set.js';
import { isRetentionOver, isTtlOver, TIMERS } from './lifecycle/lifecycle.js';
import {
  areAllIn,
  commonValue,
  holdsInAll,
  isDeletedOrTimedOut,
  type Predicate,
  ranAtLeastMs,
  type StepContext,
  waitedAtLeastMs,
} from './conditions.js';
import { type CallEffects, isCaseInAll, type Row, type Timer } from './lifecycle/lifecycle-rows.js';
import { TIME_DECISIONS } from './reported-times.js';
import { sharpnessOf } from './sharpness.js';
import { ENDED, TTL_START, STARTED } from './zone.js';

interface SeenRow extends Row {
  /** The bound that is tested there; absent: none. */
  readonly of?: { readonly timer: Timer; readonly side: 'tooLate' | 'tooEarly' };
  /** Decided by any record, even one that may be of before a retry. */
  readonly isOfRecord: boolean;
}

const testsOf = (timer: Timer, side: 'tooLate' | 'tooEarly'): readonly Omit<SeenRow, 'isOfRecord'>[] =>
  timer[side].tested.map((sight) => ({ ...sight, cases: timer[side].cases, of: { timer, side } }));
const ROWS: readonly SeenRow[] = [
  ...RECORD_DECISIONS.map((row) => ({ ...row, isOfRecord: true })),
  ...[
    ...CALL_DECISIONS,
    ...TIME_DECISIONS,
    ...TIMERS.flatMap((timer) => [
      ...testsOf(timer, 'tooLate'),
      ...testsOf(timer, 'tooEarly'),
      ...timer.others,
    ]),
  ].map((row) => ({ ...row, isOfRecord: false })),
];

/** The rows by the state that an observation shows, or in which a job was not found. */
const rowsBy = (of: 'shown' | 'notFound'): ReadonlyMap<JobState, readonly SeenRow[]> =>
  new Map(JOB_STATES.map((state) => [state, ROWS.filter((row) => row[of]?.includes(state))]));
const SHOWN = rowsBy('shown');
const NOT_FOUND = rowsBy('notFound');

/** Records what the observation decides, and how late it shows timers to be. */
export function decide(decisions: HeldDecisions, step: StepContext): void {
  const { op } = step;
  decisions.by = op.call?.call ?? null;
  if (op.call !== null && op.kind !== 'reply') checkAnswerOfDeleted(decisions, step);
  if (op.kind === 'status' || op.kind === 'reply') {
    if (op.answer === 'ok' && op.observed !== null) shown(decisions, step);
    else if (op.code === 404 && !mayRemove(step)) byRows(decisions, step, 'notFound', NOT_FOUND);
  } else if (op.kind === 'cancel') cancelled(decisions, step);
  else if (op.kind === 'retry') retried(decisions, step);
  if (op.answer === 'unknown' && op.code > 0) answeredWithError(decisions, step);
  if (op.kind === 'status') measureLateness(decisions, step);
}

/** The ttl that the read itself sets may be over at once, and remove the job. One above the maximum may count as none. */
function mayRemove({ job, op: { ttlMs, byMs }, before }: StepContext): boolean {
  if (ttlMs === null || holdsInAll(before, isDeletedOrTimedOut)) return false;
  const leastMs = ttlMs > TTL_MAX_MS ? TTL_DEFAULT_MS : ttlMs;
  return !(byMs - job.submittedFromMs < leastMs);
}

function shown(decisions: HeldDecisions, step: StepContext): void {
  afterRetry(decisions, step);
  byRows(decisions, step, 'shown', SHOWN);
  if (step.op.isAsBeforeRetry) return;
  if (holdsInAll(step.after, wasEndedByTimeout)) overran(decisions, step);
  measured(decisions, step);
}

function byRows(
  decisions: HeldDecisions,
  step: StepContext,
  of: 'shown' | 'notFound',
  rows: ReadonlyMap<JobState, readonly SeenRow[]>,
): void {
  const { after, op } = step;
  const [first] = after;
  if (first === undefined) return;
  // Without closures: they would be most of what the judge allocates.
  for (const row of rows.get(first.state)!) {
    // What looks like the end before a retry may be that end.
    if (op.isAsBeforeRetry && !row.isOfRecord) continue;
    // The rows are those of the first one's state.
    if (after.length > 1 && !holdsInAll(after, isIn, row[of]!)) continue;
    if (row.if !== undefined && !holdsInAll(after, row.if, step)) continue;
    const sharpness = row.of === undefined ? null : sharpnessOf(row.of.timer, row.of.side, step);
    for (const one of row.cases)
      if (isCaseInAll(one, after, step)) {
        const instances = casesDecided(one[0], step);
        if (instances === null) decisions.pass(one[0], sharpness);
        else for (const instance of instances) decisions.pass(one[0], sharpness, instance);
      }
  }
}

const isIn: Predicate<readonly JobState[]> = ({ state }, states) => states.includes(state);

/** Ended by its `executionTimeout`; the state in which that is reported is open. */
function overran(decisions: HeldDecisions, { op, after }: StepContext): void {
  if (op.observed === 'TIMED_OUT') decisions.observe('3/timed-out-state', 'TIMED_OUT', op.call);
  // Anything else may have cancelled it before a timeout that is not known.
  else if (op.observed === 'CANCELLED' && holdsInAll(after, ({ policy }) => policy.executionMs !== null))
    decisions.observe('3/timed-out-state', 'CANCELLED', op.call);
  // `/status` may report another state than the record of the call that waited.
  else if (op.observed === 'FAILED' && op.kind === 'reply')
    decisions.observe('3/timed-out-state', 'FAILED', op.call);
}

const UNIT_NAMES = { s: 'seconds', ms: 'milliseconds', us: 'microseconds', ns: 'nanoseconds' } as const;

/** Section 2.4: in a finer unit a shorter time would be within the tolerance. */
function measured(decisions: HeldDecisions, { rules, job, op, after }: StepContext): void {
  const unit = commonValue(after, (at) => at.unit);
  if (unit === undefined || unit === null || op.call === null) return;
  const leastMs = rules.graceAt(job.submittedFromMs, op.byMs) / 100;
  const isCertain = (at: Hypothesis): boolean =>
    at.state === 'completed' && at.runs === 0 && Math.max(waitedAtLeastMs(at), ranAtLeastMs(at)) > leastMs;
  if (holdsInAll(after, isCertain)) decisions.observe('2.4/time-unit', UNIT_NAMES[unit], op.call);
}

function cancelled(decisions: HeldDecisions, { rules, op, after }: StepContext): void {
  const isAnswer = ({ state, milestones }: Hypothesis): boolean =>
    state === 'cancelled' && milestones.ended === null;
  if (op.answer !== 'ok' || !holdsInAll(after, isAnswer)) return;
  decisions.pass('4/operation-cancel');
  if (
    op.byMs - op.fromMs <= rules.graceMs &&
    holdsInAll(after, ({ previousState }) => previousState === 'running')
  )
    decisions.pass('4.5/returns-at-once');
}

const AS_BEFORE =
  'seen after the retry with the state, times and error of before: a second run like the first, or none';

function afterRetry(decisions: HeldDecisions, step: StepContext): void {
  const { op, before, after } = step;
  if (!holdsInAll(before, isUnseenSinceRetry) || !holdsInAll(after, ({ retries }) => retries > 0)) return;
  for (const one of RETRY_DECISIONS) {
    if (!isCaseInAll(one, after, step)) continue;
    if (op.isAsBeforeRetry) decisions.inconclusive(one[0], AS_BEFORE);
    else if (op.observed !== 'CANCELLED') decisions.pass(one[0]);
  }
}

const isUnseenSinceRetry = ({ lastRetry, milestones }: Hypothesis): boolean =>
  lastRetry !== null &&
  milestones.lastQueued === lastRetry &&
  milestones.firstStarted === null &&
  milestones.ended === null;

function retried(decisions: HeldDecisions, step: StepContext): void {
  const { op, after } = step;
  const isRequeued = ({ state, wronglyAccepted, retries }: Hypothesis): boolean =>
    state === 'queued' && wronglyAccepted === null && retries > 0;
  if (op.answer === 'ok' && holdsInAll(after, isRequeued)) decisions.pass('4/operation-retry');
  const by = op.answer === 'refused' ? certainDeletion(step) : null;
  if (by === 'ttl') decisions.pass('4.6/expired-by-ttl-not-retried');
  else if (by === 'retention') decisions.pass('4.6/expired-result-not-retried');
}

/** Whatever the state of the job was, the call had to be performed, and answered so. */
function answeredWithError(decisions: HeldDecisions, { rules, job, op, before }: StepContext): void {
  if (op.kind !== 'cancel' && op.kind !== 'retry') return;
  const rows: CallEffects = op.kind === 'cancel' ? CANCEL : RETRY;
  const id = commonValue(before, (at) => {
    const states = statesIn(statesDuring(rules, job.model, at, op));
    const isDue = states.every((state) => rows[state]?.how === 'must');
    return isDue ? (rows[at.state]?.cases.at(-1)?.[0] ?? null) : null;
  });
  if (id !== undefined && id !== null) decisions.serverError(id, op.call!, () => describeCall(op.call!));
}

/** Section 7: a job whose ttl or result has expired is 404 for every operation. */
function checkAnswerOfDeleted(decisions: HeldDecisions, step: StepContext): void {
  const { job, op, after } = step;
  if (op.kind !== 'status' && op.kind !== 'stream' && op.kind !== 'cancel' && op.kind !== 'retry') return;
  const by = certainDeletion(step);
  if (by === null || op.code === 0 || op.call!.request.illegal !== null) return;
  // Purged before it expired: how that is answered is open.
  if (op.answer !== 'ok' && after.some(mayHaveBeenPurged)) return;
  const [ttl, synchronous, asynchronous] = EXPIRED[op.kind];
  const id = by === 'ttl' ? ttl : job.model.sync ? synchronous : asynchronous;
  const kept = op.code === 404;
  const say = (): string => `${describeCall(op.call!)}; its ${by} was over`;
  if (op.answer === 'unknown') return decisions.serverError(id, op.call!, say);
  decisions.check(id, kept, op.call!, say);
  if (kept && id === asynchronous) decisions.pass(synchronous);
}

/** A purge removed it, and does not say that it removed none. */
const mayHaveBeenPurged = ({ state, previousState, purgedBy }: Hypothesis): boolean =>
  (state === 'purged' || previousState === 'purged') &&
  (purgedBy === null || counterIn(purgedBy, 'removed') !== 0);

/**
 * What has certainly deleted the job before the operation, whatever its state was; null while that is
 * uncertain.
 */
function certainDeletion(step: StepContext): 'ttl' | 'retention' | null {
  let by: 'ttl' | 'retention' = 'ttl';
  for (const at of step.after) {
    if (isTtlOver(at, step)) continue;
    const hasCompleted =
      at.state === 'completed' || (at.state === 'deleted' && at.previousState === 'completed');
    if (!hasCompleted || !isRetentionOver(at, step)) return null;
    by = 'retention';
  }
  return step.after.length === 0 ? null : by;
}

/** The observed lateness of timers: the job existed after its deadline, or was deleted or ended after it. */
function measureLateness(decisions: HeldDecisions, step: StepContext): void {
  const { rules, op, before, after } = step;
  if (op.code === 404) {
    if (!areAllIn(before, 'deleted')) goneLate(decisions, step);
    return;
  }
  if (op.observed === null || op.answer !== 'ok') return;
  const [first] = after;
  if (first !== undefined) {
    const { state, zone, policy } = first;
    const notYet = (timer: 'ttl' | 'executionTimeout' | 'retention', dueMs: number): void => {
      const lateMs = op.fromMs - dueMs;
      decisions.late(timer, lateMs, null, lateMs > 0 ? rules.graceAt(dueMs, op.fromMs) : 0);
    };
    if (policy.ttlMs !== null) notYet('ttl', zone.latest(TTL_START) + policy.ttlMs);
    if (state === 'running' && policy.executionMs !== null)
      notYet('executionTimeout', zone.latest(STARTED) + policy.executionMs);
    if (state === 'completed') notYet('retention', zone.latest(ENDED) + policy.keptAtMostMs);
    if (wasEndedByTimeout(first) && policy.executionMs !== null && !areAllIn(before, state)) {
      const ranMs = zone.bound(ENDED, STARTED);
      decisions.late(
        'executionTimeout',
        -zone.bound(STARTED, ENDED) - policy.executionMs,
        ranMs - policy.executionMs,
        rules.graceOf(zone, ENDED),
      );
    }
  }
  dispatchedLate(decisions, step);
}

/** A first run, if it is known when a worker was free. */
function dispatchedLate(decisions: HeldDecisions, { rules, job, before, after }: StepContext): void {
  const { byMs } = job.model.startWindow;
  const first = after[0];
  if (byMs === Infinity || first === undefined || first.state === 'queued') return;
  if (!areAllIn(before, 'queued') || !holdsInAll(after, ({ runs }) => runs === 0)) return;
  const freeMs = byMs - rules.graceMs;
  const [fromMs, toMs] = [first.zone.earliest(STARTED), first.zone.latest(STARTED)];
  decisions.late('dispatch', fromMs - freeMs, toMs - freeMs, rules.graceAt(freeMs, toMs));
}

/** Deleted by the end of the call, and not before its deadline. */
function goneLate(decisions: HeldDecisions, { rules, op, after }: StepContext): void {
  const by = commonValue(after, (at) => at.deletedBy);
  if (by === undefined || by === null || !holdsInAll(after, (at) => at.state === 'deleted')) return;
  const dueMs = ({ zone, policy }: Hypothesis): number =>
    by === 'ttl'
      ? zone.earliest(TTL_START) + (policy.ttlMs ?? Infinity)
      : zone.earliest(ENDED) + policy.keptAtLeastMs;
  const certain = by === 'ttl' || holdsInAll(after, (at) => at.previousState === 'completed');
  const firstMs = Math.min(...after.map(dueMs));
  if (certain && Number.isFinite(firstMs)) decisions.late(by, 0, op.byMs - firstMs, rules.graceMs);
}
