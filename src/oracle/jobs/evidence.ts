/**
 * What the target has demonstrably implemented. A refusal of an invalid call proves something only if valid
 * calls of the operation succeed, and a 404 for an unknown endpoint only if the known endpoint answers: a
 * target that answers every call alike satisfies nothing.
 */
import type { CallEvent } from '../../history/events.js';
import { MAIN_OPERATIONS, type MainOperation } from '../../spec/operations.js';
import { answerOf, chunksOf, isJobRecord, jsonOf, recordOf } from '../observed/recorded-call.js';
import type { IdLookup } from './call-index.js';

export type Evidence =
  | 'an operation is implemented'
  /** The operation works: a call was answered with success and with the content that section 4 describes. */
  | `/${MainOperation} is implemented`
  /** A call of the operation without a valid key was answered with 401. */
  | `/${MainOperation} requires the key`
  | 'the key is accepted';

/** Built once, since it is looked up for every call. */
const OF = new Map(
  MAIN_OPERATIONS.map((op) => {
    const [implemented, key] = [`/${op} is implemented`, `/${op} requires the key`] as const;
    return [
      op,
      {
        implemented: [implemented] as readonly Evidence[],
        key,
        keyChecked: [implemented, key] as readonly Evidence[],
      },
    ];
  }),
);

const ANY: readonly Evidence[] = ['an operation is implemented'];
export const KEY_ACCEPTED: readonly Evidence[] = ['the key is accepted'];

/** The operation is implemented; for paths with unspecified answers, any operation will do. */
export function operationImplemented(op: CallEvent['op']): readonly Evidence[] {
  return OF.get(op as MainOperation)?.implemented ?? ANY;
}

/** A valid key makes a difference to the operation. */
export function keyChecked(op: CallEvent['op']): readonly Evidence[] {
  return OF.get(op as MainOperation)?.keyChecked ?? ANY;
}

export function keyRequired(op: MainOperation): Evidence {
  return OF.get(op)!.key;
}

/** Status codes that an endpoint may send before the operation looks at its job. */
const BEFORE_THE_JOB: readonly number[] = [401, 403, 404, 405, 429];

/** The answer shows that the operation works. `lookup`: the lookup of the id in the path, if any. */
export function showsImplementation(call: CallEvent, lookup: IdLookup | null): boolean {
  const ok = answerOf(call) === 'ok';
  switch (call.op) {
    case null:
    case 'openai':
    case 'requests':
      return false;
    case 'run':
    case 'status':
      return ok && isRecord(call);
    case 'runsync':
      return (ok && isRecord(call)) || isJobRecord(call);
    case 'cancel':
    case 'retry':
      return (ok && isRecord(call)) || refusesOf(call, lookup);
    case 'stream':
      return (ok && chunksOf(jsonOf(call.reply!.body)) !== null) || refusesOf(call, lookup);
    case 'purge-queue':
      return ok && hasOneOf(call, 'removed', 'status');
    case 'health':
      return ok && hasOneOf(call, 'jobs', 'workers');
  }
}

/** The operation was refused because of the state of a job that exists. */
function refusesOf(call: CallEvent, lookup: IdLookup | null): boolean {
  const known = lookup !== null && lookup.job !== null;
  return known && answerOf(call) === 'refused' && !BEFORE_THE_JOB.includes(call.reply!.status);
}

function isRecord(call: CallEvent): boolean {
  return hasOneOf(call, 'id', 'status');
}

function hasOneOf(call: CallEvent, ...names: readonly string[]): boolean {
  const record = recordOf(call);
  return record !== null && names.some((name) => record[name] !== undefined);
}

/** The reason to report when an answer proved nothing. */
export function whyInconclusive(needed: readonly Evidence[]): string {
  const [first] = needed;
  if (first === 'the key is accepted')
    return 'no valid key was accepted, so a 401 says nothing about the key';
  if (first === 'an operation is implemented' || first === undefined)
    return 'no operation was answered as section 4 describes, so status codes prove nothing';
  const op = first.slice(0, first.indexOf(' '));
  return `no ${op} was answered as section 4 describes, so its other answers prove nothing`;
}
