/** Violations of sections 2.1 and 2.3: submissions, and what reaches the worker. */
import type { Json } from '../history/events.js';
import { isObject } from '../util/json.js';
import { fault } from './mutant.js';

const without = (value: Json, name: string): Json =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([key]) => key !== name)) : value;

function mapText(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return (value as readonly Json[]).map((each) => mapText(each, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [change(key), mapText(each, change)]));
}

function dropNulls(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).filter((each) => each !== null).map(dropNulls);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== null)
      .map(([key, each]) => [key, dropNulls(each)]),
  );
}

export const SECTION_2_1 = [
  fault(
    'input-optional',
    'a submission without input is accepted',
    ['2.1/input-missing-refused-run', '2.1/input-missing-refused-runsync'],
    (base) => ({
      inputAllowed: (input) => input === undefined || base.inputAllowed(input),
    }),
  ),
  fault(
    'input-null',
    'input may be null',
    ['2.1/input-null-refused-run', '2.1/input-null-refused-runsync'],
    (base) => ({
      inputAllowed: (input) => input === null || base.inputAllowed(input),
    }),
  ),
  fault(
    'input-array',
    'input may be an array',
    ['2.1/input-array-refused-run', '2.1/input-array-refused-runsync'],
    (base) => ({
      inputAllowed: (input) => Array.isArray(input) || base.inputAllowed(input),
    }),
  ),
  fault(
    'input-scalar',
    'input may be a string, a number or a boolean',
    ['2.1/input-scalar-refused-run', '2.1/input-scalar-refused-runsync'],
    (base) => ({
      inputAllowed: (input) =>
        ['string', 'number', 'boolean'].includes(typeof input) || base.inputAllowed(input),
    }),
  ),
  fault(
    'input-empty-refused',
    'input may not be {}',
    ['2.1/input-empty-accepted-run', '2.1/input-empty-accepted-runsync'],
    (base) => ({
      inputAllowed: (input) => base.inputAllowed(input) && Object.keys(input as object).length > 0,
    }),
  ),
  fault(
    'input-loses-nulls',
    'null values in input do not reach the handler',
    ['2.1/input-nested-unchanged'],
    () => ({
      inputForHandler: (job) => dropNulls(job.submission.input),
    }),
  ),
  fault('input-ascii-only', 'non-ASCII text in input is garbled', ['2.1/input-unicode-unchanged'], () => ({
    inputForHandler: (job) => mapText(job.submission.input, (text) => text.replace(/[^\0-\x7f]/g, '?')),
  })),
  fault(
    'id-from-input',
    'the job id shown is the member `id` of input',
    ['2.1/input-content-not-interpreted', '2.4/id-matches-status'],
    (base) => ({
      idShown: (job, view) => {
        const id = isObject(job.submission.input) ? job.submission.input['id'] : undefined;
        return typeof id === 'string' ? id : base.idShown(job, view);
      },
    }),
  ),
  fault(
    'webhook-any-type',
    'a webhook that is not a string is accepted',
    ['2.1/webhook-type-checked'],
    (base) => ({
      webhookTaken: (webhook) => (typeof webhook === 'string' ? base.webhookTaken(webhook) : 'ignored'),
    }),
  ),
  fault(
    'policy-any-type',
    'a policy that is not an object is accepted',
    ['2.1/policy-type-checked-run', '2.1/policy-type-checked-runsync'],
    (base) => ({
      containerAllowed: (container, value) =>
        container === 'policy' || base.containerAllowed(container, value),
    }),
  ),
  fault(
    's3-config-any-type',
    'an s3Config that is not an object is accepted',
    ['2.1/s3config-type-checked'],
    (base) => ({
      containerAllowed: (container, value) =>
        container === 's3Config' || base.containerAllowed(container, value),
    }),
  ),
  fault(
    's3-config-dropped',
    's3Config does not reach the worker',
    ['2.3/passed-along-run', '2.3/passed-along-runsync', '2.3/access-id-reaches-worker'],
    () => ({
      s3ConfigForHandler: () => null,
    }),
  ),
  fault(
    's3-secret-withheld',
    's3Config reaches the worker without its accessSecret',
    ['2.3/access-secret-reaches-worker', '2.3/passed-along-run'],
    (base) => ({
      s3ConfigForHandler: (job) => without(base.s3ConfigForHandler(job), 'accessSecret'),
    }),
  ),
  fault(
    's3-bucket-lower-case',
    's3Config reaches the worker in lower case',
    ['2.3/passed-along-run', '2.3/bucket-name-reaches-worker', '2.3/access-id-reaches-worker'],
    (base) => ({
      s3ConfigForHandler: (job) => mapText(base.s3ConfigForHandler(job), (text) => text.toLowerCase()),
    }),
  ),
  fault(
    's3-config-lost-on-retry',
    'a retried job runs without its s3Config',
    ['2.3/kept-across-retry'],
    (base) => ({
      s3ConfigForHandler: (job) => (job.retries > 0 ? null : base.s3ConfigForHandler(job)),
    }),
  ),
  fault(
    's3-config-lingers',
    'a job without s3Config gets that of the job before',
    ['2.3/not-mixed-between-jobs'],
    (base) => {
      let last: Json = null;
      return { s3ConfigForHandler: (job) => (last = base.s3ConfigForHandler(job) ?? last) };
    },
  ),
] as const;
