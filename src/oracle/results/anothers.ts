/** Results that are those of another job of the endpoint. */
import type { Json } from '../../history/events.js';
import type { Job } from '../cast/cases.js';
import type { Foreseen } from '../observed/plan.js';
import { isObject, recordOf, sameJson, statusIn, type JsonObject } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import type { Given } from './mixed-up.js';

/** The job whose output it is, where it is not this one's; null where it is none's, or may be many a job's. */
export function anothers({ cast }: Scene, job: Job, given: Given | null, output: Json): Job | null {
  // What a worker says of an s3Config is the same for every job that has none.
  if (given === 's3Config' && isObject(output) && 's3Config' in output) return null;
  if (isCommon(output)) return null;
  return cast.jobs.find((other) => other !== job && mayReturn(other.foreseen(0), output)) ?? null;
}

/** As another job returns it, too, which by itself is no sign of that one. */
export function isReturnedByAnother({ cast }: Scene, job: Job, output: Json): boolean {
  return cast.jobs.some((other) => other !== job && mayReturn(other.foreseen(0), output));
}

/** A handler that streams may return what it says, or all its results; what it returns in the end is open otherwise. */
function mayReturn({ chunks, returned }: Foreseen, output: Json): boolean {
  return sameJson(returned, output) || (chunks.length > 0 && sameJson(outputsIn(chunks), output));
}

const outputsIn = (chunks: Foreseen['chunks']): Json => chunks.map(({ output }) => output);

/** The record of a job that streams shows the output of another one: that is the run of which it tells. */
export function runOfAnother(scene: Scene, job: Job, record: JsonObject): Job | null {
  const plan = job.foreseen(0);
  const output = record['output'] ?? null;
  if (!plan.streams || plan.outcome !== 'success' || mayReturn(plan, output)) return null;
  // What the output of a job that streams is, is open: it may be one of its own results.
  if (plan.chunks.some((chunk) => sameJson(chunk.output, output))) return null;
  return anothers(scene, job, null, output);
}

/** Its record shows the output of another job, and so does its stream: that its worker was given the other's input is told there. */
export function isRunOfAnother(scene: Scene, job: Job, outputs: readonly Json[]): boolean {
  return job.calls.some((call) => {
    if (call.op !== 'status' || statusIn(call) !== 'COMPLETED') return false;
    const other = runOfAnother(scene, job, recordOf(call)!);
    const chunks = other?.foreseen(0).chunks ?? [];
    return outputs.every((output) => chunks.some((chunk) => sameJson(chunk.output, output)));
  });
}

/** One of the results that another job streams. */
export function isStreamedByAnother({ cast }: Scene, job: Job, output: Json): boolean {
  if (typeof output === 'string' ? output === '' : isCommon(output)) return false;
  return cast.jobs.some(
    (other) => other !== job && other.foreseen(0).chunks.some((chunk) => sameJson(chunk.output, output)),
  );
}

/** What many a job returns is no sign of another one. */
function isCommon(output: Json): boolean {
  const text = JSON.stringify(output);
  return text.length <= COMMON_MAX || text === '{"ok":true}' || text === '{"echo":{}}';
}

/** Characters of `{}`, `[""]`, `null`, `false` and small numbers. */
const COMMON_MAX = 5;
