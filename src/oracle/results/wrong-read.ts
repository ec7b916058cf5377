/** A read of a stream that is not what it should be: what is wrong with it. */
import type { Json } from '../../history/events.js';
import { lengthOf, mayHold } from '../../history/long-text.js';
import type { RequirementId } from '../../spec/index.js';
import type { Job } from '../cases.js';
import type { Foreseen } from '../plan.js';
import { sameJson } from '../reading.js';

/** The smaller of the two that 1 MB may be. */
export const MEGABYTE = 1_000_000;

/** Which promise a read breaks that does not continue the expected sequence. */
export function wrongRead(job: Job, plan: Foreseen, outputs: readonly Json[], runs: number): RequirementId {
  const expected = plan.chunks.map((chunk) => chunk.output);
  const whole = outputs.filter((output) => !expected.some((one) => holds(one, output)));
  if (whole.length > 0) {
    const old =
      runs > 0 &&
      whole.every((output) => job.foreseen(0).chunks.some((chunk) => holds(chunk.output, output)));
    if (old) return '4.6/removes-stream';
    return expected.some((one) => typeof one === 'string' && lengthOf(one) > MEGABYTE)
      ? '4.4/large-output-rejoins'
      : whole.length === outputs.length
        ? '4.4/chunks-not-invented'
        : '2.5/chunk-output-unchanged';
  }
  if (piecesFallShort(expected, outputs)) return '4.4/large-output-rejoins';
  const keys = outputs.map((output) => JSON.stringify(output));
  const wanted = expected.map((output) => JSON.stringify(output));
  const repeated = keys.some((key) => count(keys, key) > Math.max(1, count(wanted, key)));
  if (repeated) return '4.4/chunks-not-duplicated';
  const positions = keys.map((key) => wanted.indexOf(key));
  const sorted = positions.every((position, index) => index === 0 || position >= positions[index - 1]!);
  return sorted ? '4.4/chunks-not-lost' : '4.4/chunks-in-order';
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
  const chars = (texts: readonly Json[]): number =>
    texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? lengthOf(text) : 0), 0);
  return chars(pieces) < chars(large);
}

function holds(expected: Json, output: Json): boolean {
  if (typeof expected === 'string' && typeof output === 'string')
    return output !== '' && mayHold(expected, output);
  return sameJson(expected, output);
}

function count(list: readonly string[], key: string): number {
  return list.filter((one) => one === key).length;
}
