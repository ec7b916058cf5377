/** How far reads have come through the results that a worker was told to produce. */
import type { Json } from '../../history/events.js';
import { lengthOf, NOTHING_TOLD, toldWith, type Told } from '../../history/long-text.js';
import type { Foreseen } from '../observed/plan.js';
import { sameJson } from '../observed/reading.js';

/** How far the expected chunks have been delivered: whole chunks, and characters of the next one. */
export interface Position {
  readonly chunk: number;
  readonly told: Told;
}

export const BEGINNING: Position = { chunk: 0, told: NOTHING_TOLD };

export function isBeyond(one: Position, other: Position): boolean {
  return one.chunk > other.chunk || (one.chunk === other.chunk && one.told.chars > other.told.chars);
}

export function furthest(left: Position, right: Position): Position {
  return isBeyond(right, left) ? right : left;
}

/**
 * Where the outputs lead when read from a position; null when they are not what stands there.
 * `mayBeClosed`: the job may have been stopped, and its error be the last chunk, before its plan was through.
 */
export function follow(
  plan: Foreseen,
  from: Position,
  outputs: readonly Json[],
  mayBeClosed: boolean,
): Position | null {
  let { chunk, told } = from;
  for (const [index, output] of outputs.entries()) {
    const isLast = index === outputs.length - 1;
    const expected = plan.chunks[chunk]?.output;
    if (chunk >= plan.chunks.length) {
      // The handler's own return value, or the error, may close the stream.
      const closes = plan.outcome === 'success' || plan.outcome === 'error' || mayBeClosed;
      return closes && isLast ? { chunk, told } : null;
    }
    const next = after({ chunk, told }, expected!, output);
    if (next === null) return mayBeClosed && isLast ? { chunk, told } : null;
    ({ chunk, told } = next);
  }
  return { chunk, told };
}

function after({ chunk, told }: Position, expected: Json, output: Json): Position | null {
  if (typeof expected !== 'string' || typeof output !== 'string')
    return sameJson(expected, output) ? { chunk: chunk + 1, told: NOTHING_TOLD } : null;
  if (output === '' && expected !== '') return null;
  const next = toldWith(expected, told, output);
  if (next === null) return null;
  return next.chars >= lengthOf(expected) ? { chunk: chunk + 1, told: NOTHING_TOLD } : { chunk, told: next };
}
