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
/** For the readings "limited" of operations that the table does not name. */
const UNNAMED_LIMIT = 500;

/** Calls and jobs that may count against the column Concurrency. */
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

    /** §8: those that run a job count as running; reading the idle ones in would only raise the limit. */
    runningWorkers: (_idle: number, busy: number): number => busy,

    /** §8: requests within the window: the higher of the base limit and what the running workers carry. */
    rateLimit: (op: Operation, running: number, requestsPerWorker: number): number => {
      const base = RATES[op];
      if (base === null) return unnamed[op] === true ? UNNAMED_LIMIT : NONE;
      return Math.max(base.requests, running * requestsPerWorker);
    },

    /** §8: calls under way at the same time. */
    concurrencyLimit: (op: Operation): number =>
      meaning === 'not-enforced' ? NONE : (RATES[op]?.concurrency ?? NONE),

    /** §8: whether a call is under way from its header fields on, or from when it is there as a whole: not shown. */
    countsFromHeaders: (): boolean => meaning === 'calls-under-way',

    /** §8: what is held against it: calls that have not been answered yet. */
    inFlight: (_op: Operation, underWay: InFlight): number => underWay.calls,

    rateWindowMs: (_op: Operation): number => RATE_WINDOW_MS,

    /** §8: how "per 10 seconds" is counted: not shown. */
    rateAlgorithm: (): RateAlgorithm => ALGORITHMS[algorithm],

    /** §8: per endpoint and per operation; whether also per user is not clear. What shares a scope shares a limit. */
    rateScope: (key: number, endpoint: string, op: Operation, _rest: string): string =>
      scope === 'per-endpoint' ? `${endpoint} ${op}` : `${endpoint} ${op} ${key}`,

    /** §8: whether a call refused with 429 uses up the allowance: not shown. */
    refusedCounts: (): boolean => readingOf('8/refused-calls-count') === 'yes',

    /** §8: whether one answered 400 or 404 does. */
    failedCounts: (): boolean => readingOf('8/failed-calls-count') === 'yes',

    /** §8: whether one answered 401 does. */
    unauthorizedCounts: (): boolean => readingOf('8/unauthorized-calls-count') === 'yes',

    /** §8: seconds in the header `retry-after` of a 429; null for no header. */
    retryAfterS: (): number | null =>
      readingOf('8/retry-after') === 'absent' ? null : RATE_WINDOW_MS / 1000,

    /** §8: whether it is written as a date, by those who know the date. */
    retryAfterIsDate: (): boolean => readingOf('8/retry-after') === 'date',

    /** §8: how many jobs may wait: the document knows no limit. */
    queueLengthMax: (_workers: number): number => NONE,
  };
}
