/**
 * Faults of submissions: accepted although invalid, refused although valid, or garbled on the way to the
 * worker.
 */
import type { Taken } from '../core/rules/submissions.js';
import type { JobView } from '../core/entities.js';
import type { Json } from '../history/events.js';
import { DAY_MS, EXECUTION_TIMEOUT_MAX_MS, EXECUTION_TIMEOUT_MIN_MS, MINUTE_MS } from '../spec/limits.js';
import { isObject } from '../util/json.js';
import { depthOf, mapMembers, mapNumbers } from './json.js';
import { fault } from './mutant.js';

/** Changes the input except for the plan, which would change what the worker does. */
const besidePlan =
  (change: (input: Json) => Json) =>
  ({ submission: { input } }: JobView): Json => {
    if (!isObject(input)) return input;
    const { plan, planOnRetry, ...rest } = input;
    return {
      ...(change(rest) as object),
      ...(plan === undefined ? {} : { plan }),
      ...(planOnRetry === undefined ? {} : { planOnRetry }),
    };
  };

export const SUBMISSIONS = [
  fault(
    'input-empty-values-dropped',
    'empty strings, zeros and false in input do not reach the handler',
    ['2.1/input-nested-unchanged', '2.1/input-reaches-worker-run', '2.1/input-reaches-worker-runsync'],
    () => ({
      inputForHandler: besidePlan((input) =>
        mapMembers(input, (member) =>
          member[1] === '' || member[1] === 0 || member[1] === false ? null : member,
        ),
      ),
    }),
  ),
  fault(
    'input-integers-of-32-bits',
    'integers in input are truncated to 32 bits',
    ['2.1/input-nested-unchanged', '2.1/input-reaches-worker-run', '2.1/input-reaches-worker-runsync'],
    () => ({
      inputForHandler: besidePlan((input) =>
        mapNumbers(input, (number) => (Number.isInteger(number) ? number | 0 : number)),
      ),
    }),
  ),
  fault(
    'input-fractions-cut',
    'numbers in input lose their fractions',
    ['2.1/input-nested-unchanged', '2.1/input-reaches-worker-run', '2.1/input-reaches-worker-runsync'],
    () => ({ inputForHandler: besidePlan((input) => mapNumbers(input, Math.trunc)) }),
  ),
  fault(
    'input-keys-lower-case',
    'keys in input reach the handler in lower case',
    ['2.1/input-nested-unchanged', '2.1/input-reaches-worker-run', '2.1/input-reaches-worker-runsync'],
    () => ({
      inputForHandler: besidePlan((input) =>
        mapMembers(input, ([name, value]) => [name.toLowerCase(), value]),
      ),
    }),
  ),
  fault(
    'input-deep-refused',
    'an input nested more than ten levels deep is refused',
    ['2.1/input-content-not-validated', '2.1/input-object-accepted-run', '2.1/input-object-accepted-runsync'],
    (base) => ({
      inputAllowed: (input) => base.inputAllowed(input) && depthOf(input!) <= 10,
    }),
  ),
  fault(
    'input-of-many-members-refused',
    'an input of more than 100 members is refused',
    ['2.1/input-content-not-validated', '2.1/input-object-accepted-run', '2.1/input-object-accepted-runsync'],
    (base) => ({
      inputAllowed: (input) => base.inputAllowed(input) && Object.keys(input as object).length <= 100,
    }),
  ),
  fault(
    'input-with-id-refused',
    'an input with a member `id` is refused',
    [
      '2.1/input-content-not-interpreted',
      '2.1/input-content-not-validated',
      '2.1/input-object-accepted-run',
      '2.1/input-object-accepted-runsync',
      '2.4/id-assigned-by-service',
    ],
    (base) => ({
      inputAllowed: (input) => base.inputAllowed(input) && !('id' in (input as object)),
    }),
  ),
  fault(
    'low-priority-true-refused',
    'a policy with lowPriority true is refused',
    ['2.2/low-priority-accepted-true', '2.1/policy-accepted-run', '2.1/policy-accepted-runsync'],
    () => ({ lowPriorityAllowed: (value) => value === false }),
  ),
  fault(
    'low-priority-false-refused',
    'a policy with lowPriority false is refused',
    ['2.2/low-priority-accepted-false', '2.1/policy-accepted-run', '2.1/policy-accepted-runsync'],
    () => ({ lowPriorityAllowed: (value) => value === true }),
  ),
  fault(
    'timeout-max-refused',
    'an executionTimeout of exactly 7 days is refused',
    [
      '2.2/execution-timeout-max-accepted',
      '2.2/execution-timeout-accepted',
      '2.1/policy-accepted-run',
      '2.1/policy-accepted-runsync',
    ],
    (base) => ({
      integerIn: (field, value) =>
        field === 'policy.executionTimeout' && value === EXECUTION_TIMEOUT_MAX_MS
          ? 'refused'
          : base.integerIn(field, value),
    }),
  ),
  fault(
    'timeout-above-a-day-refused',
    'an executionTimeout above 24 hours is refused',
    [
      '2.2/execution-timeout-accepted',
      '2.2/execution-timeout-max-accepted',
      '2.2/outlives-default',
      '2.1/policy-accepted-run',
      '2.1/policy-accepted-runsync',
    ],
    (base) => ({
      integerIn: (field, value) =>
        field === 'policy.executionTimeout' && Number(value) > DAY_MS
          ? 'refused'
          : base.integerIn(field, value),
    }),
  ),
  fault(
    'timeout-below-ten-seconds-refused',
    'an executionTimeout below 10 s is refused',
    [
      '2.2/execution-timeout-min-accepted',
      '2.2/execution-timeout-accepted',
      '2.1/policy-accepted-run',
      '2.1/policy-accepted-runsync',
    ],
    (base) => ({
      integerIn: (field, value) =>
        field === 'policy.executionTimeout' &&
        Number(value) >= EXECUTION_TIMEOUT_MIN_MS &&
        Number(value) < 10_000
          ? 'refused'
          : base.integerIn(field, value),
    }),
  ),
  fault(
    'ttl-above-a-day-refused',
    'a ttl above 24 hours is refused',
    ['2.2/ttl-accepted', '2.2/ttl-max-accepted', '2.1/policy-accepted-run', '2.1/policy-accepted-runsync'],
    (base) => ({
      integerIn: (field, value) =>
        field === 'policy.ttl' && Number(value) > DAY_MS ? 'refused' : base.integerIn(field, value),
    }),
  ),
  fault(
    'ttl-below-a-minute-refused',
    'a ttl below 1 minute is refused',
    ['2.2/ttl-min-accepted', '2.2/ttl-accepted', '2.1/policy-accepted-run', '2.1/policy-accepted-runsync'],
    (base) => ({
      integerIn: (field, value) =>
        field === 'policy.ttl' && Number(value) >= 10_000 && Number(value) < MINUTE_MS
          ? 'refused'
          : base.integerIn(field, value),
    }),
  ),
  fault(
    's3-amazon-only',
    'an endpointUrl on a host other than amazonaws.com is refused',
    ['2.3/any-provider-accepted', '2.1/s3config-accepted-run', '2.1/s3config-accepted-runsync'],
    (base) => ({
      s3FieldAllowed: (field, value) =>
        base.s3FieldAllowed(field, value) &&
        (field !== 'endpointUrl' || String(value).includes('amazonaws.com')),
    }),
  ),
  fault(
    's3-endpoint-url-withheld',
    's3Config reaches the worker without its endpointUrl',
    ['2.3/endpoint-url-reaches-worker', '2.3/passed-along-run', '2.3/passed-along-runsync'],
    (base) => ({
      s3ConfigForHandler: (job) =>
        mapMembers(base.s3ConfigForHandler(job), (member) => (member[0] === 'endpointUrl' ? null : member)),
    }),
  ),
  fault(
    's3-config-not-for-runsync',
    'the s3Config of a /runsync job does not reach the worker',
    ['2.3/passed-along-runsync'],
    (base) => ({ s3ConfigForHandler: (job) => (job.op === 'run' ? base.s3ConfigForHandler(job) : null) }),
  ),
  fault(
    'input-of-the-last-submission',
    'a job runs with the input that was submitted last',
    ['2.1/input-not-mixed-between-jobs', '2.4/output-of-this-job'],
    (base) => {
      let last: Json | null = null;
      return {
        inputAllowed: (input) => {
          const allowed = base.inputAllowed(input);
          if (allowed) last = input!;
          return allowed;
        },
        inputForHandler: () => last!,
      };
    },
  ),
  fault(
    'input-of-the-retry-before',
    'a retried job runs with the input of the job that was retried before it',
    ['2.1/input-not-mixed-between-jobs', '4.6/keeps-input'],
    (base) => {
      let before: Json | null = null;
      return {
        inputForHandler: (job) => {
          const own = base.inputForHandler(job);
          if (job.retries === 0) return own;
          const given = before ?? own;
          before = own;
          return given;
        },
      };
    },
  ),
  fault(
    's3-config-of-the-last-submission',
    'every job with an s3Config gets the one submitted last',
    ['2.3/not-mixed-between-jobs'],
    (base) => {
      let last: Json | null = null;
      return {
        containerAllowed: (container, value) => {
          if (container === 's3Config') last = value;
          return base.containerAllowed(container, value);
        },
        s3ConfigForHandler: (job) => (base.s3ConfigForHandler(job) === null ? null : last),
      };
    },
  ),
  fault(
    'timeout-of-the-submission-before',
    'a job gets the executionTimeout of the submission before it',
    [
      '2.2/execution-timeout-this-job-only',
      '2.2/execution-timeout-not-early',
      '2.2/execution-timeout-stops-run',
      '2.2/execution-timeout-stops-runsync',
    ],
    (base) => {
      let before: Taken | null = null;
      return {
        integerIn: (field, value) => {
          const own = base.integerIn(field, value);
          if (field !== 'policy.executionTimeout' || typeof own !== 'number') return own;
          const given = before ?? own;
          before = own;
          return given;
        },
      };
    },
  ),
  fault(
    's3-url-slash-added',
    'endpointUrl reaches the worker with a slash at its end',
    ['2.3/endpoint-url-reaches-worker', '2.3/passed-along-run', '2.3/passed-along-runsync'],
    (base) => ({
      s3ConfigForHandler: (job) =>
        mapMembers(base.s3ConfigForHandler(job), ([name, value]) => [
          name,
          name === 'endpointUrl' && typeof value === 'string' ? `${value.replace(/\/$/, '')}/` : value,
        ]),
    }),
  ),
  fault(
    's3-storage-called',
    'the service itself calls the storage of a job when the job starts',
    ['2.3/service-does-not-use-it'],
    (base) => {
      const storageOf = (job: JobView): string | null => {
        const { s3Config } = job.submission;
        const url = isObject(s3Config) ? s3Config['endpointUrl'] : null;
        return job.status === 'IN_PROGRESS' && typeof url === 'string' ? url : null;
      };
      return {
        webhookWanted: (job) => storageOf(job) !== null || base.webhookWanted(job),
        webhookUrl: (job) => storageOf(job) ?? base.webhookUrl(job),
      };
    },
  ),
] as const;
