/** Which reading an instant, or a length of time, that was observed within bounds fits: one alone, or none is named. */
import type { CallEvent } from '../../history/events.js';
import { earlyFor } from '../observed/tolerance.js';
import type { Scene } from '../scene/scene.js';

export interface Span {
  readonly fromMs: number;
  readonly byMs: number;
}

export const plus = ({ fromMs, byMs }: Span, ms: number, msAtMost: number = ms): Span => ({
  fromMs: fromMs + ms,
  byMs: byMs + msAtMost,
});

/** How long it is from one instant to a later one. */
export const between = (from: Span, to: Span): Span => ({
  fromMs: Math.max(0, to.fromMs - from.byMs),
  byMs: to.byMs - from.fromMs,
});

/** When a call took effect. */
export const spanOf = (call: CallEvent): Span => ({
  fromMs: call.sentMs,
  byMs: call.receivedMs ?? Infinity,
});

/** What one reading foresees. `orLater`: everything later fits it as well. */
export interface Candidate extends Span {
  readonly orLater?: true;
}

export const orLater = (span: Span): Candidate => ({ ...span, orLater: true });

export interface Candidates {
  readonly [reading: string]: Candidate;
}

/** Beyond the lateness that is allowed: an observation this much wider than a reading's span does not settle on it. */
const WIDER_MS = 5_000;

/**
 * The one reading that fits, where the observation is narrow enough to tell; `otherwise` where none does.
 * `seen.byMs` may be infinite: what was never seen to end fits only a reading with `orLater`.
 */
export function theOne<C extends Candidates, O extends string = never>(
  scene: Scene,
  seen: Span,
  candidates: C,
  otherwise: O | null = null,
): (keyof C & string) | O | null {
  const { earlyMs } = scene.session.run;
  const graceMs = scene.graceMax;
  const fitting = Object.keys(candidates).filter((reading) => {
    const { fromMs, byMs, orLater: open } = candidates[reading]!;
    const notBefore = seen.byMs >= fromMs - earlyFor(earlyMs, fromMs);
    return notBefore && (open === true || seen.fromMs <= byMs + graceMs);
  });
  if (fitting.length > 1) return null;
  const [one] = fitting;
  if (one === undefined) return seen.byMs < Infinity ? otherwise : null;
  const { fromMs, byMs, orLater: open } = candidates[one]!;
  if (open === true) return one;
  // Where any other length is a reading as well, what lies within wide bounds may be one of those.
  const near = 2 * graceMs + WIDER_MS;
  const narrow = otherwise === null || (seen.fromMs >= fromMs - near && seen.byMs <= byMs + near);
  return narrow && seen.byMs < Infinity ? one : null;
}
