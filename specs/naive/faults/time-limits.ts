/** Faults of section 2.2: limits and defaults of `executionTimeout` and `ttl`; `lowPriority`. */
import { Refused } from '../call.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, WEEK_MS } from '../submission.js';
import { cutTo } from './memory.js';
import { breaking } from './fault.js';

export const TIME_LIMITS_FAULTS = [
  breaking(
    '2.2',
    '| `executionTimeout` | integer, milliseconds | 600000 (10 minutes) | min 5 seconds, max 7 days |',
    {
      'execution-timeout-default-one-minute': {
        does: 'the default is one minute',
        defaults: (defaults) => ({ ...defaults, executionTimeoutMs: MINUTE_MS }),
      },
      'execution-timeout-default-one-hour': {
        does: 'the default is one hour',
        defaults: (defaults) => ({ ...defaults, executionTimeoutMs: HOUR_MS }),
      },
      'execution-timeout-default-none': {
        does: 'without a policy nothing is enforced',
        defaults: (defaults) => ({ ...defaults, executionTimeoutMs: Infinity }),
      },
      'execution-timeout-min-not-enforced': {
        does: 'values under 5 seconds are accepted and used',
        executionTimeoutRange: ([, max]) => [0, max],
      },
      'execution-timeout-max-not-enforced': {
        does: 'values over 7 days are accepted and used',
        legal: 'no job of this server outlives its ttl, and that is 7 days at most',
        executionTimeoutRange: ([min]) => [min, Infinity],
      },
      'execution-timeout-min-too-high': {
        does: 'values under 10 seconds are refused',
        executionTimeoutRange: ([, max]) => [10 * SECOND_MS, max],
      },
      'execution-timeout-min-exclusive': {
        does: 'exactly 5000 is refused',
        executionTimeoutRange: ([min, max]) => [min + 1, max],
      },
      'execution-timeout-max-too-low': {
        does: 'values over 1 day are refused',
        executionTimeoutRange: ([min]) => [min, DAY_MS],
      },
      'execution-timeout-max-exclusive': {
        does: 'exactly 604800000 is refused',
        executionTimeoutRange: ([min, max]) => [min, max - 1],
      },
      'execution-timeout-fraction-accepted': {
        does: '5000.5 is accepted',
        contested: 'which malformed fields must be refused is not listed',
        executionTimeoutGiven: (value) => (typeof value === 'number' ? Math.round(value) : value),
      },
      'execution-timeout-string-accepted': {
        does: '"6000" is accepted',
        contested: 'which malformed fields must be refused is not listed',
        executionTimeoutGiven: (value) => (typeof value === 'string' ? Number(value) : value),
      },
    },
  ),
  breaking('2.2', 'When true, the job does not trigger worker scaling.', {
    'low-priority-never-runs': {
      does: 'jobs with lowPriority stay in the queue for good',
      ready: (jobs) => jobs.filter((job) => !job.lowPriority),
    },
    'low-priority-refused': {
      does: 'lowPriority: true is refused',
      lowPriorityGiven(value) {
        if (value === true) throw new Refused('lowPriority is not supported');
        return value;
      },
    },
    'low-priority-string-accepted': {
      does: 'lowPriority: "yes" is accepted',
      contested: 'which malformed fields must be refused is not listed',
      lowPriorityGiven: (value) => (typeof value === 'string' ? true : value),
    },
  }),
  breaking('2.2', '| `ttl` | integer, milliseconds | 86400000 (24 hours) | min 10 seconds, max 7 days |', {
    'ttl-default-one-hour': {
      does: 'the default is one hour',
      defaults: (defaults) => ({ ...defaults, ttlMs: HOUR_MS }),
    },
    'ttl-default-seven-days': {
      does: 'the default is seven days',
      defaults: (defaults) => ({ ...defaults, ttlMs: WEEK_MS }),
    },
    'ttl-default-none': {
      does: 'without a policy a job never expires',
      defaults: (defaults) => ({ ...defaults, ttlMs: Infinity }),
    },
    'ttl-min-not-enforced': {
      does: 'values under 10 seconds are accepted and used',
      ttlRange: ([, max]) => [0, max],
    },
    'ttl-max-not-enforced': {
      does: 'values over 7 days are accepted and used',
      ttlRange: ([min]) => [min, Infinity],
    },
    'ttl-min-too-high': {
      does: 'values under 1 minute are refused',
      ttlRange: ([, max]) => [MINUTE_MS, max],
    },
    'ttl-min-exclusive': { does: 'exactly 10000 is refused', ttlRange: ([min, max]) => [min + 1, max] },
    'ttl-max-too-low': { does: 'values over 1 day are refused', ttlRange: ([min]) => [min, DAY_MS] },
    'ttl-max-exclusive': { does: 'exactly 604800000 is refused', ttlRange: ([min, max]) => [min, max - 1] },
    'ttl-string-accepted': {
      does: '"60000" is accepted',
      contested: 'which malformed fields must be refused is not listed',
      ttlGiven: (value) => (typeof value === 'string' ? Number(value) : value),
    },
    'ttl-negative-accepted': {
      does: 'a negative ttl is accepted as the default',
      legal: '2.2/ttl-not-positive=default-instead',
      ttlGiven: (value) => (Number.isInteger(value) && Number(value) < 0 ? undefined : value),
    },
  }),
  breaking('2.2', 'min 5 seconds, max 7 days', {
    'runsync-policy-unchecked': {
      does: 'the limits of policy are not checked for /runsync; values are used as given',
      executionTimeoutRange: (range, kind) => (kind === 'runsync' ? [-Infinity, Infinity] : range),
      ttlRange: (range, kind) => (kind === 'runsync' ? [-Infinity, Infinity] : range),
    },
    'ttl-array-accepted': {
      does: 'ttl: [60000] is accepted as 60000',
      ttlGiven: (value) => (Array.isArray(value) ? Number(value) : value),
    },
    'execution-timeout-boolean-accepted': {
      does: 'executionTimeout: true is taken as absent',
      executionTimeoutGiven: (value) => (value === true ? undefined : value),
    },
  }),
  breaking('2.2', '| `policy` | object | no | Execution policy (2.2). |', {
    'runsync-policy-ignored': {
      does: 'the policy of a /runsync job has no effect',
      submission(submission, _policy, { defaults }) {
        if (submission.kind === 'runsync') Object.assign(submission, defaults);
      },
    },
  }),
  breaking('2.2', '| `executionTimeout` | integer, milliseconds | 600000 (10 minutes) |', {
    'execution-timeout-none-beside-ttl': {
      does: 'a policy without executionTimeout means that nothing is enforced',
      submission(submission, policy) {
        if (policy['ttl'] !== undefined && policy['executionTimeout'] === undefined)
          submission.executionTimeoutMs = Infinity;
      },
    },
    'runsync-execution-timeout-default-is-wait': {
      does: 'without executionTimeout, a /runsync job is stopped after wait',
      submission(submission, policy) {
        if (submission.kind === 'runsync' && policy['executionTimeout'] === undefined)
          submission.executionTimeoutMs = submission.waitMs ?? 90 * SECOND_MS;
      },
    },
    'execution-timeout-cut-to-seconds': {
      does: 'what is beyond whole seconds is cut off',
      submission(submission) {
        submission.executionTimeoutMs = cutTo(SECOND_MS, submission.executionTimeoutMs);
      },
    },
    'execution-timeout-cut-to-minutes': {
      does: 'what is beyond whole minutes is cut off',
      submission(submission) {
        const { executionTimeoutMs } = submission;
        if (executionTimeoutMs > MINUTE_MS)
          submission.executionTimeoutMs = cutTo(MINUTE_MS, executionTimeoutMs);
      },
    },
  }),
  breaking('2.2', '| `ttl` | integer, milliseconds | 86400000 (24 hours) |', {
    'ttl-none-beside-execution-timeout': {
      does: 'a policy without ttl means that the job never expires',
      submission(submission, policy) {
        if (policy['executionTimeout'] !== undefined && policy['ttl'] === undefined)
          submission.ttlMs = Infinity;
      },
    },
    'runsync-ttl-default-five-minutes': {
      does: 'without ttl, a /runsync job is deleted after 5 minutes',
      submission(submission, policy) {
        if (submission.kind === 'runsync' && policy['ttl'] === undefined) submission.ttlMs = 5 * MINUTE_MS;
      },
    },
    'runsync-ttl-default-one-hour': {
      does: 'without ttl, a /runsync job is deleted after an hour',
      submission(submission, policy) {
        if (submission.kind === 'runsync' && policy['ttl'] === undefined) submission.ttlMs = HOUR_MS;
      },
    },
    'ttl-cut-to-seconds': {
      does: 'what is beyond whole seconds is cut off',
      submission(submission) {
        submission.ttlMs = cutTo(SECOND_MS, submission.ttlMs);
      },
    },
    'ttl-cut-to-minutes': {
      does: 'what is beyond whole minutes is cut off',
      submission(submission) {
        if (submission.ttlMs > MINUTE_MS) submission.ttlMs = cutTo(MINUTE_MS, submission.ttlMs);
      },
    },
  }),
];
