/** Whether an answer shows something of a job, under whatever name: section 5, for calls without a valid key. */
import type { Json } from '../../history/events.js';
import { JOB_STATUSES } from '../../spec/states.js';
import type { IdLookup } from '../jobs/call-index.js';
import { isGiven, isObject, sameJson, type JsonObject } from '../observed/recorded-call.js';

/** Shorter outputs, such as `1` or `"ok"`, may stand in any answer. */
const OUTPUT_CHARACTERS_MIN = 8;

/** `lookup`: the job that the path names, if any. */
export function revealsJob(answer: Json | undefined, lookup: IdLookup | null): boolean {
  const { returned } = lookup?.job?.predicted(0) ?? {};
  const isTelling = returned !== undefined && JSON.stringify(returned).length >= OUTPUT_CHARACTERS_MIN;
  const reveals = (value: Json): boolean => {
    if (isTelling && sameJson(value, returned)) return true;
    if (Array.isArray(value)) return (value as readonly Json[]).some(reveals);
    if (!isObject(value)) return false;
    return isGiven(value['output']) || isOfState(value) || Object.values(value).some(reveals);
  };
  return isGiven(answer) && reveals(answer!);
}

/** An error may be called FAILED as well; a job has one of the other members of a record with it. */
function isOfState(value: JsonObject): boolean {
  const isRecord = ['id', 'delayTime', 'executionTime'].some((name) => isGiven(value[name]));
  return Object.values(value).some(
    (member) => JOB_STATUSES.some((status) => status === member) && (member !== 'FAILED' || isRecord),
  );
}
