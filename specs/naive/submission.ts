/** Reads a submission body (sections 2.1 to 2.3); refuses what is malformed. */
import type { Choices } from './choices.js';
import type { FaultId } from './faults.js';
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

/** What earlier submissions have left behind; only some faults do. */
export interface EndpointDefaults {
  executionTimeoutMs: number;
  ttlMs: number;
  webhook: string | null;
  s3Config: Json;
}

export function newDefaults(fault: FaultId | null, defaultMs?: number): EndpointDefaults {
  return { ...defaultTimes(fault, defaultMs), webhook: null, s3Config: null };
}

function defaultTimes(
  fault: FaultId | null,
  defaultMs = 10 * MINUTE_MS,
): Pick<EndpointDefaults, 'executionTimeoutMs' | 'ttlMs'> {
  let executionTimeoutMs = defaultMs;
  if (fault === 'execution-timeout-default-one-minute') executionTimeoutMs = MINUTE_MS;
  if (fault === 'execution-timeout-default-one-hour') executionTimeoutMs = HOUR_MS;
  if (fault === 'execution-timeout-default-none') executionTimeoutMs = Infinity;
  let ttlMs = DAY_MS;
  if (fault === 'ttl-default-one-hour') ttlMs = HOUR_MS;
  if (fault === 'ttl-default-seven-days') ttlMs = WEEK_MS;
  if (fault === 'ttl-default-none') ttlMs = Infinity;
  return { executionTimeoutMs, ttlMs };
}

/** The submission, or the reason why it is refused. */
export function readSubmission(
  kind: 'run' | 'runsync',
  body: Json,
  waitMs: number | null,
  defaults: EndpointDefaults,
  choices: Choices,
  fault: FaultId | null,
): Submission | string {
  if (fault === 'body-null-is-500' && body === null) throw new TypeError('the body is null');
  if (!isObject(body)) {
    if (fault === 'body-array-is-500') throw new TypeError('the body is no object');
    return 'the body is no object';
  }
  if (choices.nullMembers === 'as-absent') body = withoutNullOptions(body);
  if (choices.unknownFields === 'rejected') {
    const known = ['input', 'webhook', 'policy', 's3Config'];
    const unknown = Object.keys(body).find((name) => !known.includes(name));
    if (unknown !== undefined) return `unknown member ${unknown}`;
  }
  if (choices.unknownOptions === 'rejected') {
    const strays = [
      ...strangers(body['policy'], ['executionTimeout', 'lowPriority', 'ttl']),
      ...strangers(body['s3Config'], ['accessId', 'accessSecret', 'bucketName', 'endpointUrl']),
    ];
    if (strays.length > 0) return `unknown members ${strays.join(', ')}`;
  }
  // Faults named after /runsync leave /run alone.
  fault = kind === 'run' && fault?.startsWith('runsync-') ? null : fault;
  const input = readInput(body, fault);
  if (typeof input === 'string') return input;
  let given = body['webhook'];
  if (fault === 'input-member-webhook-called' && typeof input['webhook'] === 'string')
    given ??= input['webhook'];
  const webhook = readWebhook(given, choices, fault);
  if (webhook instanceof Error) return webhook.message;
  let s3Config = body['s3Config'] ?? null;
  if (fault === 's3-falsy-accepted' && !s3Config) s3Config = null;
  if (fault === 's3-array-accepted' && Array.isArray(s3Config)) s3Config = null;
  const s3Problem = s3Config === null ? null : checkS3(s3Config, choices);
  if (s3Problem !== null) return s3Problem;
  if (fault === 's3-null-is-500' && body['s3Config'] === null) throw new TypeError('s3Config is null');
  if (body['s3Config'] === null) return 's3Config is no object';
  let limits = body['policy'];
  if (fault === 'input-member-policy-used' && isObject(input['policy'])) limits ??= input['policy'];
  const policy = readPolicy(limits, defaults, choices, fault);
  if (typeof policy === 'string') return policy;

  const submission: Submission = { kind, input, webhook, s3Config, waitMs, ...policy };
  makeWrong(submission, body['policy'], fault);
  if (fault === 'wait-is-execution-timeout' && waitMs !== null) submission.executionTimeoutMs = waitMs;
  if (fault === 's3-merged-with-previous' && isObject(s3Config) && isObject(defaults.s3Config))
    submission.s3Config = { ...defaults.s3Config, ...s3Config };
  if (fault === 's3-of-previous-job') submission.s3Config = s3Config ?? defaults.s3Config;
  if (fault === 'webhook-sticks') submission.webhook = webhook ?? defaults.webhook;
  if (s3Config !== null) defaults.s3Config = s3Config;
  if (webhook !== null) defaults.webhook = webhook;
  return submission;
}

/** What some faults make of the times of a submission. */
function makeWrong(submission: Submission, policy: Json | undefined, fault: FaultId | null): void {
  const given = isObject(policy) ? policy : {};
  const cut = (ms: number, unitMs: number): number => Math.floor(ms / unitMs) * unitMs;
  const { executionTimeoutMs, ttlMs, waitMs } = submission;
  const [ownTimeout, ownTtl] = [given['executionTimeout'] !== undefined, given['ttl'] !== undefined];
  if (fault === 'runsync-policy-ignored') Object.assign(submission, defaultTimes(fault));
  if (fault === 'execution-timeout-none-beside-ttl' && ownTtl && !ownTimeout)
    submission.executionTimeoutMs = Infinity;
  if (fault === 'runsync-execution-timeout-default-is-wait' && !ownTimeout)
    submission.executionTimeoutMs = waitMs ?? 90 * SECOND_MS;
  if (fault === 'execution-timeout-cut-to-seconds')
    submission.executionTimeoutMs = cut(executionTimeoutMs, SECOND_MS);
  if (fault === 'execution-timeout-cut-to-minutes' && executionTimeoutMs > MINUTE_MS)
    submission.executionTimeoutMs = cut(executionTimeoutMs, MINUTE_MS);
  if (fault === 'ttl-none-beside-execution-timeout' && ownTimeout && !ownTtl) submission.ttlMs = Infinity;
  if (fault === 'runsync-ttl-default-five-minutes' && !ownTtl) submission.ttlMs = 5 * MINUTE_MS;
  if (fault === 'runsync-ttl-default-one-hour' && !ownTtl) submission.ttlMs = HOUR_MS;
  if (fault === 'execution-timeout-capped-at-a-day')
    submission.executionTimeoutMs = Math.min(DAY_MS, executionTimeoutMs);
  if (fault === 'ttl-cut-to-seconds') submission.ttlMs = cut(ttlMs, SECOND_MS);
  if (fault === 'ttl-cut-to-minutes' && ttlMs > MINUTE_MS) submission.ttlMs = cut(ttlMs, MINUTE_MS);
}

const strangers = (value: Json | undefined, known: readonly string[]): string[] =>
  isObject(value) ? Object.keys(value).filter((name) => !known.includes(name)) : [];

/** The body without optional members that are null. */
function withoutNullOptions(body: JsonObject): JsonObject {
  const without = (object: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(object).filter(([name, value]) => value !== null || name === 'input'));
  const { policy } = body;
  return without(isObject(policy) ? { ...body, policy: without(policy) } : body);
}

const depthOf = (value: Json): number =>
  typeof value === 'object' && value !== null
    ? 1 + Object.values(value).reduce((most: number, member: Json) => Math.max(most, depthOf(member)), 0)
    : 0;

const pick = (object: JsonObject, ...names: string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));

function readInput(body: JsonObject, fault: FaultId | null): JsonObject | string {
  const input = body['input'];
  if (fault === 'input-nested-over-thirty-refused' && isObject(input) && depthOf(input) > 30)
    return 'input is nested too deep';
  if (fault === 'input-member-input-unwrapped' && isObject(input) && isObject(input['input']))
    return { ...pick(input, 'plan', 'planOnRetry'), ...input['input'] };
  if (fault === 'input-empty-refused' && isObject(input) && Object.keys(input).length === 0)
    return 'input is empty';
  if (isObject(input)) return input;
  if (fault === 'runsync-input-unchecked') return {};
  if (fault === 'input-missing-accepted' && input === undefined) return {};
  if (fault === 'input-array-accepted' && Array.isArray(input))
    return Object.fromEntries<Json>(input.entries());
  if (fault === 'input-string-accepted' && typeof input === 'string') return { text: input };
  if (fault === 'input-null-accepted' && input === null) return {};
  return 'input is missing or no object';
}

function readWebhook(
  webhook: Json | undefined,
  choices: Choices,
  fault: FaultId | null,
): string | null | Error {
  if (webhook === undefined) return fault === 'webhook-required' ? new Error('webhook is missing') : null;
  if (fault === 'webhook-falsy-accepted' && (webhook === 0 || webhook === false)) return null;
  if (fault === 'webhook-wrong-type-accepted' && typeof webhook !== 'string') return null;
  if (fault === 'webhook-number-is-500' && typeof webhook !== 'string')
    throw new TypeError('webhook.startsWith is not a function');
  if (typeof webhook !== 'string') return new Error('webhook is no string');
  if (fault === 'webhook-no-url-is-500' && !URL.canParse(webhook)) throw new TypeError('Invalid URL');
  if (URL.canParse(webhook) && /^https?:$/.test(new URL(webhook).protocol)) return webhook;
  return choices.badWebhookUrl === 'ignored' ? null : new Error('webhook is no URL');
}

function checkS3(s3Config: Json, choices: Choices): string | null {
  if (!isObject(s3Config)) return 's3Config is no object';
  for (const name of ['accessId', 'accessSecret', 'bucketName', 'endpointUrl']) {
    const value = s3Config[name];
    if (value === undefined && !choices.s3FieldsRequired) continue;
    if (typeof value !== 'string') return `s3Config.${name} is no string`;
  }
  return null;
}

interface Policy {
  executionTimeoutMs: number;
  ttlMs: number;
  lowPriority: boolean;
}

function readPolicy(
  given: Json | undefined,
  defaults: EndpointDefaults,
  choices: Choices,
  fault: FaultId | null,
): Policy | string {
  if (fault === 'policy-required' && given === undefined) return 'policy is missing';
  if (fault === 'policy-wrong-type-accepted' && !isObject(given)) given = {};
  if (fault === 'policy-array-accepted' && Array.isArray(given)) given = {};
  if (fault === 'policy-falsy-accepted' && !given && given !== null) given = {};
  if (given === undefined) given = {};
  if (fault === 'policy-null-is-500' && given === null) throw new TypeError('policy is null');
  if (!isObject(given)) return 'policy is no object';
  const executionTimeout = readExecutionTimeout(given['executionTimeout'], choices, fault);
  if (typeof executionTimeout === 'string') return executionTimeout;
  const ttl = readTtl(given['ttl'], choices, fault);
  if (typeof ttl === 'string') return ttl;
  let lowPriority = given['lowPriority'] ?? false;
  if (given['lowPriority'] === null) return 'lowPriority is no boolean';
  if (fault === 'low-priority-string-accepted' && typeof lowPriority === 'string') lowPriority = true;
  if (fault === 'low-priority-number-accepted' && typeof lowPriority === 'number')
    lowPriority = lowPriority > 0;
  if (typeof lowPriority !== 'boolean') return 'lowPriority is no boolean';
  if (fault === 'low-priority-refused' && lowPriority) return 'lowPriority is not supported';
  const bothGiven = ttl !== null && executionTimeout !== null;
  if (choices.ttlBelowTimeout === 'rejected' && bothGiven && ttl < executionTimeout) {
    return 'ttl is shorter than executionTimeout';
  }

  const policy: Policy = {
    executionTimeoutMs: executionTimeout ?? defaults.executionTimeoutMs,
    ttlMs: ttl ?? defaults.ttlMs,
    lowPriority,
  };
  if (fault === 'execution-timeout-sticks') defaults.executionTimeoutMs = policy.executionTimeoutMs;
  if (fault === 'execution-timeout-policy-ignored') policy.executionTimeoutMs = defaults.executionTimeoutMs;
  if (fault === 'ttl-sticks') defaults.ttlMs = policy.ttlMs;
  if (fault === 'policy-ignored') return { ...defaultTimes(fault), lowPriority: false };
  return policy;
}

function readExecutionTimeout(
  value: Json | undefined,
  choices: Choices,
  fault: FaultId | null,
): number | null | string {
  if (value === undefined) return null;
  if (fault === 'execution-timeout-string-accepted' && typeof value === 'string') value = Number(value);
  if (fault === 'execution-timeout-fraction-accepted' && typeof value === 'number') value = Math.round(value);
  if (fault === 'execution-timeout-boolean-accepted' && value === true) return null;
  if (!Number.isInteger(value)) return 'executionTimeout is no integer';
  const given = value as number;
  let min = 5 * SECOND_MS;
  let max = WEEK_MS;
  if (fault === 'execution-timeout-min-not-enforced') min = 0;
  if (fault === 'execution-timeout-min-too-high') min = 10 * SECOND_MS;
  if (fault === 'execution-timeout-min-exclusive') min += 1;
  if (fault === 'execution-timeout-max-not-enforced') max = Infinity;
  if (fault === 'execution-timeout-max-too-low') max = DAY_MS;
  if (fault === 'execution-timeout-max-exclusive') max -= 1;
  if (fault === 'runsync-policy-unchecked') return given;
  return inRange('executionTimeout', given, min, max, choices);
}

function readTtl(value: Json | undefined, choices: Choices, fault: FaultId | null): number | null | string {
  if (value === undefined) return null;
  if (fault === 'ttl-string-accepted' && typeof value === 'string') value = Number(value);
  if (fault === 'ttl-array-accepted' && Array.isArray(value)) value = Number(value);
  if (!Number.isInteger(value)) return 'ttl is no integer';
  const given = value as number;
  if (fault === 'ttl-negative-accepted' && given < 0) return null;
  let min = 10 * SECOND_MS;
  let max = WEEK_MS;
  if (fault === 'ttl-min-not-enforced') min = 0;
  if (fault === 'ttl-min-too-high') min = MINUTE_MS;
  if (fault === 'ttl-min-exclusive') min += 1;
  if (fault === 'ttl-max-not-enforced') max = Infinity;
  if (fault === 'ttl-max-too-low') max = DAY_MS;
  if (fault === 'ttl-max-exclusive') max -= 1;
  if (fault === 'runsync-policy-unchecked') return given;
  return inRange('ttl', given, min, max, choices);
}

function inRange(name: string, given: number, min: number, max: number, choices: Choices): number | string {
  if (given >= min && given <= max) return given;
  if (choices.policyOutOfRange === 'clamped') return Math.min(max, Math.max(min, given));
  return `${name} is out of range`;
}

/** The query parameter `wait`: a number of milliseconds, null when absent, or the reason why it is refused. */
export function readWait(
  value: string | null,
  choices: Choices,
  fault: FaultId | null,
): number | null | string {
  if (value === null) return null;
  if (fault === 'wait-malformed-accepted' && !/^\d+$/.test(value)) return null;
  if (fault === 'wait-number-prefix-accepted') value = /^\d+/.exec(value)?.[0] ?? value;
  if (fault === 'wait-malformed-is-500' && !/^-?\d+$/.test(value)) throw new RangeError('wait is NaN');
  if (!/^-?\d{1,15}$/.test(value)) return 'wait is no integer';
  let min = SECOND_MS;
  let max = 300 * SECOND_MS;
  if (fault === 'wait-min-not-enforced') min = 0;
  if (fault === 'wait-max-not-enforced') max = Infinity;
  if (fault === 'wait-min-exclusive') min += 1;
  if (fault === 'wait-max-exclusive') max -= 1;
  const given = Number(value);
  if (given >= min && given <= max) return given;
  if (choices.waitOutOfRange === 'clamped') return Math.min(max, Math.max(min, given));
  return 'wait is out of range';
}
