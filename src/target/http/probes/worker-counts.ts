/** What `/health` tells of the workers before a run. */
import { isObject } from '../../../util/json.js';
import { membersOf, type CapabilityProbe } from './capability-probe.js';

export interface WorkerCounts {
  /** Those that take jobs: idle or running. Null where `/health` does not tell. */
  readonly atWork: number | null;
  /** Those that may take jobs soon. Only some services tell: the document has no such counts (section 2.7). */
  readonly starting: number;
}

export async function askWorkerCounts(
  probe: CapabilityProbe,
  authorization: string | null,
): Promise<WorkerCounts> {
  const { reply } = await probe.ask('GET', '/health', authorization);
  const { workers, jobs } = membersOf(reply);
  const counts = membersIn(workers);
  const [idle, running] = [Number(counts['idle']), Number(counts['running'])];
  // More than there are jobs in progress: it counts all that are up, whether they have a job or not.
  const areAll = running > Number(membersIn(jobs)['inProgress']);
  const atWork = areAll ? Math.max(idle, running) : idle + running;
  const starting = [counts['initializing'], counts['throttled']].map(Number).filter((count) => count > 0);
  return {
    atWork: Number.isSafeInteger(atWork) && atWork >= 0 ? atWork : null,
    starting: starting.reduce((sum, count) => sum + count, 0),
  };
}

const membersIn = (value: unknown): { readonly [name: string]: unknown } => (isObject(value) ? value : {});
