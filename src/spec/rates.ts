/** The rate table of section 8, row by row. Its scope and its algorithm are open questions. */
import type { RatedOperation } from './operations.js';
import type { Operation } from './types.js';

/** The window of every rate in the table. */
export const RATE_WINDOW_MS = 10_000;

export interface RateLimit {
  /** Requests per `windowMs`. */
  readonly requests: number;
  readonly windowMs: number;
  /** Concurrent requests; null where the table says "not applicable". */
  readonly concurrency: number | null;
}

const per10s = (requests: number, concurrency: number | null): RateLimit => ({
  requests,
  windowMs: RATE_WINDOW_MS,
  concurrency,
});

/** Null where section 8 says "not shown". */
export const RATES: { readonly [O in Operation]: O extends RatedOperation ? RateLimit : null } = {
  runsync: per10s(2000, 400),
  run: per10s(1000, 200),
  status: per10s(2000, 400),
  stream: per10s(2000, 400),
  cancel: per10s(100, 20),
  'purge-queue': per10s(2, null),
  openai: per10s(2000, 400),
  requests: per10s(10, 2),
  retry: null,
  health: null,
};
