/** Section 2.1: the body of `/run` and `/runsync`. A refusal names the field. */
import type { Json } from '../../history/events.js';
import { S3_CONFIG_FIELDS } from '../../spec/operations.js';
import type { Rules } from '../rules.js';
import type { Submission } from '../state.js';
import { integerInBody } from './integer.js';
import type { Read } from './integer.js';

export type JsonObject = { readonly [key: string]: Json };

export function jsonObject(text: string | null): Read<JsonObject> {
  if (text === null || text === '') return { refused: 'the body must be a JSON object, and there is none' };
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return { refused: 'the body is not valid JSON' };
  }
  return isObject(value) ? { value } : { refused: 'the body must be a JSON object' };
}

export function submissionIn(rules: Rules, body: JsonObject): Read<Submission> {
  if (!rules.inputAllowed(body['input'])) {
    return { refused: body['input'] === undefined ? 'input is required' : 'input must be a JSON object' };
  }
  const webhook = given(rules, body, 'webhook');
  if (webhook !== null && !rules.webhookAllowed(webhook)) {
    return { refused: 'webhook must be an http or https URL' };
  }
  const policy = policyIn(rules, given(rules, body, 'policy'));
  if ('refused' in policy) return policy;
  const s3Config = given(rules, body, 's3Config');
  const s3Fault = s3Config === null ? null : s3ConfigFault(rules, s3Config);
  if (s3Fault !== null) return { refused: s3Fault };
  return {
    value: {
      input: body['input'] ?? null,
      webhook: typeof webhook === 'string' ? webhook : null,
      s3Config,
      policy: policy.value,
    },
  };
}

function policyIn(rules: Rules, policy: Json): Read<Submission['policy']> {
  const read = {
    executionTimeoutMs: null as number | null,
    lowPriority: null as boolean | null,
    ttlMs: null as number | null,
  };
  if (policy === null) return { value: read };
  if (!isObject(policy)) return { refused: 'policy must be a JSON object' };
  const executionTimeout = given(rules, policy, 'executionTimeout');
  if (executionTimeout !== null) {
    const integer = integerInBody(rules, 'policy.executionTimeout', executionTimeout);
    if ('refused' in integer) return integer;
    read.executionTimeoutMs = integer.value;
  }
  const lowPriority = given(rules, policy, 'lowPriority');
  if (lowPriority !== null) {
    if (!rules.lowPriorityAllowed(lowPriority)) return { refused: 'policy.lowPriority must be a boolean' };
    read.lowPriority = lowPriority === true;
  }
  const ttl = given(rules, policy, 'ttl');
  if (ttl !== null) {
    const integer = integerInBody(rules, 'policy.ttl', ttl);
    if ('refused' in integer) return integer;
    read.ttlMs = integer.value;
  }
  return { value: read };
}

function s3ConfigFault(rules: Rules, s3Config: Json): string | null {
  if (!isObject(s3Config)) return 's3Config must be a JSON object';
  for (const field of S3_CONFIG_FIELDS) {
    if (!rules.s3FieldAllowed(field, s3Config[field])) return `s3Config.${field} must be a string`;
  }
  return null;
}

/** The member, with null for "left out". */
function given(rules: Rules, object: JsonObject, field: string): Json {
  const value = object[field];
  if (value === undefined) return null;
  return value === null && !rules.nullMeansAbsent(field) ? WRONG : value;
}

/** Stands for an explicit null: of no type that any field takes. */
const WRONG: Json = Object.freeze([]);

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
