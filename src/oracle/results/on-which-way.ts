/**
 * A value that comes back changed was changed on the way to the worker, within the input, or on the way back. By itself neither a
 * returned input nor a returned result tells which; beside the other results of the run it shows. What is streamed takes another
 * way back: what is changed alike in an output and in a stream was changed on the way to the worker; and what is changed alike
 * wherever it is returned, and in no stream, on the way back. Where that shows one way to be broken, changes that show neither
 * are laid to it. So results that were changed are judged at the end.
 */
import type { Ledger } from '../ledger/ledger.js';
import type { ChangedValue } from '../ledger/unsettled.js';

const OF_THIS_JOB = '2.4/output-of-this-job';

/** So many differences of one value are looked at. */
export const CHANGES_MAX = 100;

/** At the end of the run. */
export function settleChangedValues(ledger: Ledger): void {
  const { changedValues } = ledger;
  const isOfInput = waysOf(changedValues);
  // Where jobs are proven to show the outputs of others, what others return is no value that was changed.
  const areCrossed = (ledger.entries.get(OF_THIS_JOB)?.failed ?? 0) > 0;
  for (const one of changedValues) {
    const changed = isOfInput(one) ? one.onTheWayThere : one.onTheWayBack;
    const requirement = areCrossed && one.isAnothers === true ? OF_THIS_JOB : changed;
    ledger.fail({ ...one.failure, requirement, expected: one.expected });
  }
}

/** Tells of each whether it was changed on the way to the worker. */
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
    // It shows the way of one only: what changes values on one way, and nothing on the other, has changed this one, too.
    if (there !== back) return there;
    return way === 'echoed';
  };
}
