/**
 * `arbitraries/` promises the values that scenarios draw: biased to small and canonical ones and to the
 * document's boundaries, and never a wait beyond what the limits hold.
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
  /** A whole number in [min, max]. */
  integer: (min: number, max: number): fc.Arbitrary<number> => fc.integer({ min, max }),
  /** One of these. */
  oneOf: <const T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values),
  boolean: (): fc.Arbitrary<boolean> => fc.boolean(),
  /** Always this: for a value that is computed from the limits. */
  just: <T>(value: T): fc.Arbitrary<T> => fc.constant(value),
};

export type Arb = typeof arb;

/** The same, with every length of time kept modest where the limits say so. */
export function arbWithin(limits: Limits): Arb {
  return { ...arb, duration: (minMs, maxMs) => cappedDuration(limits, minMs, maxMs) };
}
