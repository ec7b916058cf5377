import type { RandomStream } from '../time/random.js';

/** A duration in ms: fixed, or drawn from a range that includes both bounds. */
export type Delay = number | { readonly fromMs: number; readonly toMs: number };

export function drawDelay(delay: Delay, random: RandomStream): number {
  if (typeof delay === 'number') return delay;
  return random.intBetween(delay.fromMs, delay.toMs);
}
