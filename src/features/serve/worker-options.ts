/** The options of `serve` for the number of workers and their scaling. */
import type { ServerOptions } from '../../server/index.js';
import { UsageError } from '../../util/errors.js';
import type { Settings } from '../../cli/options/option.js';
import { SCALING_DEFAULTS, WORKERS_UNLESS_SAID, type WORKER_OPTIONS } from './options.js';

/** @throws UsageError */
export function workerOptions({
  workers: said,
  pull,
  jobsPerWorker,
  ...scaled
}: Settings<typeof WORKER_OPTIONS>): Pick<ServerOptions, 'workers' | 'workersUnlessSaid' | 'jobsPerWorker'> {
  if (typeof said === 'object') {
    const { coldStartMs, idleTimeoutMs, scaler } = scaled;
    const scaling = {
      coldStartMs: coldStartMs ?? SCALING_DEFAULTS.coldStartMs,
      idleTimeoutMs: idleTimeoutMs ?? SCALING_DEFAULTS.idleTimeoutMs,
      scaler: scaler ?? SCALING_DEFAULTS.scaler,
    };
    return { workers: { ...said, ...scaling }, jobsPerWorker };
  }
  const alone = ALONE.find(([name]) => scaled[name] !== undefined);
  if (alone !== undefined)
    throw new UsageError(
      `--${alone[1]} requires workers that are started and stopped, such as --workers 0..3`,
    );
  const workers = said ?? (pull ? 0 : undefined);
  return {
    workers,
    workersUnlessSaid: workers === undefined ? WORKERS_UNLESS_SAID : undefined,
    jobsPerWorker,
  };
}

/** Options that only a range of workers takes. */
const ALONE = [
  ['coldStartMs', 'cold-start'],
  ['idleTimeoutMs', 'idle-timeout'],
  ['scaler', 'scaler'],
] as const;
