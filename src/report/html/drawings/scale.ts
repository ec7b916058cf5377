/** The time scale of the drawings of a report, and its labels. */
import { exactDuration } from '../../../util/duration.js';
import { h, type Markup } from '../markup.js';

export const AXIS_HEIGHT = 22;
export const CHARACTER_WIDTH = 6.7;

export const TIME_CAPTION =
  "Time of the target's clock from left to right; a longer gap is drawn longer, but not in proportion.";

/**
 * Waits of a day occur next to waits of a millisecond, so the gap between two instants is drawn as the square of the logarithm
 * of its length: the order is correct, a millisecond is hardly seen beside seconds, and every instant is labelled with its time.
 */
export function scale(times: readonly number[], width: number): (timeMs: number) => number {
  const instants = [...new Set(times)].sort((a, b) => a - b);
  const places = new Map<number, number>();
  let at = 0;
  instants.forEach((instant, index) => {
    const gap = index === 0 ? 0 : instant - (instants[index - 1] ?? instant);
    at += index === 0 ? 0 : Math.log2(1 + Math.max(1, gap)) ** 2;
    places.set(instant, at);
  });
  return (timeMs) => (at === 0 ? 0 : ((places.get(timeMs) ?? 0) / at) * width);
}

/** At most `most` + 1 instants from 0 on, 1, 2 or 5 times a power of ten apart. */
export function roundSteps(spanMs: number, most: number): readonly number[] {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, spanMs / most)));
  const step = [1, 2, 5, 10].map((times) => times * power).find((ms) => spanMs / ms <= most)!;
  return Array.from({ length: Math.floor(spanMs / step) + 1 }, (_, index) => index * step);
}

export interface TickPlace {
  /** Width of the whole drawing: no label ends beyond it. */
  readonly width: number;
  readonly bottom: number;
  /** The instant from which labels count, ms. */
  readonly originMs?: number;
}

/** A line at each instant, labelled where there is room. */
export function ticks(
  instants: readonly number[],
  x: (timeMs: number) => number,
  { width, bottom, originMs = 0 }: TickPlace,
): Markup[] {
  const sorted = [...new Set(instants)].sort((a, b) => a - b);
  let freeFrom = -1;
  return sorted.map((instant) => {
    const at = x(instant);
    const text = exactDuration(instant - originMs);
    const half = (text.length * CHARACTER_WIDTH) / 2;
    const middle = Math.min(at, width - half);
    const line = h`<line class="tick" x1="${at.toFixed(1)}" x2="${at.toFixed(1)}" y1="${AXIS_HEIGHT - 4}" y2="${bottom}" />`;
    if (middle - half < freeFrom) return line;
    freeFrom = middle + half + 8;
    return h`${line}<text class="when" x="${middle.toFixed(1)}" y="12" text-anchor="middle">${text}</text>`;
  });
}
