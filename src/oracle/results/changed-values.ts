/**
 * A value that comes back changed was changed either on the way to the worker (within the input) or on the
 * way back. One value alone does not show which; other values of the run do. Streams return by another way: a
 * change seen in an output and in a stream happened on the way to the worker; one seen in every output but in
 * no stream happened on the way back. Changes that show neither are attributed to the way that is proven
 * faulty. So changed values are judged at the end of the run.
 */
import type { Json } from '../../history/events.js';
import type { Ledger } from '../ledger/ledger.js';
import type { ChangedValue } from '../ledger/unsettled.js';
import { excerpt, isObject, sameJson } from '../observed/recorded-call.js';

export const OF_THIS_JOB = '2.4/output-of-this-job';

/** Differences examined per value. */
const CHANGES_MAX = 100;

/** The changes, in words. */
export const changesOf = (expected: Json | undefined, got: Json | undefined): readonly string[] =>
  differencesOf(expected, got, CHANGES_MAX).map(changeText);

/** Called at the end of the run. */
export function settleChangedValues(ledger: Ledger): void {
  const { changedValues } = ledger;
  const isOfInput = waysOf(changedValues);
  // If jobs provably show the outputs of others, a value that others return was not changed but swapped.
  const areCrossed = ledger.hasFailed(OF_THIS_JOB);
  for (const one of changedValues) {
    const changed = isOfInput(one) ? one.ifChangedThere : one.ifChangedBack;
    const requirement = areCrossed && one.isAnothers === true ? OF_THIS_JOB : changed;
    ledger.fail(requirement, one.failure, one.expected);
  }
}

/** Decides for each value whether it was changed on the way to the worker. */
function waysOf(values: readonly ChangedValue[]): (one: ChangedValue) => boolean {
  const by = (wanted: ChangedValue['way']): ReadonlySet<string> =>
    new Set(values.flatMap(({ way, changes }) => (way === wanted ? changes : [])));
  const echoed = by('echoed');
  const returned = by('returned');
  const streamed = by('streamed');
  const isChangedThere = (change: string): boolean => echoed.has(change) && streamed.has(change);
  const isChangedBack = (change: string): boolean =>
    echoed.has(change) && returned.has(change) && !streamed.has(change);
  const changes = [...echoed];
  const there = changes.some(isChangedThere);
  const back = changes.some(isChangedBack);
  return ({ way, changes: own }) => {
    if (own.length > 0 && own.every(isChangedThere)) return true;
    if (own.length > 0 && own.every(isChangedBack)) return false;
    // Only one way is proven faulty, so it is the likely cause of this change, too.
    if (there !== back) return there;
    return way === 'echoed';
  };
}

interface Difference {
  /** The path of member names; for arrays, indices. */
  readonly names: readonly string[];
  readonly expected: Json | undefined;
  readonly got: Json | undefined;
}

/** The innermost differences, in order, at most this many. */
export function differencesOf(
  expected: Json | undefined,
  got: Json | undefined,
  most: number,
  names: readonly string[] = [],
): readonly Difference[] {
  if (sameJson(expected, got)) return [];
  const [left, right] = [membersOf(expected), membersOf(got)];
  if (left === null || right === null || Array.isArray(expected) !== Array.isArray(got))
    return [{ names, expected, got }];
  const found: Difference[] = [];
  for (const name of new Set([...left.keys(), ...right.keys()])) {
    if (found.length >= most) break;
    found.push(...differencesOf(left.get(name), right.get(name), most - found.length, [...names, name]));
  }
  return found;
}

function membersOf(value: Json | undefined): Map<string, Json> | null {
  if (Array.isArray(value))
    return new Map((value as readonly Json[]).map((item, index) => [`${index}`, item]));
  return isObject(value) ? new Map(Object.entries(value)) : null;
}

/** A change in words, independent of its position in a list, so that equal changes have equal words. */
function changeText({ names, expected, got }: Difference): string {
  if (typeof expected === 'string' && typeof got === 'string' && isBeyondAscii(expected, got))
    return 'non-ASCII characters changed';
  const name = names.at(-1) ?? '';
  return `${INDEX.test(name) ? '' : name}: ${excerpt(expected, EXCERPT_CHARS)} became ${excerpt(got, EXCERPT_CHARS)}`;
}

/** Both texts have the same ASCII characters in the same order. */
function isBeyondAscii(expected: string, got: string): boolean {
  const parts = expected.split(BEYOND_ASCII);
  const [first, last] = [parts[0]!, parts.at(-1)!];
  if (parts.length === 1 || !got.startsWith(first) || !got.endsWith(last)) return false;
  let from = 0;
  for (const part of parts) {
    const at = got.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return true;
}

const BEYOND_ASCII = /[^\0-\x7f]+/;

/** An index of a list. */
const INDEX = /^\d+$/;

const EXCERPT_CHARS = 200;
