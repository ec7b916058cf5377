/**
 * What the target has shown that it does. A refusal tells that a bad call is refused only where good ones are served, and a 404
 * tells of an unknown endpoint only where the right one is known: what answers everything alike keeps nothing by it.
 */
import type { CallEvent } from '../../history/events.js';
import { MAIN_OPERATIONS, type MainOperation } from '../../spec/operations.js';
import { answerOf, chunksOf, isJobRecord, jsonOf, recordOf } from '../observed/recorded-call.js';
import type { IdLookup } from './call-index.js';

export type Evidence =
  | 'an operation is implemented'
  /** It performed the operation: it was answered with success, and with what section 4 says of its answer. */
  | `/${MainOperation} is implemented`
  /** A call of the operation without a valid key was answered 401. */
  | `/${MainOperation} requires the key`
  | 'the key is accepted';

/** Made once: it is asked of every call. */
const OF = new Map(
  MAIN_OPERATIONS.map((op) => {
    const [served, key] = [`/${op} is implemented`, `/${op} requires the key`] as const;
    return [
      op,
      { served: [served] as readonly Evidence[], key, keyTells: [served, key] as readonly Evidence[] },
    ];
  }),
);

const ANY: readonly Evidence[] = ['an operation is implemented'];
export const KEY_ACCEPTED: readonly Evidence[] = ['the key is accepted'];

/** That an operation is implemented; paths whose answers are not shown are no better than the whole. */
export function operationImplemented(op: CallEvent['op']): readonly Evidence[] {
  return OF.get(op as MainOperation)?.served ?? ANY;
}

/** That a valid key makes a difference to the operation. */
export function keyChecked(op: CallEvent['op']): readonly Evidence[] {
  return OF.get(op as MainOperation)?.keyTells ?? ANY;
}

export function keyRequired(op: MainOperation): Evidence {
  return OF.get(op)!.key;
}

/** The codes that come before an operation looks at its job. */
const BEFORE_THE_JOB: readonly number[] = [401, 403, 404, 405, 429];

/** The answer shows the operation at work. `asked`: by which id, where it names one. */
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

/** It was refused of a job that exists, for what that job is. */
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

/** Why an answer was worth nothing, for people. */
export function whyInconclusive(needed: readonly Evidence[]): string {
  const [first] = needed;
  if (first === 'the key is accepted')
    return 'no valid key was taken, so that a 401 tells nothing of the key';
  if (first === 'an operation is implemented' || first === undefined)
    return 'no operation was answered as section 4 describes, so that no code tells anything';
  const op = first.slice(0, first.indexOf(' '));
  return `no ${op} was answered as section 4 describes, so that what else it was answered tells nothing`;
}
