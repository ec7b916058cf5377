/** Sections 2.5 and 4.4: what one read of a stream keeps, or else what is wrong with it. */
import type { CallEvent, Json } from '../../history/events.js';
import { lengthOf, mayHold } from '../../history/long-text.js';
import type { RequirementId } from '../../spec/index.js';
import type { Job } from '../cast/cases.js';
import type { Foreseen } from '../observed/plan.js';
import { brief, sameJson } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import { isStreamedByAnother } from './anothers.js';
import { CHANGES_MAX, differencesOf, inWords } from './changed-values.js';
import type { Position } from './follow.js';
import { inputReaches } from './right-output.js';

/** The smaller of the two that 1 MB may be. */
export const MEGABYTE = 1_000_000;

const SMALL_CHARACTERS = 65_536;

export function passRead(scene: Scene, { chunks }: Foreseen, outputs: readonly Json[]): void {
  scene.pass('4.4/chunks-not-invented', '2.5/chunk-output-unchanged', '4.4/chunks-not-duplicated');
  if (outputs.length > 1) scene.pass('4.4/chunks-in-order');
  const chars = chunks.map(({ output }) => (typeof output === 'string' ? lengthOf(output) : null));
  if (chars.some((count) => count !== null && count > 1.1 * MEGABYTE))
    scene.pass('4.4/large-output-split', '4.4/large-output-rejoins');
  const areSmall = chars.every((count) => count !== null && count < SMALL_CHARACTERS);
  if (areSmall && outputs.length <= chunks.length + 1) scene.pass('4.4/chunk-below-limit-whole');
}

/** It does not go on, nor begin anew. `before`: the runs before this one; `reached`: how far the reads before it came. */
export function failRead(
  scene: Scene,
  job: Job,
  call: CallEvent,
  outputs: readonly Json[],
  { plan, before, reached }: { readonly plan: Foreseen; readonly before: number; readonly reached: Position },
): void {
  const produced = plan.chunks.map(({ output }) => output);
  const id = wrongRead(scene, job, produced, outputs, before, reached.chunk);
  const fault = {
    script: job.script,
    expected: `the results ${brief(produced, 200)}, from where the last read stopped or from the first`,
    actual: `/stream #${call.call} delivered ${brief(outputs, 200)}`,
    calls: [job.submitted.call, call.call],
  };
  if (id !== '2.5/chunk-output-unchanged' || outputs.length !== produced.length) scene.fail(id, fault);
  else
    scene.ledger.changedValues.push({
      way: 'streamed',
      changes: produced.flatMap((one, at) => differencesOf(one, outputs[at], CHANGES_MAX)).map(inWords),
      onTheWayThere: inputReaches(job),
      onTheWayBack: id,
      failure: scene.seen(fault),
      expected: fault.expected,
    });
}

/**
 * Which promise a read breaks that does not continue the expected sequence. `runs`: before this one; `from`: the first result
 * not delivered before.
 */
function wrongRead(
  scene: Scene,
  job: Job,
  expected: readonly Json[],
  outputs: readonly Json[],
  runs: number,
  from: number,
): RequirementId {
  const isLarge = expected.some(isLargeText);
  // As many as there are: each is what became of one of them.
  const isOfEach = outputs.length === expected.length || outputs.length === expected.length - from;
  const strange = outputs.filter((output) => !expected.some((one) => holds(one, output)));
  if (strange.length > 0) {
    const before = runs > 0 ? job.foreseen(0).chunks : [];
    if (strange.every((output) => before.some((chunk) => holds(chunk.output, output))))
      return '4.6/removes-stream';
    const areAnothers = strange.every((output) => isStreamedByAnother(scene, job, output));
    // All of its own are there, too: these are none of them.
    const own = outputs.filter((output) => !strange.includes(output));
    if (areAnothers || isReordered(expected, own)) return '4.4/chunks-not-invented';
    if (isLarge) return '4.4/large-output-rejoins';
    const isNoneItsOwn = strange.length === outputs.length && !isOfEach;
    return isNoneItsOwn ? '4.4/chunks-not-invented' : '2.5/chunk-output-unchanged';
  }
  if (isReordered(expected, outputs) || isReordered(expected.slice(from), outputs))
    return '4.4/chunks-in-order';
  if (piecesFallShort(expected, outputs)) return '4.4/large-output-rejoins';
  const keys = outputs.map((output) => JSON.stringify(output));
  const wanted = expected.map((output) => JSON.stringify(output));
  // One that is as another one should be is changed, where the others stand at their places: from the first, or from the last read.
  const first = keys.length === wanted.length ? 0 : from;
  const atTheirPlaces = keys.filter((key, index) => key === wanted[first + index]).length;
  if (isOfEach && !isLarge && 2 * atTheirPlaces >= keys.length) return '2.5/chunk-output-unchanged';
  // Pieces of a text that fits into one chunk, and they do not join again.
  if (!isLarge && keys.some((key) => !wanted.includes(key))) return '2.5/chunk-output-unchanged';
  const count = (list: readonly string[], key: string): number => list.filter((one) => one === key).length;
  const isRepeated = keys.some((key) => count(keys, key) > Math.max(1, count(wanted, key)));
  // It goes on where the last read stopped, save that it begins with the end of that.
  const goesOn = from > 1 && keys.length > 0 && keys.every((key, index) => key === wanted[from - 1 + index]);
  if (isRepeated || goesOn) return '4.4/chunks-not-duplicated';
  const positions = keys.map((key) => wanted.indexOf(key));
  const isSorted = positions.every((position, index) => index === 0 || position >= positions[index - 1]!);
  return isSorted ? '4.4/chunks-not-lost' : '4.4/chunks-in-order';
}

/** Each of the results, or all pieces of it, and nothing else. */
function isReordered(expected: readonly Json[], outputs: readonly Json[]): boolean {
  const [left, pieces] = unmatched(expected, outputs);
  if (left.length === 0 || pieces.length === 0) return left.length === pieces.length;
  const areTexts = left.every((one) => typeof one === 'string');
  const arePieces = pieces.every(
    (piece) => typeof piece === 'string' && left.some((one) => holds(one, piece)),
  );
  return areTexts && arePieces && charsIn(left) === charsIn(pieces);
}

/** What is none of the other results are pieces of the large ones, and less in sum than those: they do not join again. */
function piecesFallShort(expected: readonly Json[], outputs: readonly Json[]): boolean {
  const large = expected.filter(isLargeText);
  const others = expected.filter((output) => !isLargeText(output));
  return large.length > 0 && charsIn(unmatched(others, outputs)[1]) < charsIn(large);
}

/** Without what is the same in both, each as often as it stands there. */
function unmatched(expected: readonly Json[], outputs: readonly Json[]): readonly [Json[], Json[]] {
  const left = [...expected];
  const keys = left.map((output) => JSON.stringify(output));
  const others = outputs.filter((output) => {
    const at = keys.indexOf(JSON.stringify(output));
    if (at < 0) return true;
    keys.splice(at, 1);
    left.splice(at, 1);
    return false;
  });
  return [left, others];
}

function isLargeText(output: Json): output is string {
  return typeof output === 'string' && lengthOf(output) > MEGABYTE;
}

function charsIn(texts: readonly Json[]): number {
  return texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? lengthOf(text) : 0), 0);
}

function holds(expected: Json, output: Json): boolean {
  if (typeof expected === 'string' && typeof output === 'string' && output !== '')
    return mayHold(expected, output);
  return sameJson(expected, output);
}
