import type { RandomStream } from '../time/random.js';

/** A time that something takes, in ms: always the same, or drawn between two bounds, both included. */
export type Delay = number | { readonly fromMs: number; readonly toMs: number };

export function drawDelay(delay: Delay, random: RandomStream): number {
  if (typeof delay === 'number') return delay;
  return random.intBetween(delay.fromMs, delay.toMs);
}
