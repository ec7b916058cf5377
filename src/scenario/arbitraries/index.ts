/**
 * `arbitraries/` draws the parameters of scenarios: biased towards small and round values and the document's
 * boundaries, and never a wait beyond the limits.
 */
import fc from 'fast-check';
import type { Limits } from '../script.js';
import { duration, cappedDuration } from './duration.js';
import { executionTimeout } from './execution-timeout.js';
import { json, jsonObject } from './json.js';
import { margin } from './margin.js';
import { plan } from './plan.js';
import { policy } from './policy.js';
import { sleep } from './sleep.js';
import { remainingBudget } from './remaining-budget.js';
import { ttl } from './ttl.js';

/**
 * Arbitraries of fast-check for job ids, policies, plans and times, for scenarios and properties of your own.
 *
 * @public
 */
export const arb = {
  ttl,
  executionTimeout,
  margin,
  duration,
  sleep,
  remainingBudget: remainingBudget,
  json,
  jsonObject,
  plan,
  policy,
  /** An integer in [min, max]. */
  integer: (min: number, max: number): fc.Arbitrary<number> => fc.integer({ min, max }),
  /** One of the values. */
  oneOf: <const T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values),
  boolean: (): fc.Arbitrary<boolean> => fc.boolean(),
  /** Always this value: for parameters that are computed from the limits. */
  just: <T>(value: T): fc.Arbitrary<T> => fc.constant(value),
};

/** The arbitraries that a scenario draws from: the type of `arb`. @public */
export type Arb = typeof arb;

/** The same, with durations capped where the limits say so. */
export function arbWithin(limits: Limits): Arb {
  return { ...arb, duration: (minMs, maxMs) => cappedDuration(limits, minMs, maxMs) };
}
