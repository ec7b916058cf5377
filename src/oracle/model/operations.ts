/** What an answered, refused or unanswered operation says of one job's life, hypothesis by hypothesis. */
import type { CallEvent } from '../../history/events.js';
import { RUN_RETENTION_MS, TTL_DEFAULT_MS, TTL_MAX_MS, TTL_MIN_MS } from '../../spec/limits.js';
import type { JobStatus } from '../../spec/types.js';
import { seconds, type Answer } from '../observed/reading.js';
import type { Context } from './context.js';
import {
  fork,
  isFinished,
  isToldAsFailed,
  PLACES,
  RECORDED,
  STATES,
  type Draft,
  type Hypothesis,
  type Place,
  type Terms,
} from './hypothesis.js';

import type { Life } from './life.js';
import { alive, overran, reach } from './moves.js';
import { CANCEL, PURGE, RETRY, STATUS_TTL, STREAM_OF_GONE, WEBHOOK } from './lifecycle-calls.js';
import { requirementOf, type CallEffects } from './rows.js';
import { times } from './times.js';
import { RUNS_UNKNOWN } from '../observed/plan.js';
import { ENDED, LIFE, QUEUED, STARTED, SUBMITTED, ZERO, type Zone } from './zone.js';

/** One observation of a job, or one call that may have changed it. */
export interface Operation {
  readonly kind: 'reply' | 'status' | 'stream' | 'cancel' | 'retry' | 'purge' | 'webhook' | 'probe';
  /** It took effect between these instants. */
  readonly fromMs: number;
  readonly byMs: number;
  readonly sentTick: number | null;
  readonly endedTick: number | null;
  readonly answer: Answer;
  /** HTTP status; 0 where there was none. */
  readonly code: number;
  /** The job status that the answer shows. */
  readonly shows: JobStatus | null;
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
export const SHOWN: { readonly [status in JobStatus]: readonly Place[] } = {
  IN_QUEUE: ['queue'],
  IN_PROGRESS: ['progress'],
  COMPLETED: ['completed'],
  FAILED: ['failed', 'timed-out', 'purged'],
  TIMED_OUT: ['timed-out'],
  CANCELLED: ['cancelled', 'purged'],
};

/** Everything that may be true after the operation, where `before` was true. Empty: the two contradict. */
export function after(ctx: Context, life: Life, before: Hypothesis, op: Operation): Hypothesis[] {
  if (op.code === 401 || op.code === 429) return [before];
  if (ctx.tracer !== null) ctx.tracer.op = op;
  switch (op.kind) {
    case 'reply':
    case 'status':
      return afterStatus(ctx, life, before, op);
    case 'cancel':
      return afterCancel(ctx, life, before, op);
    case 'retry':
      return afterRetry(ctx, life, before, op);
    case 'purge':
      return afterPurge(ctx, life, before, op);
    case 'stream':
      return afterStream(ctx, before, op);
    case 'webhook':
      return afterWebhook(ctx, life, before, op);
    case 'probe':
      return [before];
  }
}

/** The places at which the job may have been at some instant of the operation. */
export function placesDuring(ctx: Context, life: Life, before: Hypothesis, op: Operation): readonly Place[] {
  return PLACES.filter((place) => seenAt(ctx, life, before, place, op).length > 0);
}

/** The job is at `place` at some instant of the operation. */
function seenAt(ctx: Context, life: Life, before: Hypothesis, place: Place, op: Operation): Draft[] {
  return stillAt(ctx, life, reach(ctx, life, before, place, op.byMs), place, op);
}

function stillAt(ctx: Context, life: Life, found: Draft[], place: Place, op: Operation): Draft[] {
  let kept = 0;
  for (const there of found) {
    if (place !== 'gone' && !alive(ctx, life, there, op.fromMs, op.byMs)) continue;
    stamp(there, op);
    found[kept] = there;
    kept += 1;
  }
  if (kept < found.length) found.length = kept;
  return found;
}

function stamp(at: Draft, { call, fromMs }: Operation): void {
  const { evidence } = at;
  if (call !== null) {
    if (at.place === 'queue') at.evidence = { ...evidence, lastQueued: call };
    else if (at.place === 'progress')
      at.evidence = { ...evidence, firstStarted: evidence.firstStarted ?? call, lastRunning: call };
    // A look shows the end better than a call that came too late.
    else if (evidence.ended === null || (evidence.ended.op !== 'status' && call.op === 'status'))
      at.evidence = { ...evidence, ended: call };
  }
  // Being gone tells nothing of when it went.
  if (at.place !== 'gone' && fromMs > at.notBeforeMs) at.notBeforeMs = fromMs;
}

function afterStatus(ctx: Context, life: Life, before: Hypothesis, op: Operation): Hypothesis[] {
  if (op.answer === 'ok' && op.shows !== null) {
    const places = SHOWN[op.shows];
    const timed =
      places.length === 1
        ? shownAt(ctx, life, before, places[0]!, op)
        : places.flatMap((place) => shownAt(ctx, life, before, place, op));
    if (op.isAsBeforeRetry) timed.push(...notShownYet(ctx, life, before, op));
    return op.ttlMs === null || op.kind === 'reply'
      ? timed
      : timed.flatMap((one) => withNewTtl(ctx, one, op, op.ttlMs!));
  }
  if (op.code === 404 && op.kind === 'status')
    return [...notFound(ctx, life, before, op), ...goneByNewTtl(ctx, life, before, op)];
  // Its answer was lost; the lifespan it gave may hold all the same.
  if (op.answer === 'unknown' && op.ttlMs !== null && before.place !== 'gone')
    return [before, ...withNewTtl(ctx, before, op, op.ttlMs)];
  return [before];
}

/** The job is at `place`, and the times that were told with it fit. */
function shownAt(ctx: Context, life: Life, before: Hypothesis, place: Place, op: Operation): Hypothesis[] {
  const seen = seenAt(ctx, life, before, place, op);
  if (seen.length === 0 || place === 'queue' || place === 'progress') return seen;
  return seen.length === 1 ? times(ctx, seen[0]!, op) : seen.flatMap((at) => times(ctx, at, op));
}

/** Where a retried job may be while what is shown is its state before the retry. */
const UNDERNEATH: readonly Place[] = ['queue', 'progress', 'completed', 'failed', 'timed-out'];

/** The retry is not to be seen: what is shown is the job's state before it. */
function notShownYet(ctx: Context, life: Life, before: Hypothesis, op: Operation): Hypothesis[] {
  const { retriedFrom, place } = before;
  if (retriedFrom === null || (place !== 'queue' && place !== 'progress')) return [];
  const say = (): readonly string[] => ['the record is that of before the retry'];
  // Nothing is nearer than that nothing has changed.
  if (!ctx.exceeds(RETRY[retriedFrom].ids[0].id, 0, say)) return [];
  return UNDERNEATH.flatMap((each) => seenAt(ctx, life, before, each, op));
}

/**
 * A 404: deleted, or cancelled, also by its executionTimeout, or purged, where the service shows those no more. It sees none of
 * these, so it dates none: whatever else found the job cancelled first leaves it the same.
 */
function notFound(ctx: Context, life: Life, before: Hypothesis, op: Operation): Hypothesis[] {
  if (before.place === 'cancelled' || before.place === 'purged') return [before];
  const gone = seenAt(ctx, life, before, 'gone', op);
  // What is deleted after it was cancelled is told by what is cancelled and may still be deleted.
  const told = before.place === 'gone' ? gone : gone.filter(({ goneFrom }) => goneFrom !== 'cancelled');
  return [...told, ...overran(ctx, life, before, op.byMs)];
}

/**
 * A lifespan that counts from the submission may be over when it is set. Then this very call no longer finds the job,
 * which went now and not when the lifespan would have ended.
 */
function goneByNewTtl(ctx: Context, life: Life, before: Hypothesis, op: Operation): Hypothesis[] {
  const { ttlMs } = op;
  if (ttlMs === null) return [];
  const found: Hypothesis[] = [];
  for (const place of RECORDED)
    for (const alive of seenAt(ctx, life, before, place, op)) {
      const at = fork(alive, { terms: termsWithTtl(alive.terms, Number.isNaN(ttlMs) ? null : ttlMs) });
      if (Number.isNaN(ttlMs) || isOverNow(at.zone, op, ttlMs))
        found.push(...seenAt(ctx, life, at, 'gone', op));
    }
  return found;
}

/** The lifespan that the call set is over while it is under way. Narrows the zone. */
function isOverNow(zone: Zone, { fromMs, byMs }: Operation, ttlMs: number): boolean {
  zone.forget(LIFE);
  return (
    zone.restrict(SUBMITTED, LIFE, 0) &&
    zone.restrict(LIFE, ZERO, byMs - ttlMs) &&
    zone.restrict(ZERO, LIFE, ttlMs - fromMs)
  );
}

/** The operation took effect no sooner than what had been seen by then. */
const notBeforeMs = (at: Hypothesis, { fromMs }: Operation): number => Math.max(fromMs, at.notBeforeMs);

/** `/status?ttl=` sets the job's lifespan; whether it counts from now or from the submission is open. */
function withNewTtl(ctx: Context, at: Hypothesis, op: Operation, ttlMs: number): Hypothesis[] {
  // Where `-1` was not refused, it may stand for the least, for the default, or for nothing.
  if (Number.isNaN(ttlMs)) return [at, fork(at, { terms: keptUntilTtl(termsWithTtl(at.terms, null)) })];
  const clamped = Math.min(Math.max(ttlMs, TTL_MIN_MS), TTL_MAX_MS);
  const found: Hypothesis[] = [];
  for (const value of clamped === ttlMs ? [ttlMs] : [ttlMs, clamped, TTL_DEFAULT_MS]) {
    // Whether it can prolong a retention is open.
    const terms = keptUntilTtl(termsWithTtl(at.terms, value));
    const fromSubmission = fork(at, { terms });
    fromSubmission.zone.forget(LIFE);
    fromSubmission.zone.equate(LIFE, SUBMITTED);
    const fromNow = fork(at, { terms });
    fromNow.zone.forget(LIFE);
    if (fromNow.zone.restrict(LIFE, ZERO, op.byMs) && fromNow.zone.restrict(ZERO, LIFE, -notBeforeMs(at, op)))
      found.push(fromNow);
    found.push(fromSubmission);
  }
  // Whether it means anything for an ended job is open.
  const ignorable = clamped !== ttlMs || isFinished(at.place);
  if (ignorable || ctx.permits(STATUS_TTL, () => [`/status?ttl=${ttlMs} was answered with success`]))
    found.push(at);
  return found;
}

/** What a job was promised first, by what it was promised later. */
const firstTerms = new WeakMap<Terms, Terms>();
const laterTerms = new WeakMap<Terms, Map<string, Terms>>();

/** The same terms with others in two places; one value for the same terms, so that hypotheses can be compared. */
function termsWith(terms: Terms, ttlMs: number | null, keptAtMostMs: number): Terms {
  const first = firstTerms.get(terms) ?? terms;
  for (const known of [terms, first])
    if (known.ttlMs === ttlMs && known.keptAtMostMs === keptAtMostMs) return known;
  let later = laterTerms.get(first);
  if (later === undefined) laterTerms.set(first, (later = new Map()));
  const key = `${ttlMs} ${keptAtMostMs}`;
  let changed = later.get(key);
  if (changed === undefined) {
    later.set(key, (changed = { ...first, ttlMs, keptAtMostMs }));
    firstTerms.set(changed, first);
  }
  return changed;
}

const termsWithTtl = (terms: Terms, ttlMs: number | null): Terms =>
  termsWith(terms, ttlMs, terms.keptAtMostMs);

/** The same terms, with a result that may stay as long as its job. */
const keptUntilTtl = (terms: Terms): Terms => termsWith(terms, terms.ttlMs, Infinity);

/** After a retry the result of a `/runsync` job may be kept as that of `/run`. */
const keptAsRun = (terms: Terms): Terms =>
  termsWith(terms, terms.ttlMs, Math.max(terms.keptAtMostMs, RUN_RETENTION_MS));

/** How often a job can be retried is open, but more than once it can. */
const RETRIES_CERTAIN = 2;

/** A call on the job, by what it has to do where it finds the job: `effect`, nothing, or `elsewhere` what is not shown. */
function afterCall(
  ctx: Context,
  life: Life,
  before: Hypothesis,
  op: Operation,
  rows: CallEffects,
  effect: (at: Hypothesis) => readonly Hypothesis[],
  elsewhere: (at: Hypothesis) => readonly Hypothesis[],
): Hypothesis[] {
  const { answer } = op;
  const found: Hypothesis[] = [];
  for (const place of PLACES) {
    const row = rows[place];
    for (const at of seenAt(ctx, life, before, place, op)) {
      if (row === undefined) {
        found.push(...elsewhere(at));
        continue;
      }
      const must = row.how === 'must';
      if (must && answer !== 'refused') found.push(...effect(at));
      const isOften = op.kind === 'retry' && at.retries >= RETRIES_CERTAIN;
      const isOpen = must ? answer === 'unknown' || (answer === 'refused' && isOften) : answer !== 'ok';
      const say = (): readonly string[] => [`the job was ${STATES[place]}`];
      if (isOpen || ctx.permits(requirementOf(row.ids, life, at), say)) found.push(at);
    }
  }
  return found;
}

function afterCancel(ctx: Context, life: Life, before: Hypothesis, op: Operation): Hypothesis[] {
  const saidFinished = op.shows === 'COMPLETED' || op.shows === 'FAILED' || op.shows === 'TIMED_OUT';
  const effect = (at: Hypothesis): readonly Hypothesis[] => (saidFinished ? [] : cancelled(at, op));
  return afterCall(ctx, life, before, op, CANCEL, effect, (at) => {
    if (op.answer === 'refused') return [at];
    const meddled = { ...at, meddled: 'cancel' } as const;
    const isNoMore = at.place === 'cancelled' || at.place === 'purged';
    return isNoMore ? [meddled] : [meddled, ...cancelled(meddled, op)];
  });
}

function afterRetry(ctx: Context, life: Life, before: Hypothesis, op: Operation): Hypothesis[] {
  return afterCall(
    ctx,
    life,
    before,
    op,
    RETRY,
    (at) => requeued(at, op),
    (at) => {
      const isRevived = at.place === 'purged' && op.answer !== 'refused' && isToldAsFailed(before);
      return [{ ...at, meddled: 'retry' }, ...(isRevived ? revived(at, op) : [])];
    },
  );
}

/** An answer that tells nothing may have come before the effect; a call without any has its effect when it is its turn. */
const mayComeLater = ({ answer, call }: Operation): boolean =>
  answer === 'unknown' && call?.receivedMs !== null;

function cancelled(at: Hypothesis, op: Operation): Hypothesis[] {
  const zone = at.zone.copy();
  const started = at.place !== 'queue';
  zone.forget(ENDED);
  const possible =
    zone.restrict(started ? STARTED : QUEUED, ENDED, 0) &&
    zone.restrict(ZERO, ENDED, -notBeforeMs(at, op)) &&
    (mayComeLater(op) || zone.restrict(ENDED, ZERO, op.byMs));
  const runs = started ? at.runs + 1 : at.runs;
  return possible ? [fork(at, { place: 'cancelled', zone, runs, goneFrom: at.place })] : [];
}

/** So many runs that nothing is foreseen of the next: it need not have run before. */
function revived(at: Hypothesis, op: Operation): Hypothesis[] {
  return requeued(at, op).map((one) => ({ ...one, runs: RUNS_UNKNOWN, retries: RUNS_UNKNOWN }));
}

/** Back in the queue. Whether the ttl goes on or starts anew with a retry, the document does not say. */
function requeued(at: Hypothesis, op: Operation): Hypothesis[] {
  const zone = at.zone.copy();
  zone.forget(QUEUED);
  zone.forget(STARTED);
  const possible =
    zone.restrict(ENDED, QUEUED, 0) &&
    zone.restrict(ZERO, QUEUED, -notBeforeMs(at, op)) &&
    (mayComeLater(op) || zone.restrict(QUEUED, ZERO, op.byMs));
  if (!possible) return [];
  const ranMs = at.zone.bound(ENDED, STARTED);
  zone.forget(ENDED);
  const change = {
    place: 'queue',
    lastRetry: op.call,
    retriedFrom: at.place === 'timed-out' ? 'timed-out' : 'failed',
    runs: at.runs + 1,
    retries: at.retries + 1,
    spentMs: at.spentMs + Math.max(0, ranMs),
    terms: keptAsRun(at.terms),
    unit: null,
    evidence: { ...at.evidence, lastQueued: op.call, firstStarted: null, lastRunning: null, ended: null },
  } as const;
  const goesOn = fork(at, { ...change, zone });
  const startsAnew = fork(at, { ...change, zone: zone.copy() });
  startsAnew.zone.forget(LIFE);
  startsAnew.zone.equate(LIFE, QUEUED);
  return [goesOn, startsAnew];
}

function afterPurge(ctx: Context, life: Life, before: Hypothesis, op: Operation): Hypothesis[] {
  if (op.answer === 'refused' || (before.place !== 'queue' && before.place !== 'progress')) return [before];
  const say = (): readonly string[] => [`/purge-queue between ${seconds(op.fromMs)} and ${seconds(op.byMs)}`];
  const found: Hypothesis[] = [];
  const running = before.place === 'progress';
  if (running) {
    found.push(before);
    if (ctx.permits(PURGE.progress.ids[0].id, say))
      found.push(fork(before, { place: 'purged', purgedBy: op.call }));
    // Its worker may have died, so that it waits again.
    if (life.foreseen(before.runs).outcome !== 'crash') return found;
  }
  for (const waiting of seenAt(ctx, life, before, 'queue', op)) {
    const zone = waiting.zone.copy();
    zone.forget(ENDED);
    zone.restrict(ZERO, ENDED, -notBeforeMs(waiting, op));
    if (!mayComeLater(op)) zone.restrict(ENDED, ZERO, op.byMs);
    found.push(fork(waiting, { place: 'purged', zone, purgedBy: op.call }));
    if (op.answer !== 'unknown' && ctx.permits(PURGE.queue.ids[0].id, say)) found.push(waiting);
  }
  if (running) return found;
  // It may have come before the job did, or not at all.
  if (op.answer === 'unknown') return [before, ...found];
  for (const place of ['progress', 'gone'] as const) found.push(...reach(ctx, life, before, place, op.byMs));
  return found;
}

/** Chunks of a job that is gone must not be had any more; what a stream answers else is judged elsewhere. */
function afterStream(ctx: Context, before: Hypothesis, op: Operation): Hypothesis[] {
  const { ttlMs } = before.terms;
  if (op.answer !== 'ok' || ttlMs === null || before.place === 'cancelled' || before.place === 'purged')
    return [before];
  const say = (): readonly string[] => [
    `submitted not after ${seconds(before.zone.latest(LIFE))}, ttl ${seconds(ttlMs)}`,
    `but /stream answered with success at ${seconds(op.fromMs)}`,
  ];
  const at = fork(before);
  const rule = STREAM_OF_GONE;
  const graceMs = ctx.graceAt(op.fromMs);
  return ctx.bound(rule, at.zone, ZERO, LIFE, -(op.fromMs - ttlMs - graceMs), say, graceMs) ? [at] : [];
}

/** A webhook tells that the job had ended by then, or been deleted: whether it should have been called then is asked elsewhere. */
function afterWebhook(ctx: Context, life: Life, before: Hypothesis, op: Operation): Hypothesis[] {
  if (before.place !== 'queue' && before.place !== 'progress') return [before];
  const found: Hypothesis[] = [];
  for (const place of ['completed', 'failed', 'timed-out', 'gone'] as const)
    found.push(...reach(ctx, life, before, place, op.byMs));
  found.push(...overran(ctx, life, before, op.byMs));
  if (ctx.permits(WEBHOOK, () => [`the webhook was called at ${seconds(op.byMs)}`])) found.push(before);
  return found;
}
