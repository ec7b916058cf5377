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

/** Below the rate no call is answered 429 for it: too-early.ts. */
const BELOW = idsFor('8/rate-*-below', RATED_OPERATIONS);
/** Above it calls are: judge-rates.ts. */
const ABOVE = idsFor('8/rate-*-above', RATED_OPERATIONS);
/** After a window without calls the operation is served again: judge-rates.ts, too-early.ts. */
const RECOVERS = idsFor('8/rate-*-recovers', ['runsync', 'run', 'status', 'stream', 'cancel', 'purge-queue']);
/** The same of the column Concurrency: crowds.ts. */
const CROWD_BELOW = idsFor('8/concurrency-*-below', CONCURRENT_OPERATIONS);
const CROWD_ABOVE = idsFor('8/concurrency-*-above', CONCURRENT_OPERATIONS);

export interface Row {
  readonly op: RatedOperation;
  readonly requests: number;
  readonly windowMs: number;
  readonly below: RequirementId;
  readonly above: RequirementId;
  /** Null where nobody is held to it. */
  readonly recovers: RequirementId | null;
  /** Null where the table says "not applicable". */
  readonly crowd: Crowd | null;
}

export interface Crowd {
  readonly op: ConcurrentOperation;
  /** So many calls may be under way at once. */
  readonly most: number;
  readonly below: RequirementId;
  readonly above: RequirementId;
}

export const crowdOf = (op: ConcurrentOperation): Crowd => ({
  op,
  most: RATES[op]!.concurrency!,
  below: CROWD_BELOW[op],
  above: CROWD_ABOVE[op],
});

export const ROWS: readonly Row[] = RATED_OPERATIONS.map((op) => ({
  op,
  requests: RATES[op]!.requests,
  windowMs: RATES[op]!.windowMs,
  below: BELOW[op],
  above: ABOVE[op],
  recovers: op === 'openai' || op === 'requests' ? null : RECOVERS[op],
  crowd: op === 'purge-queue' ? null : crowdOf(op),
}));
