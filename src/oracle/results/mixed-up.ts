/** What one submission carries is given to its own job alone: sections 2.1 and 2.3. */
import type { CallEvent, Json } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import type { Job } from '../cast/cases.js';
import { precedes } from '../cast/sightings.js';
import { isObject, sameJson } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';

/** What an output shows of what the worker was given. */
export type Given = 'input' | 's3Config';

const NOT_MIXED = {
  input: '2.1/input-not-mixed-between-jobs',
  s3Config: '2.3/not-mixed-between-jobs',
} as const satisfies { readonly [G in Given]: RequirementId };

const carried = (job: Job, given: Given): Json => job.submission[given] ?? null;

/** The job was given its own, as `call` shows: with another one about that carries something else, that might not have been. */
export function keptApart(scene: Scene, job: Job, given: Given, call: CallEvent): void {
  const own = carried(job, given);
  const others = scene.cast.jobs.some(
    (other) => other !== job && precedes(other.submitted, call) && !sameJson(carried(other, given), own),
  );
  if (others) scene.pass(NOT_MIXED[given]);
}

/** The output is what the worker would have made of what another submission carries; null where it is none of those. */
export function mixedUp(scene: Scene, job: Job, given: Given, output: Json): RequirementId | null {
  const shown = given === 's3Config' ? shownConfig(output) : output;
  if (shown === undefined || sameJson(shown, carried(job, given))) return null;
  const foreign = scene.cast.jobs.some((other) => {
    const its = carried(other, given);
    if (other === job || its === null) return false;
    return sameJson(its, shown) || (given === 'input' && sameJson({ echo: its }, shown));
  });
  return foreign ? NOT_MIXED[given] : null;
}

function shownConfig(output: Json): Json | undefined {
  return isObject(output) ? output['s3Config'] : undefined;
}
