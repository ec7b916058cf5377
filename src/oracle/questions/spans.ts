/** Which reading an instant, or a length of time, that was observed within bounds fits: one alone, or none is named. */
import type { CallEvent } from '../../history/events.js';
import { earlyFor } from '../observed/earliness.js';
import type { Job } from '../cast/cases.js';
import { precedes, sightingsOf } from '../cast/sightings.js';
import type { Scene } from '../scene/scene.js';

export interface Span {
  readonly fromMs: number;
  readonly byMs: number;
}

export const plus = ({ fromMs, byMs }: Span, ms: number, msAtMost: number = ms): Span => ({
  fromMs: fromMs + ms,
  byMs: byMs + msAtMost,
});

/** What one reading foresees. `atLeast`: everything later fits it as well. */
export interface Candidate<R extends string> {
  readonly reading: R;
  readonly span: Span;
  readonly atLeast?: true;
}

/** Beyond the lateness that is allowed: an observation this much wider than a reading's span does not settle on it. */
const WIDER_MS = 5_000;

/**
 * The one reading that fits, where the observation is narrow enough to tell; `otherwise` where none does.
 * `seen.byMs` may be infinite: what was never seen to end fits only a reading with `atLeast`.
 */
export function theOne<R extends string>(
  scene: Scene,
  seen: Span,
  candidates: readonly Candidate<R>[],
  otherwise: R | null = null,
): R | null {
  const { earlyMs } = scene.session.run;
  const graceMs = scene.graceMax;
  const fitting = candidates.filter(
    ({ span, atLeast }) =>
      seen.byMs >= span.fromMs - earlyFor(earlyMs, span.fromMs) &&
      (atLeast === true || seen.fromMs <= span.byMs + graceMs),
  );
  if (fitting.length > 1) return null;
  const [one] = fitting;
  if (one === undefined) return seen.byMs < Infinity ? otherwise : null;
  if (one.atLeast === true) return one.reading;
  // Where any other length is a reading as well, what lies within wide bounds may be one of those.
  const near = 2 * graceMs + WIDER_MS;
  const narrow =
    otherwise === null || (seen.fromMs >= one.span.fromMs - near && seen.byMs <= one.span.byMs + near);
  return narrow && seen.byMs < Infinity ? one.reading : null;
}

/** When `/status` ceased to find the job: after it was last found, and by the first 404; null where it was not asked. */
export function expiryOf(
  job: Job,
  { since, cancelled = false }: { readonly since?: CallEvent; readonly cancelled?: boolean } = {},
): Span | null {
  // What /status answers after a cancel is a question of its own.
  const cancel = job.calls.find(({ op }) => op === 'cancel');
  const asked = sightingsOf(job).filter(({ call }) => since === undefined || call.sentTick > since.sentTick);
  const seen = cancelled || cancel === undefined ? asked : asked.filter(({ call }) => precedes(call, cancel));
  const gone = seen.find(({ shows }) => shows === 'GONE');
  const found = seen.findLast(
    ({ call, shows }) => shows !== 'GONE' && (gone === undefined || call.sentTick < gone.call.sentTick),
  );
  const fromMs = found?.call.sentMs ?? since?.sentMs ?? job.submitted.sentMs;
  if (seen.length === 0) return null;
  return { fromMs, byMs: gone?.call.receivedMs ?? Infinity };
}

/** When a call took effect. */
export function spanOf(call: CallEvent): Span {
  return { fromMs: call.sentMs, byMs: call.receivedMs ?? Infinity };
}
