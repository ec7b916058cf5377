/**
 * The states that a job may have been in when it was counted or the queue was purged, and whether a
 * `/retry` requeued it.
 */
import { precedes } from './pending-call.js';
import type { RuleSet } from './rule-set.js';
import { type Hypothesis, isFinished, type JobState } from './hypothesis.js';
import { BIT, isAmbiguous, setOf, type StateSet } from './state-set.js';
import type { ObservedJob } from './observed-job.js';
import type { JobModel } from './job-model.js';
import { type JobOperation, statesDuring } from './operations.js';
import { ENDED, TTL_START, QUEUED, STARTED } from './zone.js';
import type { CallEvent } from '../../history/events.js';

/**
 * The states that the job may have been in while it was counted, or when the queue was purged. `sinceMs`:
 * the earliest instant of the count; `goneByMs`: when the job was no longer found.
 */
export function statesAt(
  rules: RuleSet,
  model: JobModel,
  op: JobOperation,
  after: readonly Hypothesis[],
  sinceMs: number,
  goneByMs: number,
): StateSet {
  let states: StateSet = 0;
  for (const at of after)
    states |=
      op.kind === 'purge' ? stateAtPurge(at, op) : statesSince(rules, model, at, op.byMs, sinceMs, goneByMs);
  return states;
}

/** It was waiting in the hypotheses in which the purge removed it. */
function stateAtPurge({ purgedBy, state }: Hypothesis, { call }: JobOperation): StateSet {
  if (purgedBy === call) return BIT.queued;
  return state === 'queued' ? BIT.deleted : BIT[state];
}

/** Whether a `/retry` requeued the job; null where that is uncertain. */
export function hasRequeued(
  job: ObservedJob,
  op: JobOperation,
  after: readonly Hypothesis[],
): boolean | null {
  if (op.answer === 'refused') return false;
  // Of overlapping retries another one may have requeued it since, or instead of this one.
  const others = job.operations.filter((one) => one.kind === 'retry' && one.answer !== 'refused');
  if (others.some((other) => other !== op && !precedes(other, op) && !precedes(op, other))) return null;
  const effects = new Set(after.map((at) => at.lastRetry === op.call));
  return effects.size === 1 ? effects.has(true) : null;
}

/**
 * The states of the job from `sinceMs` to `byMs`, if `at` is true. `goneByMs`: when it was no longer found;
 * Infinity where it was not read.
 */
function statesSince(
  rules: RuleSet,
  model: JobModel,
  at: Hypothesis,
  byMs: number,
  sinceMs: number,
  goneByMs: number,
): StateSet {
  let states = statesDuring(rules, model, at, { fromMs: sinceMs, byMs });
  let state = at.state;
  if (state === 'deleted') {
    if (Math.min(goneByMs, deletedByMs(rules, at)) < sinceMs) return states;
    state = at.previousState ?? 'queued';
    states |= BIT[state];
  }
  if (isFinished(state)) {
    if (endedByMs(at, state) < sinceMs) return states;
    const isCancelled = state === 'cancelled';
    state = state === 'purged' || (isCancelled && at.previousState === 'queued') ? 'queued' : 'running';
    states |= BIT[state];
    // The state that a job was cancelled in is lost when its record is deleted.
    if (isCancelled && at.state === 'deleted') states |= BIT.queued;
    else if (isCancelled && at.previousState !== null) states |= BIT[at.previousState];
  }
  if (mayDie(model, at)) states |= LIVE;
  if (state === 'running' && at.zone.latest(STARTED) >= sinceMs) {
    state = 'queued';
    states |= BIT.queued;
  }
  if (state === 'queued' && at.retries > 0 && at.zone.latest(QUEUED) >= sinceMs) states |= BEFORE_RETRY;
  return states;
}

const LIVE = setOf(['queued', 'running']);
/** A requeued job may still have been running, or ended without success. */
const BEFORE_RETRY = setOf(['failed', 'timed-out', 'running']);

function deletedByMs(rules: RuleSet, { deletedBy, previousState, zone, policy }: Hypothesis): number {
  if (deletedBy === 'ttl') return zone.latest(TTL_START) + (policy.ttlMs ?? Infinity) + rules.graceMs;
  return previousState === 'completed' ? zone.latest(ENDED) + policy.keptAtMostMs + rules.graceMs : Infinity;
}

/** The time of a purge is known only from the call. */
function endedByMs({ zone, purgedBy }: Hypothesis, state: JobState): number {
  return state === 'purged' ? (purgedBy?.receivedMs ?? Infinity) : zone.latest(ENDED);
}

/** Its worker may have crashed, so that it waited again between two reads or before the first. */
function mayDie(model: JobModel, { runs }: Hypothesis): boolean {
  for (let run = 0; run <= Math.min(runs, 3); run += 1)
    if (model.predicted(run).outcome === 'crash') return true;
  return false;
}

type StatesAtCounts = Map<number, StateSet>;

const LIVE_STATES = { IN_QUEUE: 'queued', IN_PROGRESS: 'running' } as const;

/**
 * Narrows the states at each count by the reads before and after it. `sinceMs`: the earliest instant of the
 * count.
 */
export function narrowByReads(
  job: ObservedJob,
  statesAtCounts: StatesAtCounts,
  sinceMs: (count: CallEvent) => number,
): void {
  const { operations, model } = job;
  if (!operations.some(isStatusRead)) return;
  for (const healthRead of operations) {
    const states = healthRead.kind === 'health' ? statesAtCounts.get(healthRead.call!.call) : undefined;
    if (states === undefined || !isAmbiguous(states)) continue;
    const fromMs = sinceMs(healthRead.call!);
    const before = operations.findLast(
      (op) => isStatusRead(op) && precedes(op, healthRead) && op.byMs <= fromMs,
    );
    const after = operations.find((op) => isStatusRead(op) && precedes(healthRead, op));
    if (before === undefined || after === undefined || before.observed !== after.observed) continue;
    if (operations.some((op) => isChange(op) && !precedes(op, before) && !precedes(after, op))) continue;
    const state = LIVE_STATES[before.observed as keyof typeof LIVE_STATES] as JobState | undefined;
    if (state === undefined) {
      statesAtCounts.set(healthRead.call!.call, states & ~BIT.deleted);
      continue;
    }
    const retries = operations.filter((op) => op.kind === 'retry' && precedes(op, before)).length;
    const mayDie = [0, 1, retries].some((run) => model.predicted(run).outcome === 'crash');
    if (!mayDie && (states & BIT[state]) !== 0) statesAtCounts.set(healthRead.call!.call, BIT[state]);
  }
}

const isStatusRead = ({ kind, answer, observed }: JobOperation): boolean =>
  kind === 'status' && answer === 'ok' && observed !== null;

const isChange = ({ kind }: JobOperation): boolean =>
  kind === 'retry' || kind === 'cancel' || kind === 'purge';
