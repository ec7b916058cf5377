/** Section 8's table of rates, row by row: what an operation may, and the requirements that hold a service to it. */
import {
  CONCURRENT_OPERATIONS,
  RATED_OPERATIONS,
  RATES,
  idsFor,
  type ConcurrentOperation,
  type RatedOperation,
  type RequirementId,
} from '../../spec/index.js';

/** Below the rate no call is answered 429 for it: early-refusals.ts. */
const BELOW = idsFor('8/rate-*-below', RATED_OPERATIONS);
/** Above it calls are: judge-rates.ts. */
const ABOVE = idsFor('8/rate-*-above', RATED_OPERATIONS);
/** After a window without calls the operation is served again: judge-rates.ts, early-refusals.ts. */
const RECOVERS = idsFor('8/rate-*-recovers', ['runsync', 'run', 'status', 'stream', 'cancel', 'purge-queue']);
/** The same of the column Concurrency: concurrency.ts. */
const CONCURRENCY_BELOW = idsFor('8/concurrency-*-below', CONCURRENT_OPERATIONS);
const CONCURRENCY_ABOVE = idsFor('8/concurrency-*-above', CONCURRENT_OPERATIONS);

export interface RateRow {
  readonly op: RatedOperation;
  readonly requests: number;
  readonly windowMs: number;
  readonly below: RequirementId;
  readonly above: RequirementId;
  /** Null where nobody is held to it. */
  readonly recovers: RequirementId | null;
  /** Null where the table says "not applicable". */
  readonly concurrency: ConcurrencyLimit | null;
}

export interface ConcurrencyLimit {
  readonly op: ConcurrentOperation;
  /** So many calls may be under way at once. */
  readonly most: number;
  readonly below: RequirementId;
  readonly above: RequirementId;
}

export const concurrencyLimitOf = (op: ConcurrentOperation): ConcurrencyLimit => ({
  op,
  most: RATES[op]!.concurrency!,
  below: CONCURRENCY_BELOW[op],
  above: CONCURRENCY_ABOVE[op],
});

export const RATE_TABLE: readonly RateRow[] = RATED_OPERATIONS.map((op) => ({
  op,
  requests: RATES[op]!.requests,
  windowMs: RATES[op]!.windowMs,
  below: BELOW[op],
  above: ABOVE[op],
  recovers: op === 'openai' || op === 'requests' ? null : RECOVERS[op],
  concurrency: op === 'purge-queue' ? null : concurrencyLimitOf(op),
}));
