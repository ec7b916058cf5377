/**
 * The limits that a submission gives its job, according to the document: every value that an open question
 * allows.
 */
import type { Json } from '../../history/events.js';
import type { Edition } from '../../spec/types.js';
import {
  EXECUTION_TIMEOUT_MAX_MS,
  EXECUTION_TIMEOUT_MIN_MS,
  RUNSYNC_RETENTION_MS,
  RUNSYNC_RETENTION_WITH_WAIT_MAX_MS,
  RUN_RETENTION_MS,
  TTL_DEFAULT_MS,
  TTL_MAX_MS,
  TTL_MIN_MS,
  WAIT_DEFAULT_MS,
} from '../../spec/limits.js';
import { policyFieldOf, type JsonObject } from '../observed/recorded-call.js';
import type { EffectivePolicy } from './hypothesis.js';

interface Range {
  readonly minMs: number;
  readonly maxMs: number;
  /** Null: not known. */
  readonly defaultMs: number | null;
}

const TTL: Range = { minMs: TTL_MIN_MS, maxMs: TTL_MAX_MS, defaultMs: TTL_DEFAULT_MS };

export interface SubmissionKind {
  readonly sync: boolean;
  /** `/runsync` was called with a `wait`. */
  readonly waitGiven: boolean;
  /** `/runsync` was answered before the job had ended, so that the job may be kept like one of `/run`. */
  readonly outlivedWait: boolean;
}

/**
 * The policies of an accepted submission. `defaultMs`: the endpoint's own `executionTimeout`; null where it
 * is not stated.
 */
export function effectivePolicies(
  submission: JsonObject,
  how: SubmissionKind,
  edition: Edition,
  defaultMs: number | null,
): EffectivePolicy[] {
  const execution: Range = { minMs: EXECUTION_TIMEOUT_MIN_MS, maxMs: EXECUTION_TIMEOUT_MAX_MS, defaultMs };
  const timeout = policyFieldOf(submission, 'executionTimeout');
  const found: EffectivePolicy[] = [];
  for (const ttlMs of valuesOf(policyFieldOf(submission, 'ttl'), TTL, edition))
    for (const executionMs of valuesOf(timeout, execution, edition))
      found.push({
        ttlMs,
        executionMs,
        executionLeastMs: executionMs ?? (isNumeric(timeout) ? EXECUTION_TIMEOUT_MIN_MS : 0),
        keptAtLeastMs: how.sync ? RUNSYNC_RETENTION_MS : RUN_RETENTION_MS,
        keptAtMostMs: keptAtMostMs(how),
        variants: [],
      });
  return found;
}

/**
 * A value within the range holds as it is. One outside may be refused; if it is accepted, the service may
 * have clamped it or taken its default, but the bound of the document holds.
 */
function valuesOf(value: Json | undefined, range: Range, edition: Edition): readonly (number | null)[] {
  if (value === undefined) return [range.defaultMs];
  if (typeof value !== 'number' || !Number.isInteger(value)) return [null];
  if (value < range.minMs) return [range.minMs, range.defaultMs];
  if (value > range.maxMs) return [...(edition === 'runpod' ? [value] : []), range.maxMs, range.defaultMs];
  return [value];
}

/** A number, or nothing, so that the default holds. How anything else was taken is unknown. */
function isNumeric(value: Json | undefined): boolean {
  return value === undefined || (typeof value === 'number' && Number.isInteger(value));
}

/** "1 minute, up to 5 minutes with `wait`"; and a call without `wait` waits 90 seconds. */
function keptAtMostMs(how: SubmissionKind): number {
  if (!how.sync || how.outlivedWait) return RUN_RETENTION_MS;
  return how.waitGiven ? RUNSYNC_RETENTION_WITH_WAIT_MAX_MS : WAIT_DEFAULT_MS;
}

/**
 * The same policy with two other values. Equal policies are one object, so that hypotheses can be compared.
 */
function policyWith(policy: EffectivePolicy, ttlMs: number | null, keptAtMostMs: number): EffectivePolicy {
  const { variants } = policy;
  if (policy.ttlMs === ttlMs && policy.keptAtMostMs === keptAtMostMs) return policy;
  if (variants.length === 0) variants.push(policy);
  for (const known of variants)
    if (known.ttlMs === ttlMs && known.keptAtMostMs === keptAtMostMs) return known;
  const changed = { ...policy, ttlMs, keptAtMostMs };
  variants.push(changed);
  return changed;
}

export const policyWithTtl = (policy: EffectivePolicy, ttlMs: number | null): EffectivePolicy =>
  policyWith(policy, ttlMs, policy.keptAtMostMs);

/** The same policy; the result may be kept as long as the job. */
export const keptUntilTtl = (policy: EffectivePolicy): EffectivePolicy =>
  policyWith(policy, policy.ttlMs, Infinity);

/** Another client may give it another ttl. */
export const keptForAnyTime = (policy: EffectivePolicy): EffectivePolicy =>
  keptUntilTtl(policyWithTtl(policy, null));

/** After a retry the result of a `/runsync` job may be kept like that of `/run`. */
export const keptAsRun = (policy: EffectivePolicy): EffectivePolicy =>
  policyWith(policy, policy.ttlMs, Math.max(policy.keptAtMostMs, RUN_RETENTION_MS));
