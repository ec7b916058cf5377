/**
 * Corrupts bytes in seeded ways, and knows independently of the server's own reader which jobs are affected.
 */
import type { RandomStream } from '../../../src/time/random.js';

export interface Corruption {
  readonly what: string;
  readonly bytes: Buffer;
  /** Everything from here on is cut off; the full length where nothing is. */
  readonly cutAt: number;
  /** Offsets of changed bytes, in ascending order. */
  readonly changed: readonly number[];
}

/** @param textEnd offset of the trailing zeros */
export function corrupt(whole: Buffer, textEnd: number, random: RandomStream): Corruption {
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

export function cut(whole: Buffer, cutAt: number): Corruption {
  return { what: `cut at ${cutAt} of ${whole.length}`, bytes: whole.subarray(0, cutAt), cutAt, changed: [] };
}

export function change(whole: Buffer, places: readonly number[], random: RandomStream): Corruption {
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

/** The range of the latest lines of a job. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

export const isIntact = ({ cutAt, changed }: Corruption, ranges: readonly ByteRange[]): boolean =>
  ranges.every(({ from, to }) => to <= cutAt && !changed.some((at) => at >= from && at < to));

/** The ranges of the latest lines of each row that still exists, by key. */
export function rangesIn(whole: Buffer): ReadonlyMap<string, ByteRange> {
  const found = new Map<string, ByteRange>();
  let from = 0;
  for (const line of whole.toString('latin1').split('\n')) {
    const to = from + line.length;
    const [, kind, , key = ''] = line.split('\t');
    if (kind === 'row') found.set(key, { from, to });
    else if (kind === 'gone') found.delete(key);
    // The line end belongs to no row.
    from = to + 1;
  }
  return found;
}
