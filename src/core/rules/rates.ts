/** Section 8: rate limits. */
import { RATES, RATE_WINDOW_MS } from '../../spec/rates.js';
import type { Operation } from '../../spec/types.js';
import type { Is } from './is.js';

const NONE = Number.POSITIVE_INFINITY;

export const rateRules = (is: Is) => ({
  /** §8: not shown; one published example says 50. */
  requestsPerWorker: (): number => (is('8/requests-per-worker', '50') ? 50 : 0),

  /** §8: requests within the window: the higher of the base limit and what the running workers carry. */
  rateLimit: (op: Operation, runningWorkers: number, perWorker: number): number => {
    const base = RATES[op];
    return base === null ? NONE : Math.max(base.requests, runningWorkers * perWorker);
  },

  /** §8: calls under way at the same time. */
  concurrencyLimit: (op: Operation): number => RATES[op]?.concurrency ?? NONE,

  rateWindowMs: (_op: Operation): number => RATE_WINDOW_MS,

  /** §8: how "per 10 seconds" is counted: not shown. */
  rateAlgorithm: (): 'sliding' | 'fixed' | 'bucket' =>
    is('8/algorithm', 'fixed-window') ? 'fixed' : is('8/algorithm', 'token-bucket') ? 'bucket' : 'sliding',

  /** §8: per user, per endpoint and per operation. What shares a scope shares a limit. */
  rateScope: (key: number, endpoint: string, op: Operation): string =>
    is('8/scope', 'endpoint') ? `${endpoint} ${op}` : `${endpoint} ${op} ${key}`,

  /** §8: whether a refused request uses up the allowance: not shown. */
  refusedCounts: (): boolean => is('8/refused-requests', 'count'),
});
