/**
 * Which requirements an explained observation decided in the target's favour, by the rows of the life-cycle: those that a
 * target which broke them would have been caught by here.
 */
import type { Decided } from './decided.js';
import { type Hypothesis, isOverrun, type Place } from './hypothesis.js';
import { describeCall } from '../observed/reading.js';
import { CALL_DECISIONS, EXPIRED, RECORD_DECISIONS, RETRY_DECISIONS } from './lifecycle-calls.js';
import { isRetentionOver, isTtlOver, TIMERS } from './lifecycle.js';
import { agreed, type Condition, every, isRemoved, type Look, waitedAtLeastMs } from './look.js';
import { type Decisions, requirementOf, type Variant } from './rows.js';
import { ENDED, LIFE, STARTED } from './zone.js';

interface Group extends Decisions {
  /** Decided by any record, also one that may be of before a retry. */
  readonly isOfRecord: boolean;
  readonly tooLate: readonly Variant[];
  readonly tooEarly: readonly Variant[];
}

const NO_BOUNDS = { isOfRecord: false, tooLate: [], tooEarly: [] } as const;
const GROUPS: readonly Group[] = [
  ...RECORD_DECISIONS.map((one) => ({ ...one, ...NO_BOUNDS, isOfRecord: true })),
  ...CALL_DECISIONS.map((one) => ({ ...one, ...NO_BOUNDS })),
  ...TIMERS.flatMap(({ decides, tooLate, tooEarly }) =>
    decides.map((one) => ({ ...one, isOfRecord: false, tooLate, tooEarly })),
  ),
];

/** By the state that looks show, or in which they do not find the job. */
const groupsBy = (of: 'shown' | 'notFound'): ReadonlyMap<Place, readonly Group[]> => {
  const found = new Map<Place, Group[]>();
  for (const group of GROUPS)
    for (const place of group[of] ?? []) found.set(place, [...(found.get(place) ?? []), group]);
  return found;
};
const SHOWN = groupsBy('shown');
const NOT_FOUND = groupsBy('notFound');

/** Counts, in `decided`, what the look decides, and how late it shows timers to be. */
export function decide(decided: Decided, look: Look): void {
  const { op } = look;
  if (op.call !== null && op.kind !== 'reply') otherThan404(decided, look);
  if (op.kind === 'status' || op.kind === 'reply') {
    if (op.answer === 'ok' && op.shows !== null) shown(decided, look);
    else if (op.code === 404) byRows(decided, look, 'notFound', NOT_FOUND);
  } else if (op.kind === 'cancel') cancelled(decided, look);
  else if (op.kind === 'retry') retried(decided, look);
  if (op.kind === 'status') measureLateness(decided, look);
}

function shown(decided: Decided, look: Look): void {
  afterRetry(decided, look);
  byRows(decided, look, 'shown', SHOWN);
  if (look.op.isAsBeforeRetry) return;
  if (every(look.after, isOverrun)) overran(decided, look);
  measured(decided, look);
}

function byRows(
  decided: Decided,
  look: Look,
  of: 'shown' | 'notFound',
  groups: ReadonlyMap<Place, readonly Group[]>,
): void {
  const { after, op } = look;
  const [first] = after;
  if (first === undefined) return;
  for (const group of groups.get(first.place) ?? []) {
    // What looks like the end before a retry may be that end.
    if (op.isAsBeforeRetry && !group.isOfRecord) continue;
    if (!areAllAt(group[of]!, after) || !holds(group.if, look)) continue;
    for (const [id, when] of group.ids) {
      if (!holds(when, look)) continue;
      if (id !== 'tooLate' && id !== 'tooEarly') decided.pass(id);
      else passBound(decided, look, group[id]);
    }
  }
}

function areAllAt(places: readonly Place[], after: readonly Hypothesis[]): boolean {
  for (const { place } of after) if (!places.includes(place)) return false;
  return true;
}

/** By every explanation that the look has left. */
function holds(condition: Condition | undefined, look: Look): boolean {
  if (condition !== undefined) for (const at of look.after) if (!condition(at, look)) return false;
  return true;
}

/** Passes the requirement of a bound: where explanations name several, none of them is decided. */
function passBound(decided: Decided, { job, after }: Look, bound: readonly Variant[]): void {
  const id = agreed(after, (at) => {
    const place = isRemoved(at) ? at.goneFrom : at.place;
    return place === null ? null : requirementOf(bound, job.life, at, place);
  });
  if (id !== undefined && id !== null) decided.pass(id);
}

/** Its executionTimeout has ended it: in which state that is told is open. */
function overran(decided: Decided, { op, after }: Look): void {
  if (op.shows === 'TIMED_OUT') decided.observe('3/timed-out-state', 'TIMED_OUT');
  // Before a time that is not known anything else may have cancelled it.
  else if (op.shows === 'CANCELLED' && every(after, ({ terms }) => terms.executionMs !== null))
    decided.observe('3/timed-out-state', 'CANCELLED');
  // `/status` may have another name for it: the record of the call that waited has its own.
  else if (op.shows === 'FAILED' && op.kind === 'reply') decided.observe('3/timed-out-state', 'FAILED');
}

const UNIT_NAMES = { s: 'seconds', ms: 'milliseconds', us: 'microseconds', ns: 'nanoseconds' } as const;

/** Section 2.4: what the two times of a record tell, where it waited and ran long enough to tell them apart. */
function measured(decided: Decided, { ctx, job, op, after }: Look): void {
  if (op.call === null || !every(after, ({ place, runs }) => place === 'completed' && runs === 0)) return;
  const graceMs = ctx.graceAt(job.submittedFromMs, op.byMs);
  const ranMs = ({ zone }: Hypothesis): number => -zone.bound(STARTED, ENDED);
  const waited = every(after, (at) => waitedAtLeastMs(at) > 3 * graceMs);
  const ran = every(after, (at) => ranMs(at) > 3 * graceMs);
  if (waited) {
    decided.pass('2.4/delay-time-measures-waiting');
    decided.pass('2.4/execution-time-excludes-waiting');
  }
  if (ran) {
    decided.pass('2.4/execution-time-measures-run');
    decided.pass('2.4/delay-time-excludes-execution');
  }
  const unit = agreed(after, (at) => at.unit);
  if (unit === undefined || unit === null) return;
  if (waited && ran) decided.pass('2.4/times-same-unit');
  // In a finer unit than it seems, a shorter time would be within the grace.
  if (every(after, (at) => Math.max(waitedAtLeastMs(at), ranMs(at)) > graceMs / 100))
    decided.observe('2.4/time-unit', UNIT_NAMES[unit]);
}

function cancelled(decided: Decided, { ctx, op, after }: Look): void {
  const isAnswer = ({ place, evidence }: Hypothesis): boolean =>
    place === 'cancelled' && evidence.ended === null;
  if (op.answer !== 'ok' || !every(after, isAnswer)) return;
  decided.pass('4/operation-cancel');
  if (op.byMs - op.fromMs <= ctx.graceMs && every(after, ({ goneFrom }) => goneFrom === 'progress'))
    decided.pass('4.5/returns-at-once');
}

const AS_BEFORE =
  'seen after the retry with the state, times and error of before: a second run like the first, or none';

function afterRetry(decided: Decided, look: Look): void {
  const { op, before, after } = look;
  if (!every(before, isUnseenSinceRetry) || !every(after, ({ retries }) => retries > 0)) return;
  for (const [id, when] of RETRY_DECISIONS) {
    if (!every(after, (at) => when(at, look))) continue;
    if (op.isAsBeforeRetry) decided.inconclusive(id, AS_BEFORE);
    else if (op.shows !== 'CANCELLED') decided.pass(id);
  }
}

const isUnseenSinceRetry = ({ lastRetry, evidence }: Hypothesis): boolean =>
  lastRetry !== null &&
  evidence.lastQueued === lastRetry &&
  evidence.firstStarted === null &&
  evidence.ended === null;

function retried(decided: Decided, look: Look): void {
  const { op, after } = look;
  const isRequeued = ({ place, meddled, retries }: Hypothesis): boolean =>
    place === 'queue' && meddled === null && retries > 0;
  if (op.answer === 'ok' && every(after, isRequeued)) decided.pass('4/operation-retry');
  const by = op.answer === 'refused' ? mustBeGone(look) : null;
  if (by === 'ttl') decided.pass('4.6/expired-by-ttl-not-retried');
  else if (by === 'retention') decided.pass('4.6/expired-result-not-retried');
}

/** Section 7: a job whose ttl or result expired is 404, whichever operation asks for it. */
function otherThan404(decided: Decided, look: Look): void {
  const { job, op, after } = look;
  if (op.kind !== 'status' && op.kind !== 'stream' && op.kind !== 'cancel' && op.kind !== 'retry') return;
  const by = mustBeGone(look);
  if (by === null || op.answer === 'unknown' || op.call!.request.illegal !== null) return;
  // A purge had removed it before its time was over: what is told of it then, is open for good.
  if (op.answer === 'refused' && after.some((at) => at.place === 'purged' || at.goneFrom === 'purged'))
    return;
  const [ttl, synchronous, asynchronous] = EXPIRED[op.kind];
  const id = by === 'ttl' ? ttl : job.life.sync ? synchronous : asynchronous;
  const kept = op.code === 404;
  decided.check(id, kept, op.call!, () => `${describeCall(op.call!)}; its ${by} was over`);
  if (kept && id === asynchronous) decided.pass(synchronous);
}

/** What must have deleted the job before the operation, wherever it was; null while that is uncertain. */
function mustBeGone(look: Look): 'ttl' | 'retention' | null {
  let by: 'ttl' | 'retention' = 'ttl';
  for (const at of look.after) {
    if (isTtlOver(at, look)) continue;
    const hasCompleted = at.place === 'completed' || (at.place === 'gone' && at.goneFrom === 'completed');
    if (!hasCompleted || !isRetentionOver(at, look)) return null;
    by = 'retention';
  }
  return look.after.length === 0 ? null : by;
}

/** How late the job's timers were seen to strike: alive after its deadline, or gone and ended after it. */
function measureLateness(decided: Decided, look: Look): void {
  const { op, before, after } = look;
  if (op.code === 404) {
    if (!every(before, ({ place }) => place === 'gone')) goneLate(decided, look);
    return;
  }
  if (op.shows === null || op.answer !== 'ok') return;
  const [first] = after;
  if (first !== undefined) {
    const { place, zone, terms } = first;
    if (terms.ttlMs !== null) decided.late('ttl', op.fromMs - zone.latest(LIFE) - terms.ttlMs, null);
    if (place === 'progress' && terms.executionMs !== null)
      decided.late('executionTimeout', op.fromMs - zone.latest(STARTED) - terms.executionMs, null);
    if (place === 'completed')
      decided.late('retention', op.fromMs - zone.latest(ENDED) - terms.keptAtMostMs, null);
    if (isOverrun(first) && terms.executionMs !== null && !every(before, (at) => at.place === place)) {
      const ranMs = zone.bound(ENDED, STARTED);
      decided.late(
        'executionTimeout',
        -zone.bound(STARTED, ENDED) - terms.executionMs,
        ranMs - terms.executionMs,
      );
    }
  }
  dispatchedLate(decided, look);
}

/** A first run, of which it is known by when a worker was free. */
function dispatchedLate(decided: Decided, { ctx, job, before, after }: Look): void {
  const { byMs } = job.life.startWindow;
  const first = after[0];
  if (byMs === Infinity || first === undefined || first.place === 'queue') return;
  if (!every(before, ({ place }) => place === 'queue') || !every(after, ({ runs }) => runs === 0)) return;
  const freeMs = byMs - ctx.graceMs;
  decided.late('dispatch', first.zone.earliest(STARTED) - freeMs, first.zone.latest(STARTED) - freeMs);
}

/** It had gone by the end of the call, and not before its deadline. */
function goneLate(decided: Decided, { op, after }: Look): void {
  const by = agreed(after, (at) => at.goneBy);
  if (by === undefined || by === null || !every(after, (at) => at.place === 'gone')) return;
  const dueMs = ({ zone, terms }: Hypothesis): number =>
    by === 'ttl'
      ? zone.earliest(LIFE) + (terms.ttlMs ?? Infinity)
      : zone.earliest(ENDED) + terms.keptAtLeastMs;
  const certain = by === 'ttl' || every(after, (at) => at.goneFrom === 'completed');
  const firstMs = Math.min(...after.map(dueMs));
  if (certain && Number.isFinite(firstMs)) decided.late(by, 0, op.byMs - firstMs);
}
