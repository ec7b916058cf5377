/**
 * How long things have lasted, by all explanations of a life. An observation far from a deadline says nothing about it;
 * one near it, or beyond it, does. Loops, because this is asked at each look at each job.
 */
import { EXECUTION_TIMEOUT_DEFAULT_MS } from '../../spec/limits.js';
import type { Context } from './context.js';
import type { Hypothesis } from './hypothesis.js';
import type { JobCase } from './job.js';
import type { Operation } from './operations.js';
import { waitedAtLeastMs } from './seen.js';
import { ENDED, LIFE, QUEUED, STARTED, SUBMITTED } from './zone.js';

/** A deadline counts as watched when the job was still there after this part of it. */
const NEAR = 0.7;

/** It is close to its end, or has lasted for the most of its length. */
const isNear = (ctx: Context, sinceMs: number, lengthMs: number): boolean =>
  sinceMs >= NEAR * lengthMs || lengthMs - sinceMs <= ctx.graceMs + 3000;

export function everyNearTtl(
  ctx: Context,
  { fromMs }: Operation,
  hypotheses: readonly Hypothesis[],
): boolean {
  for (const { zone, terms } of hypotheses)
    if (terms.ttlMs === null || !isNear(ctx, fromMs - zone.latest(LIFE), terms.ttlMs)) return false;
  return hypotheses.length > 0;
}

/** It has a longer ttl than its submission gave it, and is there although that one was over. */
export function everyBeyondGivenTtl(
  ctx: Context,
  { terms: given, submittedByMs }: JobCase,
  { fromMs }: Operation,
  hypotheses: readonly Hypothesis[],
): boolean {
  const givenMs = given[0]?.ttlMs ?? null;
  if (givenMs === null || fromMs <= submittedByMs + givenMs + ctx.graceAt(fromMs)) return false;
  for (const { terms } of hypotheses) if (terms.ttlMs === null || terms.ttlMs <= givenMs) return false;
  return hypotheses.length > 0;
}

export function everyNearRetention(
  ctx: Context,
  { fromMs }: Operation,
  hypotheses: readonly Hypothesis[],
): boolean {
  for (const { zone, terms } of hypotheses)
    if (!isNear(ctx, fromMs - zone.latest(ENDED), terms.keptAtLeastMs)) return false;
  return hypotheses.length > 0;
}

export function everyLongSubmitted(
  ctx: Context,
  { fromMs }: Operation,
  hypotheses: readonly Hypothesis[],
): boolean {
  for (const { zone, terms } of hypotheses)
    if (fromMs - zone.latest(SUBMITTED) <= terms.keptAtLeastMs + ctx.graceAt(fromMs)) return false;
  return hypotheses.length > 0;
}

/** So long after its queueing that the executionTimeout, had it counted from there, would have struck. */
export function everyLongQueued(
  ctx: Context,
  { fromMs }: Operation,
  hypotheses: readonly Hypothesis[],
): boolean {
  for (const { zone, terms } of hypotheses)
    if (terms.executionMs === null || fromMs - zone.latest(QUEUED) <= terms.executionMs + ctx.graceAt(fromMs))
      return false;
  return hypotheses.length > 0;
}

/** So long after its start that the executionTimeout should have struck. */
export function everyOverrun(
  ctx: Context,
  { fromMs }: Operation,
  hypotheses: readonly Hypothesis[],
): boolean {
  for (const { zone, terms } of hypotheses)
    if (
      terms.executionMs === null ||
      fromMs <= zone.latest(STARTED) + terms.executionMs + ctx.graceAt(fromMs)
    )
      return false;
  return hypotheses.length > 0;
}

export function everyNearTimeout({ fromMs }: Operation, hypotheses: readonly Hypothesis[]): boolean {
  for (const { zone, terms } of hypotheses)
    if (fromMs - zone.latest(STARTED) < NEAR * (terms.executionMs ?? Infinity)) return false;
  return hypotheses.length > 0;
}

/** The executionTimeout is longer than the default, and so was the run. */
export function everyBeyondDefault(
  ctx: Context,
  { fromMs }: Operation,
  hypotheses: readonly Hypothesis[],
): boolean {
  for (const { zone, terms } of hypotheses) {
    const ranMs = fromMs - zone.latest(STARTED);
    const limitMs = terms.executionMs ?? Infinity;
    if (
      limitMs <= EXECUTION_TIMEOUT_DEFAULT_MS ||
      ranMs <= EXECUTION_TIMEOUT_DEFAULT_MS + ctx.graceAt(fromMs)
    )
      return false;
  }
  return hypotheses.length > 0;
}

/** A run so long came near the executionTimeout. */
export function everyNearLimit(hypotheses: readonly Hypothesis[], ranMs: number): boolean {
  for (const { terms } of hypotheses) if (ranMs < NEAR * (terms.executionMs ?? Infinity)) return false;
  return hypotheses.length > 0;
}

/** Waiting and a run so long together are more than the executionTimeout. */
export function everyBeyondLimit(ctx: Context, hypotheses: readonly Hypothesis[], ranMs: number): boolean {
  for (const at of hypotheses)
    if (!(waitedAtLeastMs(at) + ranMs > (at.terms.executionMs ?? Infinity) + ctx.graceMax)) return false;
  return hypotheses.length > 0;
}
