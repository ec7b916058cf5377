/** Section 2.1: parses the body of `/run` and `/runsync`. A refusal names the field. */
import type { Json } from '../../history/events.js';
import { S3_CONFIG_FIELDS } from '../../spec/operations.js';
import type { CoreRequest } from '../api.js';
import { isObject } from '../../util/json.js';
import type { Rules } from '../rules.js';
import type { Container, IntegerField } from '../rules/submissions.js';
import type { Submission } from '../entities.js';
import { integerIn } from './integer.js';
import { parseJson } from './parse-json.js';
import type { Parsed } from './integer.js';

export type JsonObject = { readonly [key: string]: Json };

export function jsonObject(
  rules: Rules,
  { body: text, bodyValue }: Pick<CoreRequest, 'body' | 'bodyValue'>,
): Parsed<JsonObject> {
  if (bodyValue !== undefined && isObject(bodyValue)) return { value: bodyValue };
  if (text === null || text === '') return { refused: 'the body must be a JSON object, and there is none' };
  let value: Json;
  try {
    value = parseJson(text, rules.duplicateKeys());
  } catch {
    return { refused: 'the body is not valid JSON' };
  }
  return isObject(value) ? { value } : { refused: 'the body must be a JSON object' };
}

export function submissionIn(rules: Rules, request: CoreRequest): Parsed<Submission> {
  const read = jsonObject(rules, request);
  if ('refused' in read) return read;
  const body = read.value;
  const input = body['input'];
  if (!rules.inputAllowed(input)) {
    return { refused: input === undefined ? 'input is required' : 'input must be a JSON object' };
  }
  const unknown = refusedMember(rules, 'body', body);
  if (unknown !== null) return { refused: unknown };
  const webhook = given(rules, 'body', body, 'webhook');
  const webhookTaken = webhook === null ? 'ignored' : rules.webhookTaken(webhook);
  if (webhookTaken === 'refused') return { refused: 'webhook must be an http or https URL' };
  const policy = policyIn(rules, given(rules, 'body', body, 'policy'));
  if ('refused' in policy) return policy;
  const s3Config = s3ConfigIn(rules, given(rules, 'body', body, 's3Config'));
  if ('refused' in s3Config) return s3Config;
  return {
    value: {
      input: input ?? null,
      webhook: webhookTaken === 'called' ? String(webhook) : null,
      s3Config: s3Config.value,
      policy: policy.value,
    },
  };
}

const NO_POLICY: Submission['policy'] = { executionTimeoutMs: null, lowPriority: null, ttlMs: null };

function policyIn(rules: Rules, policy: Json): Parsed<Submission['policy']> {
  if (policy === null) return { value: NO_POLICY };
  if (!rules.containerAllowed('policy', policy)) return { refused: 'policy must be a JSON object' };
  if (!isObject(policy)) return { value: NO_POLICY };
  const unknown = refusedMember(rules, 'policy', policy);
  if (unknown !== null) return { refused: unknown };
  const executionTimeout = policyInteger(rules, policy, 'executionTimeout');
  if ('refused' in executionTimeout) return executionTimeout;
  const lowPriority = given(rules, 'policy', policy, 'lowPriority');
  if (lowPriority !== null && !rules.lowPriorityAllowed(lowPriority)) {
    return { refused: 'policy.lowPriority must be a boolean' };
  }
  const ttl = policyInteger(rules, policy, 'ttl');
  if ('refused' in ttl) return ttl;
  const tooShort =
    ttl.value !== null && executionTimeout.value !== null && ttl.value < executionTimeout.value;
  if (tooShort && !rules.ttlMayBeBelow())
    return { refused: 'policy.ttl must not be below policy.executionTimeout' };
  return {
    value: {
      executionTimeoutMs: executionTimeout.value,
      lowPriority: lowPriority === null ? null : lowPriority === true,
      ttlMs: ttl.value,
    },
  };
}

function policyInteger(
  rules: Rules,
  policy: JsonObject,
  name: 'executionTimeout' | 'ttl',
): Parsed<number | null> {
  const field: IntegerField = `policy.${name}`;
  const value = given(rules, 'policy', policy, name);
  return value === null ? { value: null } : integerIn(rules, field, value);
}

function s3ConfigIn(rules: Rules, s3Config: Json): Parsed<Json | null> {
  if (s3Config === null) return { value: null };
  if (!rules.containerAllowed('s3Config', s3Config)) return { refused: 's3Config must be a JSON object' };
  if (!isObject(s3Config)) return { value: s3Config };
  const unknown = refusedMember(rules, 's3Config', s3Config);
  if (unknown !== null) return { refused: unknown };
  for (const field of S3_CONFIG_FIELDS) {
    const value = s3Config[field];
    if (value === undefined && rules.s3FieldRequired(field))
      return { refused: `s3Config.${field} is required` };
    if (value !== undefined && !rules.s3FieldAllowed(field, value)) {
      return { refused: `s3Config.${field} must be a string` };
    }
  }
  const taken = Object.entries(s3Config).filter(([name]) => rules.memberTaken('s3Config', name) === 'taken');
  return { value: Object.fromEntries(taken) };
}

function refusedMember(rules: Rules, container: Container, object: JsonObject): string | null {
  for (const name of Object.keys(object)) {
    if (rules.memberTaken(container, name) === 'refused') {
      return `${container === 'body' ? '' : `${container}.`}${name} is not a field of a submission`;
    }
  }
  return null;
}

/** The value of a field; null when it counts as left out. */
function given(rules: Rules, container: Container, object: JsonObject, field: string): Json {
  const value = object[field];
  if (value === undefined) return null;
  return value === null && !rules.nullMeansAbsent(container) ? WRONG : value;
}

/** Stands for an explicit null: a value that no field accepts. */
const WRONG: Json = Object.freeze([]);
