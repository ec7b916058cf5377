/** Damages bytes in seeded ways, and knows without Runproof's own reader whose bytes were damaged. */
import type { RandomStream } from '../../../src/time/random.js';

export interface Hurt {
  readonly what: string;
  readonly bytes: Buffer;
  /** Everything from here on is cut off; the whole length where nothing is. */
  readonly cutAt: number;
  /** Places of bytes that are not what they were, upwards. */
  readonly changed: readonly number[];
}

/** @param textEnd where the zeros begin that fill the rest */
export function hurt(whole: Buffer, textEnd: number, random: RandomStream): Hurt {
  const kind = random.intBetween(0, 99);
  if (kind < 40) return cut(whole, random.intBetween(0, textEnd));
  if (kind < 45) return cut(whole, random.intBetween(textEnd, whole.length - 1));
  const place = (): number => random.intBetween(0, textEnd - 1);
  if (kind < 70) return change(whole, [place()], random);
  if (kind < 88) return change(whole, Array.from({ length: random.intBetween(2, 20) }, place), random);
  const begin = place();
  const length = Math.min(random.intBetween(16, 4_096), textEnd - begin);
  return change(
    whole,
    Array.from({ length }, (_, n) => begin + n),
    random,
  );
}

export function cut(whole: Buffer, cutAt: number): Hurt {
  return { what: `cut at ${cutAt} of ${whole.length}`, bytes: whole.subarray(0, cutAt), cutAt, changed: [] };
}

export function change(whole: Buffer, places: readonly number[], random: RandomStream): Hurt {
  const bytes = Buffer.from(whole);
  const changed = [...new Set(places)].sort((a, b) => a - b);
  for (const place of changed) bytes[place]! ^= random.intBetween(1, 255);
  return {
    what: `${changed.length} bytes changed from ${changed[0]} to ${changed.at(-1)}`,
    bytes,
    cutAt: whole.length,
    changed,
  };
}

/** From where to where the latest lines of a job stand. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

export const isSpared = ({ cutAt, changed }: Hurt, stretches: readonly Stretch[]): boolean =>
  stretches.every(({ from, to }) => to <= cutAt && !changed.some((at) => at >= from && at < to));

/** Where the latest lines of each row stand that is still there, by its key. */
export function stretchesIn(whole: Buffer): ReadonlyMap<string, Stretch> {
  const found = new Map<string, Stretch>();
  let from = 0;
  for (const line of whole.toString('latin1').split('\n')) {
    const to = from + line.length;
    const [, kind, , key = ''] = line.split('\t');
    if (kind === 'row') found.set(key, { from, to });
    else if (kind === 'gone') found.delete(key);
    // The line end is nobody's.
    from = to + 1;
  }
  return found;
}
