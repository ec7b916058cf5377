/** How sharply a pass tested the bound of a timer. */
import type { StepContext } from './conditions.js';
import type { Hypothesis } from './hypothesis.js';
import type { Timer } from './lifecycle/lifecycle-rows.js';
import { ENDED, ZERO } from './zone.js';
import type { Sharpness } from '../observed/tolerance.js';

/**
 * By more than this, ms, the timer would have had to be late, or early, for the observation to show it, in
 * every hypothesis; null where the observation shows no such violation, as it came too near to the bound.
 */
export function sharpnessOf(timer: Timer, side: 'tooLate' | 'tooEarly', step: StepContext): Sharpness | null {
  let most = 0;
  for (const at of step.after) {
    const ms = side === 'tooLate' ? shownLateMs(timer, at, step) : shownEarlyMs(timer, at, step);
    if (ms === null) return null;
    most = Math.max(most, ms);
  }
  return { bound: side === 'tooLate' ? 'too late' : 'too early', ms: most };
}

/** Had it not been over at the end of the call, the call would have found the job where it was. */
function shownLateMs(timer: Timer, at: Hypothesis, { rules, job, op }: StepContext): number | null {
  const { since } = timer;
  const { zone } = at;
  const mostMs = timer.mostMs(at, job.model, zone, null);
  if (mostMs === null || mostMs === Infinity) return null;
  // An absolute bound has the allowed lateness in it.
  if (since === ZERO) return op.fromMs > mostMs ? op.byMs - (mostMs - rules.graceMs) : null;
  const allowedMs = rules.graceAt(op.fromMs) + rules.sleepGraceMs(timer.sleeps?.(at, job.model) ?? 0);
  if (op.fromMs <= zone.latest(since) + mostMs + allowedMs) return null;
  return op.byMs - (zone.earliest(since) + mostMs);
}

/**
 * Had it been over when the call was sent, the call would have found that, too soon even for the latest
 * instant that the call shows.
 */
function shownEarlyMs(timer: Timer, at: Hypothesis, { rules, job, op }: StepContext): number | null {
  const { since, runsIn } = timer;
  const { zone } = at;
  const leastMs = timer.leastMs(at, job.model);
  if (leastMs === null) return null;
  if (!runsIn.includes(at.state)) {
    // Its handler ended first; a job that was stopped before would have ended too late for its handler.
    const leftMs = leastMs + zone.bound(since, ENDED);
    return leftMs > rules.graceMax ? leftMs : null;
  }
  const earlyMs = since === ZERO ? 0 : rules.earlyToleranceMs(leastMs);
  if (op.byMs >= zone.earliest(since) + leastMs - earlyMs) return null;
  return zone.latest(since) + leastMs - op.fromMs;
}
