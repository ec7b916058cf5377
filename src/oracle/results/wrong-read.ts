/** A read of a stream that is not what it should be: what is wrong with it. */
import type { Json } from '../../history/events.js';
import { lengthOf, mayHold } from '../../history/long-text.js';
import type { RequirementId } from '../../spec/index.js';
import type { Job } from '../cast/cases.js';
import type { Foreseen } from '../observed/plan.js';
import { sameJson } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import { isStreamedByAnother } from './anothers.js';

/** The smaller of the two that 1 MB may be. */
export const MEGABYTE = 1_000_000;

/** Which promise a read breaks that does not continue the expected sequence. `from`: the first result not delivered before. */
export function wrongRead(
  scene: Scene,
  job: Job,
  plan: Foreseen,
  outputs: readonly Json[],
  { runs, from }: { readonly runs: number; readonly from: number },
): RequirementId {
  const expected = plan.chunks.map((chunk) => chunk.output);
  const isLarge = expected.some((one) => typeof one === 'string' && lengthOf(one) > MEGABYTE);
  const strange = outputs.filter((output) => !expected.some((one) => holds(one, output)));
  // As many as there are: each is what became of one of them.
  const isOfEach = outputs.length === expected.length || outputs.length === expected.length - from;
  if (strange.length > 0) {
    const old =
      runs > 0 &&
      strange.every((output) => job.foreseen(0).chunks.some((chunk) => holds(chunk.output, output)));
    if (old) return '4.6/removes-stream';
    if (strange.every((output) => isStreamedByAnother(scene, job, output))) return '4.4/chunks-not-invented';
    // All of its own are there, too: these are none of them.
    const own = outputs.filter((output) => !strange.includes(output));
    if (sameInAnyOrder(expected, own)) return '4.4/chunks-not-invented';
    if (isLarge) return '4.4/large-output-rejoins';
    return strange.length === outputs.length && !isOfEach
      ? '4.4/chunks-not-invented'
      : '2.5/chunk-output-unchanged';
  }
  if (sameInAnyOrder(expected, outputs) || sameInAnyOrder(expected.slice(from), outputs))
    return '4.4/chunks-in-order';
  if (piecesFallShort(expected, outputs)) return '4.4/large-output-rejoins';
  const keys = outputs.map((output) => JSON.stringify(output));
  const wanted = expected.map((output) => JSON.stringify(output));
  // One that is as another one should be is changed, where the others stand at their places.
  if (isOfEach && !isLarge && 2 * atTheirPlaces(keys, wanted, from) >= keys.length)
    return '2.5/chunk-output-unchanged';
  // Pieces of a text that fits into one chunk, and they do not join again.
  if (!isLarge && keys.some((key) => !wanted.includes(key))) return '2.5/chunk-output-unchanged';
  const repeated = keys.some((key) => count(keys, key) > Math.max(1, count(wanted, key)));
  if (repeated) return '4.4/chunks-not-duplicated';
  // It goes on where the last read stopped, save that it begins with the end of that.
  if (from > 1 && sameInOrder(wanted.slice(from - 1), keys)) return '4.4/chunks-not-duplicated';
  const positions = keys.map((key) => wanted.indexOf(key));
  const sorted = positions.every((position, index) => index === 0 || position >= positions[index - 1]!);
  return sorted ? '4.4/chunks-not-lost' : '4.4/chunks-in-order';
}

/** How many stand where they should, the whole read from its beginning or from where the last one stopped. */
function atTheirPlaces(keys: readonly string[], wanted: readonly string[], from: number): number {
  const first = keys.length === wanted.length ? 0 : from;
  return keys.filter((key, index) => key === wanted[first + index]).length;
}

const sameInOrder = (wanted: readonly string[], keys: readonly string[]): boolean =>
  keys.length > 0 && keys.every((key, index) => key === wanted[index]);

/** Each of the results, or all pieces of it, and nothing else. */
function sameInAnyOrder(expected: readonly Json[], outputs: readonly Json[]): boolean {
  const left = expected.map((output) => JSON.stringify(output));
  const pieces = outputs.filter((output) => {
    const at = left.indexOf(JSON.stringify(output));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  if (left.length === 0 || pieces.length === 0) return left.length === 0 && pieces.length === 0;
  const whole = left.map((text) => JSON.parse(text) as Json);
  if (!pieces.every((piece) => typeof piece === 'string' && whole.some((one) => holds(one, piece))))
    return false;
  return whole.every((one) => typeof one === 'string') && charsIn(whole) === charsIn(pieces);
}

/** What is none of the other results are pieces of the large ones, and less in sum than those: they do not join again. */
function piecesFallShort(expected: readonly Json[], outputs: readonly Json[]): boolean {
  const isLarge = (output: Json): output is string =>
    typeof output === 'string' && lengthOf(output) > MEGABYTE;
  const large = expected.filter(isLarge);
  if (large.length === 0) return false;
  const others = expected.filter((output) => !isLarge(output)).map((output) => JSON.stringify(output));
  const pieces = outputs.filter((output) => {
    const at = others.indexOf(JSON.stringify(output));
    if (at >= 0) others.splice(at, 1);
    return at < 0;
  });
  return charsIn(pieces) < charsIn(large);
}

function charsIn(texts: readonly Json[]): number {
  return texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? lengthOf(text) : 0), 0);
}

function holds(expected: Json, output: Json): boolean {
  if (typeof expected === 'string' && typeof output === 'string' && output !== '')
    return mayHold(expected, output);
  return sameJson(expected, output);
}

function count(list: readonly string[], key: string): number {
  return list.filter((one) => one === key).length;
}
