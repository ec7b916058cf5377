/** How long jobs were found after their end, and which reading of a question an observed time fits. */
import type { CallEvent } from '../../history/events.js';
import {
  RUNSYNC_RETENTION_MS,
  RUNSYNC_RETENTION_WITH_WAIT_MAX_MS,
  RUN_RETENTION_MS,
  WAIT_DEFAULT_MS,
} from '../../spec/limits.js';
import { precedes } from '../jobs/status-observations.js';
import { lastStateOf, type JobState } from '../model/hypothesis.js';
import { ENDED } from '../model/zone.js';
import { orLater, plus, type Interval } from '../observed/intervals.js';
import { answerOf, codeIn, statusIn } from '../observed/recorded-call.js';
import { earlyToleranceMs, onItsClock } from '../observed/tolerance.js';
import type { Life } from '../context/life.js';
import { remembered } from '../context/judging-context.js';

/** An observation wider than a reading's interval by this, plus lateness, does not show the reading. */
const WIDER_MS = 5_000;

/** A later 404 may have another cause. */
export const SOON_MS = 5_000;
/** A later answer was waiting for something, real ms. */
const AT_ONCE_MS = 1_000;

/** The same on the clock of the history. */
export const atOnceMs = ({ context }: Life): number => onItsClock(context.session.run, AT_ONCE_MS);

/** What each reading predicts. */
export interface Predictions {
  readonly [reading: string]: Interval;
}

/**
 * The only reading that fits the observation, if that is precise enough; `otherwise` if none fits.
 * `seen.byMs` may be infinite: an end never observed fits only a reading that allows any later time.
 */
export function fits<F extends Predictions, Other extends string = never>(
  { context }: Life,
  seen: Interval | null,
  predicted: F,
  otherwise: Other | null = null,
): (keyof F & string) | Other | null {
  if (seen === null) return null;
  const { earlyMs } = context.session.run;
  const graceMs = context.graceMax;
  const [one, ...others] = Object.keys(predicted).filter((reading) => {
    const { fromMs, byMs } = predicted[reading]!;
    return seen.byMs >= fromMs - earlyToleranceMs(earlyMs, fromMs) && seen.fromMs <= byMs + graceMs;
  });
  if (others.length > 0) return null;
  if (one === undefined) return seen.byMs < Infinity ? otherwise : null;
  const { fromMs, byMs } = predicted[one]!;
  if (byMs === Infinity) return one;
  // If other lengths are possible readings, a wide observation may be one of those.
  const near = 2 * graceMs + WIDER_MS;
  const isNarrow = otherwise === null || (seen.fromMs >= fromMs - near && seen.byMs <= byMs + near);
  return isNarrow && seen.byMs < Infinity ? one : null;
}

/** Between the last read that found it and the first 404; null if it was not read. */
export function expiryOf(
  { job, reads: all }: Life,
  { since, cancelled = false }: { since?: CallEvent; cancelled?: boolean } = {},
): Interval | null {
  // What /status answers after a cancel is a separate question.
  const cancel = cancelled ? undefined : job.calls.find(({ op }) => op === 'cancel');
  const reads = all.filter(
    ({ call }) =>
      (since === undefined || call.sentTick > since.sentTick) &&
      (cancel === undefined || precedes(call, cancel)),
  );
  if (reads.length === 0) return null;
  const gone = reads.find(({ observed }) => observed === 'GONE');
  const found = reads.findLast(
    ({ call, observed }) => observed !== 'GONE' && (gone === undefined || call.sentTick < gone.call.sentTick),
  );
  const fromMs = found?.call.sentMs ?? since?.sentMs ?? job.submitted.sentMs;
  return { fromMs, byMs: gone?.call.receivedMs ?? Infinity };
}

interface Kept {
  readonly state: JobState;
  readonly ended: Interval;
  readonly gone: Interval;
  readonly ttlEnds: Interval;
}

/**
 * How and when it ended, when it was no longer found, and when its `ttl` expires if only its submission
 * sets one: a deletion by `ttl` says nothing about retention, unless nothing else would ever have deleted
 * it. Null if unknown.
 */
export const keptOf = remembered((life: Life): Kept | null => {
  const state = life.common(lastStateOf);
  const gone = expiryOf(life, { cancelled: state === 'cancelled' });
  const { ttlMs } = life;
  if (state === null || gone === null || ttlMs === null || life.ttlCalls.length > 0) return null;
  if ((state === 'cancelled' || life.calls('cancel').length > 0) && !life.isStopped) return null;
  return { state, ended: life.when(ENDED), gone, ttlEnds: plus(life.submitted, ttlMs) };
});

/** For a completed `/runsync` job whose `ttl` comes after any retention. */
export function keptSync(life: Life): Kept | null {
  const kept = life.job.sync ? keptOf(life) : null;
  if (kept?.state !== 'completed') return null;
  return kept.ttlEnds.fromMs < kept.ended.byMs + RUN_RETENTION_MS ? null : kept;
}

/** Whether the result of this `/runsync` job was kept like any other, or like that of a `/run` job. */
export function asRunsyncOrRun(life: Life): 'as-runsync' | 'as-run' | null {
  const kept = keptSync(life);
  if (kept === null) return null;
  const { waitGiven } = life.job.model;
  const atMostMs = waitGiven ? RUNSYNC_RETENTION_WITH_WAIT_MAX_MS : WAIT_DEFAULT_MS;
  return fits(life, kept.gone, {
    'as-runsync': plus(kept.ended, RUNSYNC_RETENTION_MS, atMostMs),
    'as-run': orLater(plus(kept.ended, RUN_RETENTION_MS)),
  });
}

/** When it is deleted if it ended then and is kept like a completed job. */
export function retentionEnd({ job: { policies } }: Life, ended: Interval): Interval {
  const leastMs = Math.min(...policies.map(({ keptAtLeastMs }) => keptAtLeastMs));
  return plus(ended, leastMs, Math.max(...policies.map(({ keptAtMostMs }) => keptAtMostMs)));
}

/** How its `/runsync` call reported the predicted failure: success, one of these codes, or other. */
export function failureCode<Ok extends string, Code extends number>(
  { job: { sync, submitted }, plan }: Life,
  outcome: 'error' | 'crash',
  ok: Ok,
  ...codes: readonly Code[]
): Ok | `${Code}` | 'other' | null {
  if (!sync || statusIn(submitted) !== 'FAILED' || plan.outcome !== outcome) return null;
  return answerOf(submitted) === 'ok' ? ok : (codeIn(submitted, ...codes) ?? 'other');
}
