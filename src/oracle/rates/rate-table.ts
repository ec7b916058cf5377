/** The rate table of section 8, row by row: the limits of an operation and the requirements about them. */
import {
  CONCURRENT_OPERATIONS,
  RATED_OPERATIONS,
  RATES,
  idsFor,
  type ConcurrentOperation,
  type RatedOperation,
  type RequirementId,
} from '../../spec/index.js';

/** `8/rate-run-below`: below the limit no call is answered with 429. Accused in early-refusals.ts. */
const BELOW = idsFor('8/rate-*-below', RATED_OPERATIONS);
/** `8/rate-run-above`: above the limit calls are answered with 429. Accused in missing-refusals.ts; it passes in judge-rates.ts. */
const ABOVE = idsFor('8/rate-*-above', RATED_OPERATIONS);
/** `8/rate-run-recovers`: after a window without calls it is available again. In judge-rates.ts and early-refusals.ts. */
const RECOVERS = idsFor('8/rate-*-recovers', ['runsync', 'run', 'status', 'stream', 'cancel', 'purge-queue']);
/** The same for the column Concurrency: concurrency.ts. */
const CONCURRENCY_BELOW = idsFor('8/concurrency-*-below', CONCURRENT_OPERATIONS);
const CONCURRENCY_ABOVE = idsFor('8/concurrency-*-above', CONCURRENT_OPERATIONS);

export interface RateRow {
  readonly op: RatedOperation;
  readonly requests: number;
  readonly windowMs: number;
  readonly below: RequirementId;
  readonly above: RequirementId;
  /** Null if there is no such requirement. */
  readonly recovers: RequirementId | null;
  /** Null if the table says "not applicable". */
  readonly concurrency: ConcurrencyLimit | null;
}

export interface ConcurrencyLimit {
  readonly op: ConcurrentOperation;
  /** How many calls may be in flight at once. */
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
