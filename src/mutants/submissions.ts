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
import type { Changes } from './mutant.js';

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

export const SUBMISSIONS: Changes = {
  'input-empty-values-dropped': () => ({
    inputForHandler: besidePlan((input) =>
      mapMembers(input, (member) =>
        member[1] === '' || member[1] === 0 || member[1] === false ? null : member,
      ),
    ),
  }),
  'input-integers-of-32-bits': () => ({
    inputForHandler: besidePlan((input) =>
      mapNumbers(input, (number) => (Number.isInteger(number) ? number | 0 : number)),
    ),
  }),
  'input-fractions-cut': () => ({ inputForHandler: besidePlan((input) => mapNumbers(input, Math.trunc)) }),
  'input-keys-lower-case': () => ({
    inputForHandler: besidePlan((input) => mapMembers(input, ([name, value]) => [name.toLowerCase(), value])),
  }),
  'input-deep-refused': (base) => ({
    inputAllowed: (input) => base.inputAllowed(input) && depthOf(input!) <= 10,
  }),
  'input-of-many-members-refused': (base) => ({
    inputAllowed: (input) => base.inputAllowed(input) && Object.keys(input as object).length <= 100,
  }),
  'input-with-id-refused': (base) => ({
    inputAllowed: (input) => base.inputAllowed(input) && !('id' in (input as object)),
  }),
  'low-priority-true-refused': () => ({ lowPriorityAllowed: (value) => value === false }),
  'low-priority-false-refused': () => ({ lowPriorityAllowed: (value) => value === true }),
  'timeout-max-refused': (base) => ({
    integerIn: (field, value) =>
      field === 'policy.executionTimeout' && value === EXECUTION_TIMEOUT_MAX_MS
        ? 'refused'
        : base.integerIn(field, value),
  }),
  'timeout-above-a-day-refused': (base) => ({
    integerIn: (field, value) =>
      field === 'policy.executionTimeout' && Number(value) > DAY_MS
        ? 'refused'
        : base.integerIn(field, value),
  }),
  'timeout-below-ten-seconds-refused': (base) => ({
    integerIn: (field, value) =>
      field === 'policy.executionTimeout' &&
      Number(value) >= EXECUTION_TIMEOUT_MIN_MS &&
      Number(value) < 10_000
        ? 'refused'
        : base.integerIn(field, value),
  }),
  'ttl-above-a-day-refused': (base) => ({
    integerIn: (field, value) =>
      field === 'policy.ttl' && Number(value) > DAY_MS ? 'refused' : base.integerIn(field, value),
  }),
  'ttl-below-a-minute-refused': (base) => ({
    integerIn: (field, value) =>
      field === 'policy.ttl' && Number(value) >= 10_000 && Number(value) < MINUTE_MS
        ? 'refused'
        : base.integerIn(field, value),
  }),
  's3-amazon-only': (base) => ({
    s3FieldAllowed: (field, value) =>
      base.s3FieldAllowed(field, value) &&
      (field !== 'endpointUrl' || String(value).includes('amazonaws.com')),
  }),
  's3-endpoint-url-withheld': (base) => ({
    s3ConfigForHandler: (job) =>
      mapMembers(base.s3ConfigForHandler(job), (member) => (member[0] === 'endpointUrl' ? null : member)),
  }),
  's3-config-not-for-runsync': (base) => ({
    s3ConfigForHandler: (job) => (job.op === 'run' ? base.s3ConfigForHandler(job) : null),
  }),
  'input-of-the-last-submission': (base) => {
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
  'input-of-the-retry-before': (base) => {
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
  's3-config-of-the-last-submission': (base) => {
    let last: Json | null = null;
    return {
      containerAllowed: (container, value) => {
        if (container === 's3Config') last = value;
        return base.containerAllowed(container, value);
      },
      s3ConfigForHandler: (job) => (base.s3ConfigForHandler(job) === null ? null : last),
    };
  },
  'timeout-of-the-submission-before': (base) => {
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
  's3-url-slash-added': (base) => ({
    s3ConfigForHandler: (job) =>
      mapMembers(base.s3ConfigForHandler(job), ([name, value]) => [
        name,
        name === 'endpointUrl' && typeof value === 'string' ? `${value.replace(/\/$/, '')}/` : value,
      ]),
  }),
  's3-storage-called': (base) => {
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
};
