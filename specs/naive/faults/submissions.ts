/** Faults of section 2.1: what a submission may hold. */
import { Refused } from '../call.js';
import { isObject, type Json } from '../json.js';
import type { Faults } from './fault.js';

export const SUBMISSIONS_FAULTS = {
  'input-optional': { inputGiven: (input) => (input === undefined ? {} : null) },
  'input-array': {
    inputGiven: (input) => (Array.isArray(input) ? Object.fromEntries<Json>(input.entries()) : null),
  },
  'input-empty-array-as-object': {
    inputGiven: (input) => (Array.isArray(input) && input.length === 0 ? {} : null),
  },
  'input-string-accepted': { inputGiven: (input) => (typeof input === 'string' ? { text: input } : null) },
  'input-null-accepted': { inputGiven: (input) => (input === null ? {} : null) },
  'input-empty-refused': {
    inputGiven(input) {
      if (isObject(input) && Object.keys(input).length === 0) throw new Refused('input is empty');
      return null;
    },
  },
  'body-array-is-500': {
    body(body) {
      if (!isObject(body)) throw new TypeError('the body is no object');
    },
  },
  'runsync-input-unchecked': {
    inputGiven: (input, kind) => (kind === 'runsync' && !isObject(input) ? {} : null),
  },
  'webhook-wrong-type-accepted': {
    webhookGiven: (webhook) => (typeof webhook === 'string' ? webhook : undefined),
  },
  'webhook-required': {
    webhookGiven(webhook) {
      if (webhook === undefined) throw new Refused('webhook is missing');
      return webhook;
    },
  },
  'policy-wrong-type-accepted': { policyGiven: (policy) => (isObject(policy) ? policy : {}) },
  'policy-ignored': { policy: (_policy, { defaults }) => ({ ...defaults, lowPriority: false }) },
  'policy-required': {
    policyGiven(policy) {
      if (policy === undefined) throw new Refused('policy is missing');
      return policy;
    },
  },
  'policy-array-accepted': { policyGiven: (policy) => (Array.isArray(policy) ? {} : policy) },
  'policy-falsy-accepted': { policyGiven: (policy) => (!policy && policy !== null ? {} : policy) },
  's3-array-accepted': { s3Given: (s3Config) => (Array.isArray(s3Config) ? undefined : s3Config) },
  's3-falsy-accepted': { s3Given: (s3Config) => (s3Config === null || s3Config ? s3Config : undefined) },
  'webhook-falsy-accepted': {
    webhookGiven: (webhook) => (webhook === 0 || webhook === false ? undefined : webhook),
  },
  'low-priority-number-accepted': {
    lowPriorityGiven: (value) => (typeof value === 'number' ? value > 0 : value),
  },
} satisfies Faults;
