/** Violations of sections 2.1 and 2.3: submissions, and what reaches the worker. */
import type { Json } from '../history/events.js';
import { isObject } from '../util/json.js';
import type { Changes } from './mutant.js';

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

export const SECTION_2_1: Changes = {
  'input-optional': (base) => ({ inputAllowed: (input) => input === undefined || base.inputAllowed(input) }),
  'input-null': (base) => ({ inputAllowed: (input) => input === null || base.inputAllowed(input) }),
  'input-array': (base) => ({ inputAllowed: (input) => Array.isArray(input) || base.inputAllowed(input) }),
  'input-scalar': (base) => ({
    inputAllowed: (input) =>
      ['string', 'number', 'boolean'].includes(typeof input) || base.inputAllowed(input),
  }),
  'input-empty-refused': (base) => ({
    inputAllowed: (input) => base.inputAllowed(input) && Object.keys(input as object).length > 0,
  }),
  'input-loses-nulls': () => ({ inputForHandler: (job) => dropNulls(job.submission.input) }),
  'input-ascii-only': () => ({
    inputForHandler: (job) => mapText(job.submission.input, (text) => text.replace(/[^\0-\x7f]/g, '?')),
  }),
  'id-from-input': (base) => ({
    idShown: (job, view) => {
      const id = isObject(job.submission.input) ? job.submission.input['id'] : undefined;
      return typeof id === 'string' ? id : base.idShown(job, view);
    },
  }),
  'webhook-any-type': (base) => ({
    webhookTaken: (webhook) => (typeof webhook === 'string' ? base.webhookTaken(webhook) : 'ignored'),
  }),
  'policy-any-type': (base) => ({
    containerAllowed: (container, value) => container === 'policy' || base.containerAllowed(container, value),
  }),
  's3-config-any-type': (base) => ({
    containerAllowed: (container, value) =>
      container === 's3Config' || base.containerAllowed(container, value),
  }),
  's3-config-dropped': () => ({ s3ConfigForHandler: () => null }),
  's3-secret-withheld': (base) => ({
    s3ConfigForHandler: (job) => without(base.s3ConfigForHandler(job), 'accessSecret'),
  }),
  's3-bucket-lower-case': (base) => ({
    s3ConfigForHandler: (job) => mapText(base.s3ConfigForHandler(job), (text) => text.toLowerCase()),
  }),
  's3-config-lost-on-retry': (base) => ({
    s3ConfigForHandler: (job) => (job.retries > 0 ? null : base.s3ConfigForHandler(job)),
  }),
  's3-config-lingers': (base) => {
    let last: Json = null;
    return { s3ConfigForHandler: (job) => (last = base.s3ConfigForHandler(job) ?? last) };
  },
};
