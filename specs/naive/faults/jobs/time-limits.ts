/** Faults of section 2.2: limits and defaults of `executionTimeout` and `ttl`; `lowPriority`. */
import { Refused } from '../../call.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, WEEK_MS } from '../../submission.js';
import { cutTo } from '../memory.js';
import type { Faults } from '../fault.js';

export const TIME_LIMITS_FAULTS = {
  'execution-timeout-default-one-minute': {
    defaults: (defaults) => ({ ...defaults, executionTimeoutMs: MINUTE_MS }),
  },
  'execution-timeout-default-one-hour': {
    defaults: (defaults) => ({ ...defaults, executionTimeoutMs: HOUR_MS }),
  },
  'execution-timeout-default-none': {
    defaults: (defaults) => ({ ...defaults, executionTimeoutMs: Infinity }),
  },
  'timeout-below-min-taken': { executionTimeoutRange: ([, max]) => [0, max] },
  'execution-timeout-max-not-enforced': { executionTimeoutRange: ([min]) => [min, Infinity] },
  'timeout-below-ten-seconds-refused': { executionTimeoutRange: ([, max]) => [10 * SECOND_MS, max] },
  'timeout-min-refused': { executionTimeoutRange: ([min, max]) => [min + 1, max] },
  'timeout-above-a-day-refused': { executionTimeoutRange: ([min]) => [min, DAY_MS] },
  'timeout-max-refused': { executionTimeoutRange: ([min, max]) => [min, max - 1] },
  'execution-timeout-fraction-accepted': {
    executionTimeoutGiven: (value) => (typeof value === 'number' ? Math.round(value) : value),
  },
  'execution-timeout-string-accepted': {
    executionTimeoutGiven: (value) => (typeof value === 'string' ? Number(value) : value),
  },
  'low-priority-starves': { ready: (jobs) => jobs.filter((job) => !job.lowPriority) },
  'low-priority-true-refused': {
    lowPriorityGiven(value) {
      if (value === true) throw new Refused('lowPriority is not supported');
      return value;
    },
  },
  'low-priority-string-accepted': { lowPriorityGiven: (value) => (typeof value === 'string' ? true : value) },
  'ttl-default-one-hour': { defaults: (defaults) => ({ ...defaults, ttlMs: HOUR_MS }) },
  'ttl-default-seven-days': { defaults: (defaults) => ({ ...defaults, ttlMs: WEEK_MS }) },
  'ttl-default-none': { defaults: (defaults) => ({ ...defaults, ttlMs: Infinity }) },
  'ttl-below-min-taken': { ttlRange: ([, max]) => [0, max] },
  'ttl-above-max-taken': { ttlRange: ([min]) => [min, Infinity] },
  'ttl-below-a-minute-refused': { ttlRange: ([, max]) => [MINUTE_MS, max] },
  'ttl-min-refused': { ttlRange: ([min, max]) => [min + 1, max] },
  'ttl-above-a-day-refused': { ttlRange: ([min]) => [min, DAY_MS] },
  'ttl-max-refused': { ttlRange: ([min, max]) => [min, max - 1] },
  'ttl-string-accepted': { ttlGiven: (value) => (typeof value === 'string' ? Number(value) : value) },
  'ttl-negative-accepted': {
    ttlGiven: (value) => (Number.isInteger(value) && Number(value) < 0 ? undefined : value),
  },
  'runsync-policy-unchecked': {
    executionTimeoutRange: (range, kind) => (kind === 'runsync' ? [-Infinity, Infinity] : range),
    ttlRange: (range, kind) => (kind === 'runsync' ? [-Infinity, Infinity] : range),
  },
  'ttl-array-accepted': { ttlGiven: (value) => (Array.isArray(value) ? Number(value) : value) },
  'execution-timeout-boolean-accepted': {
    executionTimeoutGiven: (value) => (value === true ? undefined : value),
  },
  'runsync-policy-ignored': {
    submission(submission, _policy, { defaults }) {
      if (submission.kind === 'runsync') Object.assign(submission, defaults);
    },
  },
  'execution-timeout-none-beside-ttl': {
    submission(submission, policy) {
      if (policy['ttl'] !== undefined && policy['executionTimeout'] === undefined)
        submission.executionTimeoutMs = Infinity;
    },
  },
  'runsync-execution-timeout-default-is-wait': {
    submission(submission, policy) {
      if (submission.kind === 'runsync' && policy['executionTimeout'] === undefined)
        submission.executionTimeoutMs = submission.waitMs ?? 90 * SECOND_MS;
    },
  },
  'execution-timeout-cut-to-seconds': {
    submission(submission) {
      submission.executionTimeoutMs = cutTo(SECOND_MS, submission.executionTimeoutMs);
    },
  },
  'execution-timeout-cut-to-minutes': {
    submission(submission) {
      const { executionTimeoutMs } = submission;
      if (executionTimeoutMs > MINUTE_MS)
        submission.executionTimeoutMs = cutTo(MINUTE_MS, executionTimeoutMs);
    },
  },
  'ttl-none-beside-execution-timeout': {
    submission(submission, policy) {
      if (policy['executionTimeout'] !== undefined && policy['ttl'] === undefined)
        submission.ttlMs = Infinity;
    },
  },
  'runsync-ttl-default-five-minutes': {
    submission(submission, policy) {
      if (submission.kind === 'runsync' && policy['ttl'] === undefined) submission.ttlMs = 5 * MINUTE_MS;
    },
  },
  'runsync-ttl-default-one-hour': {
    submission(submission, policy) {
      if (submission.kind === 'runsync' && policy['ttl'] === undefined) submission.ttlMs = HOUR_MS;
    },
  },
  'ttl-cut-to-seconds': {
    submission(submission) {
      submission.ttlMs = cutTo(SECOND_MS, submission.ttlMs);
    },
  },
  'ttl-cut-to-minutes': {
    submission(submission) {
      if (submission.ttlMs > MINUTE_MS) submission.ttlMs = cutTo(MINUTE_MS, submission.ttlMs);
    },
  },
} satisfies Faults;
