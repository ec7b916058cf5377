/** What is another job's: an output, a stream, or what its submission carries (sections 2.1, 2.3 and 2.4). */
import type { CallEvent, Json } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import type { Job } from '../cast/cases.js';
import { precedes } from '../cast/sightings.js';
import type { Foreseen } from '../observed/plan.js';
import { isObject, recordOf, sameJson, statusIn, type JsonObject } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import type { Given } from './right-output.js';

/** The job whose output it is, where it is not this one's; null where it is none's, or may be many a job's. */
export function whoseOutput({ cast }: Scene, job: Job, output: Json): Job | null {
  if (isCommon(output)) return null;
  return cast.jobs.find((other) => other !== job && mayReturn(other.foreseen(0), output)) ?? null;
}

/** As another job returns it, too, which by itself is no sign of that one. */
export function isReturnedByAnother({ cast }: Scene, job: Job, output: Json): boolean {
  return cast.jobs.some((other) => other !== job && mayReturn(other.foreseen(0), output));
}

/** A handler that streams may return what it says, or all its results; what it returns in the end is open otherwise. */
function mayReturn({ chunks, returned }: Foreseen, output: Json): boolean {
  if (sameJson(returned, output)) return true;
  return (
    chunks.length > 0 &&
    sameJson(
      chunks.map((chunk) => chunk.output),
      output,
    )
  );
}

const isAmong = (output: Json, { chunks }: Foreseen): boolean =>
  chunks.some((chunk) => sameJson(chunk.output, output));

/** The record of a job that streams shows the output of another one: that is the run of which it tells. */
export function runOfAnother(scene: Scene, job: Job, record: JsonObject): Job | null {
  const plan = job.foreseen(0);
  const output = record['output'] ?? null;
  // What the output of a job that streams is, is open: it may be one of its own results.
  if (!plan.streams || plan.outcome !== 'success' || mayReturn(plan, output) || isAmong(output, plan))
    return null;
  return whoseOutput(scene, job, output);
}

/** Its record shows the output of another job, and so does its stream: that its worker was given the other's input is told there. */
export function isRunOfAnother(scene: Scene, job: Job, outputs: readonly Json[]): boolean {
  return job.calls.some((call) => {
    if (call.op !== 'status' || statusIn(call) !== 'COMPLETED') return false;
    const other = runOfAnother(scene, job, recordOf(call)!);
    return outputs.every((output) => other !== null && isAmong(output, other.foreseen(0)));
  });
}

/** One of the results that another job streams. */
export function isStreamedByAnother({ cast }: Scene, job: Job, output: Json): boolean {
  if (typeof output === 'string' ? output === '' : isCommon(output)) return false;
  return cast.jobs.some((other) => other !== job && isAmong(output, other.foreseen(0)));
}

/** Characters of `{}`, `[""]`, `null`, `false` and small numbers. */
const COMMON_MAX = 5;

/** What many a job returns is no sign of another one. */
function isCommon(output: Json): boolean {
  const text = JSON.stringify(output);
  return text.length <= COMMON_MAX || text === '{"ok":true}' || text === '{"echo":{}}';
}

const NOT_MIXED = {
  input: '2.1/input-not-mixed-between-jobs',
  s3Config: '2.3/not-mixed-between-jobs',
} as const;

const carried = (job: Job, given: 'input' | 's3Config'): Json => job.submission[given] ?? null;

/** The job was given its own, as `call` shows: with another one about that carries something else, that might not have been. */
export function keptApart(scene: Scene, job: Job, given: NonNullable<Given>, call: CallEvent): void {
  const own = carried(job, given);
  const others = scene.cast.jobs.some(
    (other) => other !== job && precedes(other.submitted, call) && !sameJson(carried(other, given), own),
  );
  if (others) scene.pass(NOT_MIXED[given]);
}

/** The output is what the worker would have made of what another submission carries; null where it is none of those. */
export function mixedUp({ cast }: Scene, job: Job, given: Given, output: Json): RequirementId | null {
  if (given === null) return null;
  const shown = given === 'input' ? output : isObject(output) ? output['s3Config'] : undefined;
  if (shown === undefined || sameJson(shown, carried(job, given))) return null;
  const isMadeOf = (its: Json): boolean =>
    its !== null && (sameJson(its, shown) || (given === 'input' && sameJson({ echo: its }, shown)));
  const isForeign = cast.jobs.some((other) => other !== job && isMadeOf(carried(other, given)));
  return isForeign ? NOT_MIXED[given] : null;
}
