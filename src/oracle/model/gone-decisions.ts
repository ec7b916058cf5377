/** What an explained observation decided of jobs that were cancelled, purged or deleted, or must have been by then. */
import { describeCall } from '../observed/describe-call.js';
import {
  DAY_MS,
  EXECUTION_TIMEOUT_MAX_MS,
  EXECUTION_TIMEOUT_MIN_MS,
  TTL_MAX_MS,
  TTL_MIN_MS,
} from '../../spec/limits.js';
import { policyFieldOf, submissionOf } from '../observed/reading.js';
import type { Context } from './context.js';
import { isOverrun, type Hypothesis, type Place } from './hypothesis.js';
import { type JobCase } from './job.js';
import type { Operation } from './operations.js';
import { RULES } from './rules.js';
import { agreed, every, waitedAtLeastMs, type Seen } from './seen.js';
import { ENDED, LIFE, STARTED } from './zone.js';

/** Seen after its cancellation or purge, as CANCELLED or no longer found. */
export function afterCancel(seen: Seen): void {
  const { decided, ctx, job, op, after } = seen;
  const place = agreed(after, (at) => at.place);
  if (place === 'purged') {
    decided.pass('4.7/removes-all-waiting');
    if (every(after, (at) => op.fromMs > at.zone.latest(ENDED) + ctx.graceAt(op.fromMs)))
      decided.pass('4.7/purged-jobs-never-run');
    return;
  }
  // What its executionTimeout has ended proves no cancellation.
  if (place !== 'cancelled' || after.some(isOverrun)) return;
  decided.pass('3/cancelled-stays');
  if (job.life.sync) decided.pass('4.5/cancels-runsync-job');
  if (every(after, (at) => at.retries > 0)) decided.pass('4.5/cancels-retried-job');
  // Deleted by its ttl it may be, too; with any other answer the life itself would have failed.
  if (op.code === 404 && every(after, (at) => ttlOver(ctx, op, at)))
    decided.pass('2.2/ttl-removes-cancelled');
  if (every(after, (at) => at.meddled === 'retry')) decided.pass('4.6/no-effect-on-cancelled');
  const from = agreed(after, (at) => at.goneFrom);
  if (from === 'queue') {
    decided.pass('3/cancel-queued');
    if (every(after, (at) => op.fromMs > at.zone.latest(ENDED) + ctx.graceAt(op.fromMs)))
      decided.pass('3/cancelled-never-starts');
  } else if (from === 'progress') {
    decided.pass('3/cancel-running');
    const lasts = job.life.foreseen(0).lastsMs;
    const over = (at: Hypothesis): boolean =>
      lasts !== null && op.fromMs > at.zone.latest(ENDED) + lasts + ctx.graceAt(op.fromMs);
    if (every(after, over)) decided.pass('3/cancelled-never-completes');
  }
}

export function notFound(seen: Seen): void {
  const { decided, ctx, job, op, before, after } = seen;
  if (every(after, (at) => at.place === 'cancelled' || at.place === 'purged')) {
    afterCancel(seen);
    return;
  }
  if (!every(after, isRemoved)) return;
  const by = certainlyGoneBy(ctx, op, after);
  const from = agreed(after, (at) => at.goneFrom);
  if (by === 'ttl') {
    if (job.life.sync) decided.pass('2.2/ttl-removes-runsync');
    if (every(before, isRemoved)) decided.pass('2.2/ttl-stays-gone');
    if (every(after, (at) => at.retries > 0)) decided.pass('2.2/ttl-removes-retried');
    if (every(after, (at) => at.goneFrom === 'cancelled')) decided.pass('2.2/ttl-removes-cancelled');
    if (policyNumber(job, 'ttl') > TTL_MAX_MS) decided.pass('2.2/ttl-max-enforced');
    if (every(after, (at) => at.evidence.lastQueued !== null || at.evidence.firstStarted !== null))
      decided.pass('2.2/ttl-not-restarted-by-reading');
    if (every(after, (at) => at.terms.ttlMs !== job.terms[0]?.ttlMs)) decided.pass('4.3/ttl-shortens-life');
    else if (from !== undefined && from !== null) ttlStruck(seen, from);
  } else if (by === 'retention' && from === 'completed') {
    decided.pass(RULES.retentionEnds(job.life));
    if (every(after, (at) => at.evidence.ended !== null && at.evidence.ended !== op.call))
      decided.pass(
        job.life.sync ? '4.1/retention-not-restarted-by-reading' : '4.2/retention-not-restarted-by-reading',
      );
  }
}

/** It is not found; its executionTimeout may have made it CANCELLED, and those may be shown no more. */
const isRemoved = (at: Hypothesis): boolean =>
  at.place === 'gone' || (at.place === 'cancelled' && isOverrun(at));

function ttlStruck(seen: Seen, from: Place): void {
  const { decided, ctx, job, op, after } = seen;
  decided.pass(RULES.ttlRemoves(job.life, from));
  if (from === 'completed') decided.pass('2.2/ttl-not-restarted-by-completion');
  if (from !== 'progress') return;
  const lasts = job.life.foreseen(0).lastsMs;
  if (
    lasts !== null &&
    every(after, (at) => op.fromMs > at.zone.latest(STARTED) + lasts + ctx.graceAt(op.fromMs))
  )
    decided.pass('2.2/ttl-wins-over-completion');
  if (
    every(
      after,
      ({ terms }) => terms.executionMs !== null && terms.ttlMs !== null && terms.ttlMs < terms.executionMs,
    )
  )
    decided.pass('2.2/ttl-ends-before-execution-timeout');
  if (every(after, (at) => waitedAtLeastMs(at) > ctx.graceAt(op.fromMs)))
    decided.pass('2.2/ttl-starts-at-submission');
  if (every(after, (at) => waitedAtLeastMs(at) >= 2 * DAY_MS && at.terms.ttlMs === 7 * DAY_MS))
    decided.pass('2.2/ttl-seven-days-two-queued');
}

/** What must have deleted the job by the operation's beginning, lateness included; null while that is uncertain. */
function certainlyGoneBy(
  ctx: Context,
  op: Operation,
  hypotheses: readonly Hypothesis[],
): 'ttl' | 'retention' | null {
  // How long an unsuccessful job is kept is open: whatever deleted it, its ttl had to.
  const unsuccessful = every(hypotheses, ({ goneFrom }) => goneFrom === 'failed' || goneFrom === 'timed-out');
  const by = unsuccessful ? 'ttl' : agreed(hypotheses, (at) => (isOverrun(at) ? 'ttl' : at.goneBy));
  const overdue = ({ zone, terms, goneFrom }: Hypothesis): boolean => {
    if (by === 'ttl')
      return terms.ttlMs !== null && op.fromMs > zone.latest(LIFE) + terms.ttlMs + ctx.graceAt(op.fromMs);
    return (
      goneFrom === 'completed' && op.fromMs > zone.latest(ENDED) + terms.keptAtMostMs + ctx.graceAt(op.fromMs)
    );
  };
  return (by === 'ttl' || by === 'retention') && every(hypotheses, overdue) ? by : null;
}

const EXPIRED = {
  status: ['7/ttl-expired-status', '7/result-expired-status', '7/result-expired-run-status'],
  stream: ['7/ttl-expired-stream', '7/result-expired-stream', '7/result-expired-run-stream'],
  cancel: ['7/ttl-expired-cancel', '7/result-expired-cancel', '7/result-expired-run-cancel'],
  retry: ['7/ttl-expired-retry', '7/result-expired-retry', '7/result-expired-run-retry'],
} as const;

/** Section 7: a job whose ttl or result expired is 404, whichever operation asks for it. */
export function otherThan404(seen: Seen): void {
  const { decided, ctx, job, op, after } = seen;
  if (op.kind !== 'status' && op.kind !== 'stream' && op.kind !== 'cancel' && op.kind !== 'retry') return;
  const by = mustBeGone(ctx, op, after);
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

function ttlOver(ctx: Context, op: Operation, { zone, terms }: Hypothesis): boolean {
  return terms.ttlMs !== null && op.fromMs > zone.latest(LIFE) + terms.ttlMs + ctx.graceAt(op.fromMs);
}

function retentionOver(ctx: Context, op: Operation, { place, goneFrom, zone, terms }: Hypothesis): boolean {
  return (
    (place === 'completed' || (place === 'gone' && goneFrom === 'completed')) &&
    op.fromMs > zone.latest(ENDED) + terms.keptAtMostMs + ctx.graceAt(op.fromMs)
  );
}

/** What must have deleted the job before the operation, wherever it was; null while that is uncertain. */
export function mustBeGone(
  ctx: Context,
  op: Operation,
  hypotheses: readonly Hypothesis[],
): 'ttl' | 'retention' | null {
  if (hypotheses.length === 0) return null;
  let by: 'ttl' | 'retention' = 'ttl';
  for (const at of hypotheses) {
    if (ttlOver(ctx, op, at)) continue;
    if (!retentionOver(ctx, op, at)) return null;
    by = 'retention';
  }
  return by;
}

/** A number that the submission's policy names; NaN where it names none. */
function policyNumber(job: JobCase, field: 'ttl' | 'executionTimeout'): number {
  const value = policyFieldOf(submissionOf(job.submitted), field);
  return typeof value === 'number' ? value : NaN;
}

/** A policy beyond its bounds was accepted: what was asked for would have shown by now. */
export function outOfRange(seen: Seen, place: Place | undefined): void {
  const { executionGiven, ttlGiven } = seen.job.life;
  if (executionGiven || ttlGiven) enforced(seen, place);
}

function enforced({ decided, ctx, job, op, after }: Seen, place: Place | undefined): void {
  const executionMs = policyNumber(job, 'executionTimeout');
  const ttlMs = policyNumber(job, 'ttl');
  if (executionMs < EXECUTION_TIMEOUT_MIN_MS) {
    const ran = (at: Hypothesis): number =>
      at.place === 'progress' ? op.fromMs - at.zone.latest(STARTED) : -at.zone.bound(STARTED, ENDED);
    const ranLonger = place === 'progress' || place === 'completed' || place === 'timed-out';
    if (ranLonger && every(after, (at) => ran(at) > executionMs + ctx.graceAt(op.fromMs)))
      decided.pass('2.2/execution-timeout-min-enforced');
  }
  if (executionMs > EXECUTION_TIMEOUT_MAX_MS && every(after, isOverrun))
    decided.pass('2.2/execution-timeout-max-enforced');
  if (
    ttlMs < TTL_MIN_MS &&
    every(after, (at) => op.fromMs > at.zone.latest(LIFE) + ttlMs + ctx.graceAt(op.fromMs))
  )
    decided.pass('2.2/ttl-min-enforced');
}
