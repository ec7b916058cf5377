/** Section 4.1: what the `wait` of a `/runsync` call means, and whether anything may have ended it early. */
import type { CallEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import { WAIT_DEFAULT_MS, WAIT_MAX_MS, WAIT_MIN_MS } from '../../spec/limits.js';
import { tookAtLeast } from '../observed/tolerance.js';
import { predictionsFor, type Prediction } from '../observed/worker-prediction.js';
import {
  answerOf,
  idIn,
  mayTakeEffectDuring,
  policyFieldOf,
  submissionOf,
} from '../observed/recorded-call.js';
import type { JudgingContext } from '../context/judging-context.js';
import type { Life } from '../context/life.js';

/** How long a call is held, and which requirement an earlier or a later answer violates. */
export interface Wait {
  readonly leastMs: number;
  readonly mostMs: number;
  readonly early: RequirementId;
  readonly late: RequirementId;
  /** An out-of-range value may be clamped or replaced by the default. */
  readonly clamped: 'to-min' | 'to-max' | null;
}

export const ELAPSED = '4.1/wait-answers-when-elapsed';

/** Null if the value's meaning is open. */
export function waitOf({ request }: CallEvent): Wait | null {
  const text = request.query['wait'];
  if (text === undefined)
    return held(WAIT_DEFAULT_MS, WAIT_DEFAULT_MS, '4.1/wait-default-not-early', '4.1/wait-default-answers');
  if (!/^-?[0-9]+$/.test(text)) return null;
  const ms = Number(text);
  if (ms < WAIT_MIN_MS) return held(WAIT_MIN_MS, WAIT_DEFAULT_MS, '4.1/wait-min-enforced', ELAPSED, 'to-min');
  if (ms > WAIT_MAX_MS)
    return held(WAIT_DEFAULT_MS, WAIT_MAX_MS, NOT_EARLY, '4.1/wait-max-enforced', 'to-max');
  if (ms === WAIT_MAX_MS) return held(ms, ms, '4.1/wait-max-honoured', '4.1/wait-max-honoured');
  return held(ms, ms, NOT_EARLY, ELAPSED);
}

const NOT_EARLY = '4.1/wait-not-early';

const held = (
  leastMs: number,
  mostMs: number,
  early: RequirementId,
  late: RequirementId,
  clamped: Wait['clamped'] = null,
): Wait => ({ leastMs, mostMs, early, late, clamped });

/** The answer came at least `wait` after the call. */
export function isWaitOver({ session }: JudgingContext, call: CallEvent): boolean {
  const wait = waitOf(call);
  return wait !== null && tookAtLeast(session.run, call, wait.leastMs);
}

/** What a call is answered then is open, its code included. */
export const mayHaveElapsed = (context: JudgingContext, call: CallEvent): boolean =>
  waitOf(call) === null || isWaitOver(context, call);

/** The life of the job that the call created, if its answer shows it. */
export function lifeOf(context: JudgingContext, call: CallEvent): Life | null {
  const life = context.lifeBy(idIn(call));
  return life?.job.submitted === call ? life : null;
}

/** What the worker does in the first run of the submitted job. */
export function planOf(context: JudgingContext, call: CallEvent): Prediction {
  return (
    lifeOf(context, call)?.job.planned(0) ?? predictionsFor(context.session, submissionOf(call) ?? {})(0)
  );
}

/** A purge may have removed its job before the answer: it was not seen to wait or run after that. */
export function mayBePurged(context: JudgingContext, call: CallEvent): boolean {
  const life = lifeOf(context, call);
  if (life?.job.retried === false && life.sawAfter(call, 'IN_QUEUE', 'IN_PROGRESS')) return false;
  return context.callIndex.purges.some(
    (one) => answerOf(one) !== 'refused' && mayTakeEffectDuring(one, call),
  );
}

/** Its job's ttl elapsed, or a purge came, before the answer: how the call is then answered is open. */
export function mayBeGone(context: JudgingContext, call: CallEvent): boolean {
  // A value below the minimum may have been used as given.
  const ttlMs = policyFieldOf(submissionOf(call), 'ttl');
  const isOver = typeof ttlMs === 'number' && tookAtLeast(context.session.run, call, ttlMs);
  return isOver || mayBePurged(context, call);
}

/** The job may have ended, or been ended, before the call was answered. */
export function mayHaveEnded(context: JudgingContext, call: CallEvent): boolean {
  const life = lifeOf(context, call);
  if (life?.job.retried === false && life.sawAfter(call, 'IN_QUEUE', 'IN_PROGRESS')) return false;
  const stoppedMs = policyFieldOf(submissionOf(call), 'executionTimeout');
  const durationMs = planOf(context, call).durationMs ?? 0;
  const endsMs = Math.min(durationMs, typeof stoppedMs === 'number' ? stoppedMs : Infinity);
  const isCancelled = life?.calls('cancel').some((one) => mayTakeEffectDuring(one, call)) === true;
  return isCancelled || tookAtLeast(context.session.run, call, endsMs);
}
