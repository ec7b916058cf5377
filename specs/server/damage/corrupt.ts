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

export function corrupt(whole: Buffer, random: RandomStream): Corruption {
  const kind = random.intBetween(0, 99);
  if (kind < 40) return cut(whole, random.intBetween(0, whole.length - 1));
  const place = (): number => random.intBetween(0, whole.length - 1);
  if (kind < 70) return change(whole, [place()], random);
  if (kind < 88) return change(whole, Array.from({ length: random.intBetween(2, 20) }, place), random);
  const begin = place();
  const length = Math.min(random.intBetween(16, 4_096), whole.length - begin);
  return change(
    whole,
    Array.from({ length }, (_, n) => begin + n),
    random,
  );
}

function cut(whole: Buffer, cutAt: number): Corruption {
  return { what: `cut at ${cutAt} of ${whole.length}`, bytes: whole.subarray(0, cutAt), cutAt, changed: [] };
}

function change(whole: Buffer, places: readonly number[], random: RandomStream): Corruption {
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

const PAGE_BYTES = 4_096;
/** The first byte of a page that leads to other pages of the table. */
const INTERIOR = 5;

/** The pages that hold this text, or once held it. */
export function pagesWith(whole: Buffer, text: string): number[] {
  const pages: number[] = [];
  for (let at = whole.indexOf(text); at >= 0; at = whole.indexOf(text, at + 1))
    pages.push(Math.floor(at / PAGE_BYTES));
  return pages;
}

/** Whether the damage has left these pages alone, and those that lead to them. */
export function isSpared({ cutAt, changed }: Corruption, whole: Buffer, pages: readonly number[]): boolean {
  const isHit = (page: number): boolean =>
    cutAt < (page + 1) * PAGE_BYTES || changed.some((at) => Math.floor(at / PAGE_BYTES) === page);
  const leading = [...Array(whole.length / PAGE_BYTES).keys()].filter(
    (page) => whole[page * PAGE_BYTES] === INTERIOR,
  );
  return ![...pages, ...leading].some(isHit);
}
