import type { Limits } from '../src/scenario/index.js';
import { WAIT_DEFAULT_MS } from '../src/spec/limits.js';

/**
 * The wait after which a result of /runsync is certainly gone: a service that treats the default of `wait`
 * like a given one keeps it longer.
 */
export const RETENTION_GONE = { waitMs: WAIT_DEFAULT_MS + 10_000 } as const;

/** Whether there is time for another read where the default of `wait` would keep it. */
export const looksTwice = ({ maxWaitMs, marginMs }: Limits): boolean =>
  maxWaitMs >= Math.max(RETENTION_GONE.waitMs, WAIT_DEFAULT_MS + 2 * marginMs);
