/** The options of `serve` for the number of workers and their scaling. */
import type { Scaling, ServerOptions } from '../server/index.js';
import type { RawOptions } from './config-file.js';
import { UsageError } from '../app/errors.js';
import { flag, text } from './settings.js';
import { SCALING_DEFAULTS, WORKERS_UNLESS_SAID } from './serve-options.js';
import { durationMs, integer } from './values.js';

const WORKERS_MAX = 10_000;
const JOBS_PER_WORKER_MAX = 1_000;
/** @throws UsageError */
export function workerOptions(
  raw: RawOptions,
): Pick<ServerOptions, 'workers' | 'workersUnlessSaid' | 'jobsPerWorker'> {
  const jobsPerWorker = text(raw, 'jobsPerWorker');
  const workers = workersIn(raw) ?? (flag(raw, 'pull') ? 0 : undefined);
  return {
    ...(workers === undefined ? { workersUnlessSaid: WORKERS_UNLESS_SAID } : { workers }),
    ...(jobsPerWorker === undefined
      ? {}
      : { jobsPerWorker: integer('jobs-per-worker', jobsPerWorker, 1, JOBS_PER_WORKER_MAX) }),
  };
}

/** Undefined: the option is not set. */
function workersIn(raw: RawOptions): number | Scaling | undefined {
  const said = text(raw, 'workers');
  const wanted = said ?? '1';
  const [min, max, ...more] = wanted.split('..');
  if (max === undefined || min === undefined || more.length > 0) {
    const alone = ['coldStart', 'idleTimeout', 'scaler'].find((name) => text(raw, name) !== undefined);
    if (alone !== undefined) {
      const written = alone.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`);
      throw new UsageError(
        `--${written} requires workers that are started and stopped, such as --workers 0..3`,
      );
    }
    if (said === undefined) return undefined;
    if (/^\d+$/.test(wanted.trim())) return integer('workers', wanted, 0, WORKERS_MAX);
    throw new UsageError(`--workers requires a number such as 2, or a range such as 0..3, not "${wanted}"`);
  }
  const scaling: Scaling = {
    min: integer('workers', min, 0, WORKERS_MAX),
    max: integer('workers', max, 0, WORKERS_MAX),
    coldStartMs: durationMs('cold-start', text(raw, 'coldStart') ?? SCALING_DEFAULTS['cold-start']),
    idleTimeoutMs: durationMs('idle-timeout', text(raw, 'idleTimeout') ?? SCALING_DEFAULTS['idle-timeout']),
    scaler: scalerIn(text(raw, 'scaler') ?? SCALING_DEFAULTS.scaler),
  };
  if (scaling.min > scaling.max)
    throw new UsageError(`--workers requires MIN..MAX with MIN no more than MAX, not "${wanted}"`);
  return scaling;
}

function scalerIn(wanted: string): Scaling['scaler'] {
  const [kind, value, ...more] = wanted.split(':');
  if (more.length === 0 && value !== undefined) {
    if (kind === 'queue-delay') return { kind, delayMs: durationMs('scaler', value) };
    if (kind === 'request-count') return { kind, jobsPerWorker: integer('scaler', value, 1, WORKERS_MAX) };
  }
  throw new UsageError(
    `--scaler is queue-delay:4s or request-count:4, with numbers of yours, not "${wanted}"`,
  );
}
