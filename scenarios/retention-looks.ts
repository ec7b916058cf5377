import type { Limits } from '../src/scenario/index.js';
import { WAIT_DEFAULT_MS } from '../src/spec/limits.js';

/** So long a single wait shows that a result of /runsync is gone: who takes the default of `wait` for one that was given keeps it longer. */
export const RETENTION_GONE = { waitMs: WAIT_DEFAULT_MS + 10_000 } as const;

/** Is there time to look again where the default of `wait` would keep it? */
export const looksTwice = ({ maxWaitMs, marginMs }: Limits): boolean =>
  maxWaitMs >= Math.max(RETENTION_GONE.waitMs, WAIT_DEFAULT_MS + 2 * marginMs);
