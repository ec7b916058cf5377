import type { Scaling } from '../core/workers/scaling-settings.js';
import { isCount } from '../util/json.js';

/** The error message for an invalid `workers` option; null when it is valid. */
export function workersFault(workers: number | Scaling, jobsPerWorker: number): string | null {
  if (!Number.isSafeInteger(jobsPerWorker) || jobsPerWorker < 1)
    return 'jobsPerWorker must be an integer from 1';
  if (typeof workers === 'number') return isCount(workers) ? null : 'workers must be an integer from 0';
  const { min, max, coldStartMs, idleTimeoutMs, scaler } = workers;
  if (!isCount(min) || !isCount(max) || min > max)
    return 'workers.min and workers.max must be integers from 0, and min no more than max';
  if (!isCount(coldStartMs)) return 'workers.coldStartMs must be an integer from 0';
  if (idleTimeoutMs !== null && !isCount(idleTimeoutMs))
    return 'workers.idleTimeoutMs must be an integer from 0, or null';
  if (scaler?.kind === 'queue-delay' && !isCount(scaler.delayMs))
    return 'the delayMs of a scaler must be an integer from 0';
  if (scaler?.kind === 'request-count' && (!isCount(scaler.jobsPerWorker) || scaler.jobsPerWorker < 1))
    return 'the jobsPerWorker of a scaler must be an integer from 1';
  return null;
}
