/**
 * Which requirements an explained observation decided in the target's favour: those that a target which broke
 * them would have been caught by here. An observation far from any deadline says nothing about the deadline.
 */
import type { RequirementId } from '../../spec/index.js';
import { EXECUTION_TIMEOUT_DEFAULT_MS, TTL_DEFAULT_MS } from '../../spec/limits.js';
import { isOverrun, type Hypothesis, type Place } from './hypothesis.js';
import { afterCancel, mustBeGone, notFound, otherThan404, outOfRange } from './gone-decisions.js';
import {
  everyBeyondDefault,
  everyBeyondGivenTtl,
  everyBeyondLimit,
  everyLongQueued,
  everyLongSubmitted,
  everyNearLimit,
  everyNearRetention,
  everyNearTimeout,
  everyNearTtl,
  everyOverrun,
} from './lengths.js';
import { RULES } from './rules.js';
import {
  agreed,
  every,
  everyAt,
  hasRetries,
  isFirstRun,
  isGone,
  isMeddledByRetry,
  placeOf,
  waitedAtLeastMs,
  type Seen,
} from './seen.js';
import { ENDED, LIFE, STARTED } from './zone.js';

export function decide(seen: Seen): void {
  const { op } = seen;
  if (op.call !== null && op.kind !== 'reply') otherThan404(seen);
  if (op.kind === 'status' || op.kind === 'reply') {
    if (op.answer === 'ok' && op.shows !== null) shown(seen);
    else if (op.code === 404) notFound(seen);
  } else if (op.kind === 'cancel') cancelled(seen);
  else if (op.kind === 'retry') retried(seen);
}

function shown(seen: Seen): void {
  const { decided, job, op, before, after } = seen;
  const { life } = job;
  const place = agreed(after, placeOf);
  if (op.kind === 'status') {
    decided.pass('4.3/shows-current-state');
    decided.pass(life.sync ? '3/submission-creates-job-runsync' : '3/submission-creates-job-run');
    decided.pass('4/operation-status');
  }
  outOfRange(seen, place);
  afterRetry(seen);
  if (place === undefined) return;
  stillThere(seen, place);
  if (op.isAsBeforeRetry) return;
  if (place === 'queue') queued(seen);
  else if (place === 'progress') running(seen);
  else if (place === 'cancelled' || place === 'purged') {
    if (every(after, isOverrun)) overran(seen);
    else afterCancel(seen);
  } else if (place === 'completed' || place === 'failed' || place === 'timed-out') {
    ended(seen, place);
    if (everyAt(before, place)) decided.pass(RULES.finishedIsFinal(place));
    if (place === 'completed' && every(before, isMeddledByRetry)) decided.pass('4.6/no-effect-on-completed');
  }
  if (every(after, hasRetries)) decided.pass('2.4/id-kept-across-retry');
  if (op.ttlMs !== null && op.kind === 'status' && op.ttlMs >= 10_000) decided.pass('4.3/ttl-accepted');
}

/** The job was still there close to the end of its ttl or its retention. */
function stillThere(seen: Seen, place: Place): void {
  const { decided, ctx, job, op, after } = seen;
  if (everyNearTtl(ctx, op, after)) {
    decided.pass(RULES.ttlNotEarly(job.life, place));
    if (every(after, (at) => at.terms.ttlMs !== job.terms[0]?.ttlMs)) decided.pass('4.3/ttl-not-at-once');
    if (everyBeyondGivenTtl(ctx, job, op, after)) decided.pass('4.3/ttl-lengthens-life');
  }
  if (place === 'completed') {
    if (everyNearRetention(ctx, op, after)) {
      decided.pass(RULES.retentionNotEarly(job.life));
      if (job.life.sync && job.life.waitGiven) decided.pass('4.1/wait-does-not-shorten-retention');
      if (every(after, hasRetries))
        decided.pass(job.life.sync ? '4.1/retention-after-retry' : '4.2/retention-after-retry');
    }
    // What counts from the submission would be over by now.
    if (everyLongSubmitted(ctx, op, after))
      decided.pass(job.life.sync ? '4.1/retention-from-completion' : '4.2/retention-from-completion');
  }
}

function queued(seen: Seen): void {
  const { decided, ctx, op, after } = seen;
  if (!after.some(hasRetries)) decided.pass('3/submission-starts-in-queue');
  if (everyLongQueued(ctx, op, after)) decided.pass('2.2/execution-timeout-not-in-queue');
  const { notBeforeMs } = seen.job.life.startWindow;
  if (every(after, isFirstRun) && op.fromMs <= notBeforeMs && notBeforeMs > seen.job.submittedByMs)
    decided.pass('1/waits-when-no-worker-free');
}

function running(seen: Seen): void {
  const { decided, ctx, job, op, before, after } = seen;
  decided.pass('3/start-moves-to-in-progress');
  if (every(after, isFirstRun)) started(seen);
  if (everyAt(before, 'progress')) decided.pass('3/no-return-to-queue');
  if (every(before, isMeddledByRetry)) decided.pass('4.6/no-effect-in-progress');
  if (everyNearTimeout(op, after)) decided.pass(RULES.executionNotEarly(job.life));
  if (everyBeyondDefault(ctx, op, after)) decided.pass('2.2/execution-timeout-long-run');
  if (everyLongQueued(ctx, op, after)) decided.pass('2.2/execution-timeout-full-after-queue');
  decided.pass('3/not-completed-before-handler-ends');
}

/** What a first run shows of the workers. */
function started({ decided, job }: Seen): void {
  const { startWindow, lowPriority } = job.life;
  if (startWindow.byMs < Infinity) {
    decided.pass(RULES.freeWorkerTakes(job.life));
    if (lowPriority) decided.pass('2.2/low-priority-job-runs');
  }
  decided.pass('1/no-more-jobs-in-progress-than-workers');
}

function ended(seen: Seen, place: 'completed' | 'failed' | 'timed-out'): void {
  const { decided, ctx, job, after } = seen;
  const { life } = job;
  const runs = agreed(after, runsOf);
  const plan = runs === undefined ? undefined : life.foreseen(runs);
  const at = after[0]!;
  if (plan !== undefined && plan.lastsMs !== null) {
    const { lastsMs, outcome } = plan;
    if (place === 'completed') {
      decided.pass(RULES.successCompletes(life, at));
      if (everyNearLimit(after, lastsMs)) decided.pass(RULES.executionNotEarly(life));
      if (everyBeyondLimit(ctx, after, lastsMs)) decided.pass('2.2/execution-timeout-full-after-queue');
      if (lastsMs > EXECUTION_TIMEOUT_DEFAULT_MS + ctx.graceMs)
        decided.pass('2.2/execution-timeout-long-run');
      if (lastsMs > TTL_DEFAULT_MS + ctx.graceMs) decided.pass('2.2/outlives-default');
      if (every(after, hasRetries)) decided.pass('4.6/keeps-input');
    } else if (place === 'failed' && (outcome === 'error' || outcome === 'crash'))
      decided.pass(RULES.errorFails(life, at, outcome));
  }
  if (life.startWindow.byMs < Infinity) decided.pass('1/every-job-is-processed');
  if (place !== 'timed-out' && everyAt(seen.before, place) && everyOverrun(ctx, seen.op, after))
    decided.pass('2.2/execution-timeout-not-after-end');
  if (place === 'timed-out') overran(seen);
  if (every(after, isFirstRun) && seen.op.call !== null) measured(seen, place);
}

/** Its executionTimeout has ended it, in whatever state. */
function overran({ decided, job, op, after }: Seen): void {
  const isLimited = every(after, ({ terms }) => terms.executionMs !== null);
  if (isLimited) decided.pass(RULES.executionEnforced(job.life, after[0]!));
  if (op.shows === 'TIMED_OUT') decided.observe('3/timed-out-state', 'TIMED_OUT');
  // Before a time that is not known anything else may have cancelled it.
  else if (op.shows === 'CANCELLED' && isLimited) decided.observe('3/timed-out-state', 'CANCELLED');
  // `/status` may have another name for it: the record of the call that waited has its own.
  else if (op.shows === 'FAILED' && op.kind === 'reply') decided.observe('3/timed-out-state', 'FAILED');
}

const runsOf = ({ runs }: Hypothesis): number => runs;
const UNIT_NAMES = { s: 'seconds', ms: 'milliseconds', us: 'microseconds', ns: 'nanoseconds' } as const;
const unitOf = ({ unit }: Hypothesis): Hypothesis['unit'] => unit;

function measured(seen: Seen, place: Place): void {
  if (place !== 'completed') return;
  const { decided, ctx, job, op, after } = seen;
  const graceMs = ctx.graceAt(job.submittedFromMs, op.byMs);
  const longMs = 3 * graceMs;
  // In a finer unit than it seems, a shorter time would be within the grace.
  const tellingMs = graceMs / 100;
  let waited = true;
  let ran = true;
  let told = true;
  for (const at of after) {
    waited &&= waitedAtLeastMs(at) > longMs;
    ran &&= -at.zone.bound(STARTED, ENDED) > longMs;
    told &&= Math.max(waitedAtLeastMs(at), -at.zone.bound(STARTED, ENDED)) > tellingMs;
  }
  if (waited) {
    decided.pass('2.4/delay-time-measures-waiting');
    decided.pass('2.4/execution-time-excludes-waiting');
  }
  if (ran) {
    decided.pass('2.4/execution-time-measures-run');
    decided.pass('2.4/delay-time-excludes-execution');
  }
  const unit = agreed(after, unitOf);
  if (unit !== undefined && unit !== null && waited && ran) decided.pass('2.4/times-same-unit');
  if (unit !== undefined && unit !== null && told) decided.observe('2.4/time-unit', UNIT_NAMES[unit]);
}

function cancelled(seen: Seen): void {
  const { decided, ctx, op, after } = seen;
  if (op.answer === 'ok' && every(after, (at) => at.place === 'cancelled' && at.evidence.ended === null)) {
    decided.pass('4/operation-cancel');
    if (op.byMs - op.fromMs <= ctx.graceMs && every(after, (at) => at.goneFrom === 'progress'))
      decided.pass('4.5/returns-at-once');
  }
}

const AS_BEFORE =
  'seen after the retry with the state, times and error of before: a second run like the first, or none';

/** The first look after a `/retry`: its answer alone proves nothing of what was done. */
function afterRetry({ decided, job, op, before, after }: Seen): void {
  if (!every(before, isUnseenSinceRetry) || !every(after, hasRetries)) return;
  const proven: RequirementId[] = [];
  const from = agreed(after, (at) => at.retriedFrom);
  if (from !== undefined && from !== null) proven.push(RULES.retryRequeues(from));
  if (job.life.sync) proven.push('4.6/retries-runsync-job');
  if (every(after, (at) => at.retries > 1)) proven.push('4.6/failed-again-can-be-retried');
  for (const id of proven)
    if (op.isAsBeforeRetry) decided.doubt(id, AS_BEFORE);
    else if (op.shows !== 'CANCELLED') decided.pass(id);
}

const isUnseenSinceRetry = ({ lastRetry, evidence }: Hypothesis): boolean =>
  lastRetry !== null &&
  evidence.lastQueued === lastRetry &&
  evidence.firstStarted === null &&
  evidence.ended === null;

function retried(seen: Seen): void {
  const { decided, ctx, op, after } = seen;
  if (
    op.answer === 'ok' &&
    every(after, (at) => at.place === 'queue' && at.meddled === null && hasRetries(at))
  )
    decided.pass('4/operation-retry');
  const by = mustBeGone(ctx, op, after);
  if (by !== null && op.answer === 'refused')
    decided.pass(by === 'ttl' ? '4.6/expired-by-ttl-not-retried' : '4.6/expired-result-not-retried');
}

/** How late the job's timers were seen to strike: alive after its deadline, or gone and ended after it. */
export function measureLateness(seen: Seen): void {
  const { decided, op, before, after } = seen;
  if (op.kind !== 'status') return;
  if (op.code === 404) {
    if (!every(before, isGone)) goneLate(seen);
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
    if (isOverrun(first) && terms.executionMs !== null && !everyAt(before, place)) {
      const ranMs = zone.bound(ENDED, STARTED);
      decided.late(
        'executionTimeout',
        -zone.bound(STARTED, ENDED) - terms.executionMs,
        ranMs - terms.executionMs,
      );
    }
  }
  dispatchedLate(seen);
}

/** A first run, of which it is known by when a worker was free. */
function dispatchedLate({ decided, ctx, job, before, after }: Seen): void {
  const { byMs } = job.life.startWindow;
  const first = after[0];
  if (byMs === Infinity || first === undefined || first.place === 'queue') return;
  if (!everyAt(before, 'queue') || !every(after, isFirstRun)) return;
  const freeMs = byMs - ctx.graceMs;
  decided.late('dispatch', first.zone.earliest(STARTED) - freeMs, first.zone.latest(STARTED) - freeMs);
}

/** It had gone by the end of the call, and not before its deadline. */
function goneLate({ decided, op, after }: Seen): void {
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
