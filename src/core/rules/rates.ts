/** Section 8: rate limits. */
import { RATES, RATE_WINDOW_MS } from '../../spec/rates.js';
import type { Operation } from '../../spec/types.js';
import type { RateAlgorithm } from '../meters.js';
import type { ReadingOf } from './reads.js';

const ALGORITHMS = {
  'sliding-window': 'sliding',
  'fixed-window': 'fixed',
  'token-bucket': 'bucket',
  other: 'from-first',
} as const;
const NONE = Number.POSITIVE_INFINITY;
/** The limit of operations that the table does not name, in the reading that they have one. */
const UNNAMED_LIMIT = 500;

/** What may count against the column Concurrency. */
export interface InFlight {
  readonly calls: number;
  /** Jobs of this operation that have not ended. */
  readonly jobs: number;
}

export function rateRules(readingOf: ReadingOf) {
  const perWorker = { none: 0, '50': 50, other: 120 }[readingOf('8/requests-per-worker')];
  const meaning = readingOf('8/concurrency-meaning');
  const algorithm = readingOf('8/rate-algorithm');
  const scope = readingOf('8/limit-scope');
  const unnamed: { readonly [op: string]: boolean } = {
    retry: readingOf('8/retry-limit') === 'limited',
    health: readingOf('8/health-limit') === 'limited',
  };

  return {
    /** §8: `requests_per_worker` is not shown. */
    requestsPerWorker: (): number => perWorker,

    /** §8: workers that run a job count as running. Counting idle ones, too, would only raise the limit. */
    runningWorkers: (_idle: number, busy: number): number => busy,

    /** §8: requests per window: the base limit, or that of the running workers where it is higher. */
    rateLimit: (op: Operation, running: number, requestsPerWorker: number): number => {
      const base = RATES[op];
      if (base === null) return unnamed[op] === true ? UNNAMED_LIMIT : NONE;
      return Math.max(base.requests, running * requestsPerWorker);
    },

    /** §8: the limit of calls in flight. */
    concurrencyLimit: (op: Operation): number =>
      meaning === 'not-enforced' ? NONE : (RATES[op]?.concurrency ?? NONE),

    /**
     * §8: whether a call is in flight from the arrival of its header fields, or once it is complete; not
     * shown.
     */
    countsFromHeaders: (): boolean => meaning === 'calls-under-way',

    /** §8: what counts against that limit: calls that are not yet answered. */
    inFlight: (_op: Operation, { calls }: InFlight): number => calls,

    rateWindowMs: (_op: Operation): number => RATE_WINDOW_MS,

    /** §8: how "per 10 seconds" is counted; not shown. */
    rateAlgorithm: (): RateAlgorithm => ALGORITHMS[algorithm],

    /**
     * §8: per endpoint and operation; whether also per user is not shown. Calls with equal scopes share a
     * limit.
     */
    rateScope: (key: number, endpoint: string, op: Operation, _rest: string): string =>
      scope === 'per-endpoint' ? `${endpoint} ${op}` : `${endpoint} ${op} ${key}`,

    /** §8: whether a call refused with 429 counts against the limit; not shown. */
    refusedCounts: (): boolean => readingOf('8/refused-calls-count') === 'yes',

    /** §8: whether a call answered with 400 or 404 counts. */
    failedCounts: (): boolean => readingOf('8/failed-calls-count') === 'yes',

    /** §8: whether a call answered with 401 counts. */
    unauthorizedCounts: (): boolean => readingOf('8/unauthorized-calls-count') === 'yes',

    /** §8: seconds in the header `retry-after` of a 429; null for no header. */
    retryAfterS: (): number | null =>
      readingOf('8/retry-after') === 'absent' ? null : RATE_WINDOW_MS / 1000,

    /** §8: whether the server writes it as a date. */
    retryAfterIsDate: (): boolean => readingOf('8/retry-after') === 'date',

    /** §8: how many jobs may wait; the document has no limit. */
    queueLengthMax: (_workers: number): number => NONE,
  };
}
