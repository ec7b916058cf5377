/** A count that is wrong, told job by job. */
import type { Job } from '../cast/cases.js';
import type { Place } from '../model/hypothesis.js';
import type { ContradictionInNumber } from '../proof/contradiction.js';
import { howMany, type Census, type Interval } from './census.js';

/** More parts are nothing to read. */
const PARTS_MAX = 200;

export function sumOfJobs(
  census: Census,
  of: string,
  told: number,
  { least, most }: Interval,
  places: readonly Place[],
  not?: (job: Job) => boolean,
): ContradictionInNumber | null {
  const { jobs, ghosts } = census;
  if (jobs.length > PARTS_MAX) return null;
  const parts = jobs.map((job) => ({
    what: `job ${job.job.id}`,
    ...howMany({ jobs: [job], ghosts: 0 }, places, not),
  }));
  const unknown = { what: 'submissions whose outcome nobody knows', least: 0, most: ghosts };
  return { kind: 'number', of, told, least, most, parts: ghosts === 0 ? parts : [...parts, unknown] };
}
