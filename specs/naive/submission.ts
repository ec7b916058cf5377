/** Reads a submission body (sections 2.1 to 2.3); refuses what is malformed. */
import { Refused } from './call.js';
import type { Choices } from './choices.js';
import type { Endpoint } from './endpoint.js';
import type { Range } from './hooks.js';
import { isObject, type Json, type JsonObject } from './json.js';

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const WEEK_MS = 7 * DAY_MS;

export interface Submission {
  kind: 'run' | 'runsync';
  input: JsonObject;
  webhook: string | null;
  s3Config: Json;
  executionTimeoutMs: number;
  ttlMs: number;
  lowPriority: boolean;
  /** `wait` as given by the caller; null when it was not. */
  waitMs: number | null;
}

/** What holds for a job whose policy does not say otherwise (section 2.2). */
export interface EndpointDefaults {
  executionTimeoutMs: number;
  ttlMs: number;
}

export interface Policy extends EndpointDefaults {
  lowPriority: boolean;
}

export function newDefaults({ executionTimeoutDefaultMs }: Choices): EndpointDefaults {
  return { executionTimeoutMs: executionTimeoutDefaultMs, ttlMs: DAY_MS };
}

/** The submission in a body. @throws {Refused} when it is malformed. */
export function readSubmission(
  kind: 'run' | 'runsync',
  body: Json,
  waitMs: number | null,
  endpoint: Endpoint,
): Submission {
  const { choices, hooks } = endpoint.service;
  hooks.body(body);
  if (!isObject(body)) throw new Refused('the body is no object');
  if (choices.nullMembers === 'as-absent') body = withoutNullOptions(body);
  if (choices.wrongType === 'as-absent') body = withoutWrongTypes(body);
  if (choices.unknownFields === 'rejected') {
    const known = ['input', 'webhook', 'policy', 's3Config'];
    const unknown = Object.keys(body).find((name) => !known.includes(name));
    if (unknown !== undefined) throw new Refused(`unknown member ${unknown}`);
  }
  if (choices.unknownOptions === 'rejected') {
    const unknown = [
      ...unknownMembers(body['policy'], ['executionTimeout', 'lowPriority', 'ttl']),
      ...unknownMembers(body['s3Config'], ['accessId', 'accessSecret', 'bucketName', 'endpointUrl']),
    ];
    if (unknown.length > 0) throw new Refused(`unknown members ${unknown.join(', ')}`);
  }
  const input = hooks.inputGiven(body['input'], kind) ?? readInput(body['input']);
  const webhook = readWebhook(hooks.webhookGiven(body['webhook'], input), choices);
  const s3Config = readS3(hooks.s3Given(body['s3Config']), choices);
  const given = readObject(hooks.policyGiven(body['policy'], input));
  const policy = hooks.policy(readPolicy(given, kind, endpoint), endpoint);
  const submission: Submission = { kind, input, webhook, s3Config, waitMs, ...policy };
  hooks.submission(submission, given, endpoint);
  return submission;
}

const unknownMembers = (value: Json | undefined, known: readonly string[]): string[] =>
  isObject(value) ? Object.keys(value).filter((name) => !known.includes(name)) : [];

/** The body without optional members that are null. */
function withoutNullOptions(body: JsonObject): JsonObject {
  const without = (object: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(object).filter(([name, value]) => value !== null || name === 'input'));
  const { policy } = body;
  return without(isObject(policy) ? { ...body, policy: without(policy) } : body);
}

/** The body without optional members of another type than the document's. */
function withoutWrongTypes(body: JsonObject): JsonObject {
  const without = (
    object: JsonObject,
    isRight: Readonly<Record<string, (value: Json) => boolean>>,
  ): JsonObject =>
    Object.fromEntries(Object.entries(object).filter(([name, value]) => isRight[name]?.(value) ?? true));
  const isText = (value: Json): boolean => typeof value === 'string';
  const { policy } = without(body, { policy: isObject });
  const times = { executionTimeout: Number.isInteger, ttl: Number.isInteger };
  const right = without(body, { webhook: isText, policy: isObject, s3Config: isObject });
  if (!isObject(policy)) return right;
  return {
    ...right,
    policy: without(policy, { ...times, lowPriority: (value) => typeof value === 'boolean' }),
  };
}

function readInput(input: Json | undefined): JsonObject {
  if (isObject(input)) return input;
  throw new Refused('input is missing or no object');
}

function readObject(policy: Json | undefined): JsonObject {
  if (policy === undefined) return {};
  if (isObject(policy)) return policy;
  throw new Refused('policy is no object');
}

function readWebhook(webhook: Json | undefined, choices: Choices): string | null {
  if (webhook === undefined) return null;
  if (typeof webhook !== 'string') throw new Refused('webhook is no string');
  if (URL.canParse(webhook) && /^https?:$/.test(new URL(webhook).protocol)) return webhook;
  if (choices.badWebhookUrl === 'ignored') return null;
  throw new Refused('webhook is no URL');
}

function readS3(s3Config: Json | undefined, choices: Choices): Json {
  if (s3Config === undefined) return null;
  if (!isObject(s3Config)) throw new Refused('s3Config is no object');
  for (const name of ['accessId', 'accessSecret', 'bucketName', 'endpointUrl']) {
    const value = s3Config[name];
    if (value === undefined && !choices.s3FieldsRequired) continue;
    if (typeof value !== 'string') throw new Refused(`s3Config.${name} is no string`);
  }
  return s3Config;
}

function readPolicy(given: JsonObject, kind: 'run' | 'runsync', endpoint: Endpoint): Policy {
  const { choices, hooks } = endpoint.service;
  const { defaults } = endpoint;
  const timeout = given['executionTimeout'];
  const executionTimeoutMs = readTime(
    'executionTimeout',
    timeout === undefined ? undefined : hooks.executionTimeoutGiven(timeout),
    hooks.executionTimeoutRange([5 * SECOND_MS, WEEK_MS], kind),
    choices,
  );
  const ttl = given['ttl'];
  const ttlMs = readTime(
    'ttl',
    ttl === undefined ? undefined : hooks.ttlGiven(ttl),
    hooks.ttlRange([10 * SECOND_MS, WEEK_MS], kind),
    choices,
  );
  const { lowPriority: givenPriority = false } = given;
  const lowPriority = hooks.lowPriorityGiven(givenPriority);
  if (typeof lowPriority !== 'boolean') throw new Refused('lowPriority is no boolean');
  const bothGiven = ttlMs !== null && executionTimeoutMs !== null;
  if (choices.ttlBelowTimeout === 'rejected' && bothGiven && ttlMs < executionTimeoutMs)
    throw new Refused('ttl is shorter than executionTimeout');
  return {
    executionTimeoutMs: executionTimeoutMs ?? defaults.executionTimeoutMs,
    ttlMs: ttlMs ?? defaults.ttlMs,
    lowPriority,
  };
}

/** A time of the policy; null where it is absent. */
function readTime(name: string, value: Json | undefined, range: Range, choices: Choices): number | null {
  if (value === undefined) return null;
  if (!Number.isInteger(value)) throw new Refused(`${name} is no integer`);
  return inRange(name, value as number, range, choices.policyOutOfRange);
}

function inRange(name: string, given: number, [min, max]: Range, outside: 'clamped' | 'rejected'): number {
  if (given >= min && given <= max) return given;
  if (outside === 'clamped') return Math.min(max, Math.max(min, given));
  throw new Refused(`${name} is out of range`);
}

/** The query parameter `wait` in ms; null when it is absent. @throws {Refused} when it is malformed. */
export function readWait(text: string | null, endpoint: Endpoint): number | null {
  const { choices, hooks } = endpoint.service;
  const value = text === null ? null : hooks.waitGiven(text);
  if (value === null || (choices.wrongType === 'as-absent' && !/^-?\d+$/.test(value))) return null;
  if (!/^-?\d{1,15}$/.test(value)) throw new Refused('wait is no integer');
  return inRange(
    'wait',
    Number(value),
    hooks.waitRange([SECOND_MS, 300 * SECOND_MS]),
    choices.waitOutOfRange,
  );
}
