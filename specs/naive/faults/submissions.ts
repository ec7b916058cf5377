/** Faults of section 2.1: what a submission may hold. */
import { Refused } from '../call.js';
import { isObject, type Json } from '../json.js';
import { breaking } from './fault.js';

export const SUBMISSIONS_FAULTS = [
  breaking('2.1', '| `input` | JSON object | yes |', {
    'input-missing-accepted': {
      does: 'a body without input is taken as input {}',
      inputGiven: (input) => (input === undefined ? {} : null),
    },
    'input-array-accepted': {
      does: 'an array passes as input',
      inputGiven: (input) => (Array.isArray(input) ? Object.fromEntries<Json>(input.entries()) : null),
    },
    'input-empty-array-as-object': {
      does: '[] passes as input {}',
      inputGiven: (input) => (Array.isArray(input) && input.length === 0 ? {} : null),
    },
    'input-string-accepted': {
      does: 'a string passes as input',
      inputGiven: (input) => (typeof input === 'string' ? { text: input } : null),
    },
    'input-null-accepted': {
      does: 'null passes as input',
      inputGiven: (input) => (input === null ? {} : null),
    },
    'input-empty-refused': {
      does: '{} is refused as input',
      inputGiven(input) {
        if (isObject(input) && Object.keys(input).length === 0) throw new Refused('input is empty');
        return null;
      },
    },
    'body-array-is-500': {
      does: 'a body that is no object crashes the handler of the call',
      body(body) {
        if (!isObject(body)) throw new TypeError('the body is no object');
      },
    },
    'runsync-input-unchecked': {
      does: '/runsync takes whatever stands for input, and {} where nothing does',
      inputGiven: (input, kind) => (kind === 'runsync' && !isObject(input) ? {} : null),
    },
  }),
  breaking('2.1', '| `webhook` | string (URL) | no |', {
    'webhook-wrong-type-accepted': {
      does: 'webhook: 42 is accepted',
      contested: 'which malformed fields must be refused is not listed',
      webhookGiven: (webhook) => (typeof webhook === 'string' ? webhook : undefined),
    },
    'webhook-required': {
      does: 'a submission without webhook is refused',
      webhookGiven(webhook) {
        if (webhook === undefined) throw new Refused('webhook is missing');
        return webhook;
      },
    },
  }),
  breaking('2.1', '| `policy` | object | no | Execution policy (2.2). |', {
    'policy-wrong-type-accepted': {
      does: 'policy: "fast" is accepted and ignored',
      contested: 'which malformed fields must be refused is not listed',
      policyGiven: (policy) => (isObject(policy) ? policy : {}),
    },
    'policy-ignored': {
      does: 'the whole policy is ignored',
      policy: (_policy, { defaults }) => ({ ...defaults, lowPriority: false }),
    },
    'policy-required': {
      does: 'a submission without policy is refused',
      policyGiven(policy) {
        if (policy === undefined) throw new Refused('policy is missing');
        return policy;
      },
    },
    'policy-array-accepted': {
      does: 'policy: [] is accepted',
      policyGiven: (policy) => (Array.isArray(policy) ? {} : policy),
    },
    'policy-falsy-accepted': {
      does: 'policy: "", 0 and false are taken as absent',
      policyGiven: (policy) => (!policy && policy !== null ? {} : policy),
    },
    's3-array-accepted': {
      does: 's3Config: [] is accepted',
      s3Given: (s3Config) => (Array.isArray(s3Config) ? undefined : s3Config),
    },
    's3-falsy-accepted': {
      does: 's3Config: "", 0 and false are taken as absent',
      s3Given: (s3Config) => (s3Config === null || s3Config ? s3Config : undefined),
    },
    'webhook-falsy-accepted': {
      does: 'webhook: 0 and false are taken as absent',
      webhookGiven: (webhook) => (webhook === 0 || webhook === false ? undefined : webhook),
    },
    'low-priority-number-accepted': {
      does: 'lowPriority: 1 and 0 are accepted',
      lowPriorityGiven: (value) => (typeof value === 'number' ? value > 0 : value),
    },
  }),
];
