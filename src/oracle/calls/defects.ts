/** Sections 2.1 to 2.3, 4.1, 4.2, 7: what makes a submission invalid, and which questions it raises. */
import type { Body, CallEvent, Json } from '../../history/events.js';
import { jsonBytesOf } from '../../history/json-size.js';
import {
  idsFor,
  S3_CONFIG_FIELDS,
  SUBMISSIONS,
  type QuestionId,
  type ReadingId,
  type RequirementId,
} from '../../spec/index.js';
import {
  EXECUTION_TIMEOUT_MAX_MS,
  EXECUTION_TIMEOUT_MIN_MS,
  RUNSYNC_PAYLOAD_MAX,
  RUN_PAYLOAD_MAX,
  TTL_DEFAULT_MS,
  TTL_MAX_MS,
  TTL_MIN_MS,
  WAIT_MAX_MS,
  WAIT_MIN_MS,
} from '../../spec/limits.js';
import { hasOtherMembers, isObject, isText, jsonOf, type JsonObject } from '../observed/recorded-call.js';

type Op = (typeof SUBMISSIONS)[number];
type Given = Json | undefined;

/** Which reading of an open question the answer to a submission reveals. */
export interface AcceptanceReadings<Reading> {
  /** If the submission was accepted; absent: the reading shows later. */
  readonly accepted?: Reading;
  /** By status code of the refusal; default: `refused` for 400 and 422. */
  readonly refused?: { readonly [code: number]: Reading };
}

/** For questions that are not listed, only a refusal reveals the reading. */
export const ACCEPTANCE_READINGS: { readonly [Q in QuestionId]?: AcceptanceReadings<ReadingId<Q>> } = {
  '1/request-content-type-missing': {
    accepted: 'accepted',
    refused: { 400: 'refused-400', 415: 'refused-415' },
  },
  '1/request-content-type-other': {
    accepted: 'accepted',
    refused: { 400: 'refused-400', 415: 'refused-415' },
  },
  '2.1/unknown-fields': { accepted: 'ignored' },
  '2.1/null-optional-field': { accepted: 'as-absent' },
  '2.1/invalid-webhook': { accepted: 'ignored' },
  '2.1/webhook-scheme': { accepted: 'ignored' },
  '2.2/null-policy-field': { accepted: 'as-absent' },
  '2.2/unknown-policy-fields': { accepted: 'ignored' },
  '2.2/ttl-below-execution-timeout': { accepted: 'accepted' },
  '4/unknown-query': { accepted: 'ignored' },
  '4.1/empty-wait': { accepted: 'as-absent' },
  '8/payload-measure': { accepted: 'input', refused: { 400: 'whole-body', 413: 'whole-body' } },
  '8/megabyte': { accepted: 'binary', refused: { 400: 'decimal', 413: 'decimal' } },
};

/** An irregularity of a submission. */
export interface Defect {
  /** The requirement that it is refused; absent: the document does not say whether it is. */
  readonly refuse?: RequirementId;
  /** The question that the answer settles, if there is no other irregularity. */
  readonly about?: QuestionId;
  /** The requirement that a refusal with 400 satisfies: the value beyond the bound did not take effect. */
  readonly enforces?: RequirementId;
}

const OPEN: Defect = {};
const open = (about: QuestionId, isSo: boolean): Defect | undefined => (isSo ? { about } : undefined);

/** All irregularities of a submission, however it was answered. */
export function defectsOf(call: CallEvent): readonly Defect[] {
  const { body, contentType, query } = call.request;
  const op = call.op as Op;
  const json = jsonOf(body);
  return [
    defectOfSize(op, body),
    defectOfBody(op, body),
    open('1/request-content-type-missing', contentType === null),
    open('1/request-content-type-other', contentType !== null && !isNamedJson(contentType)),
    // What /run does with the parameter is not specified.
    op === 'runsync' ? defectOfWait(query['wait']) : undefined,
    open('4/unknown-query', hasOtherMembers(query, QUERY)),
    ...(isObject(json) ? defectsOfFields(op, json) : []),
  ].filter((one) => one !== undefined);
}

const QUERY: ReadonlySet<string> = new Set(['wait']);

function isNamedJson(contentType: string): boolean {
  return contentType === 'application/json' || contentType.toLowerCase().startsWith('application/json');
}

/** Refused with any status code. */
export const TOO_LARGE = {
  run: '4.2/payload-above-limit-refused',
  runsync: '4.1/payload-above-limit-refused',
} as const;

function defectOfSize(op: Op, body: Body): Defect | undefined {
  const { binaryBytes, decimalBytes } = op === 'run' ? RUN_PAYLOAD_MAX : RUNSYNC_PAYLOAD_MAX;
  const bytes = bytesIn(body);
  if (bytes <= binaryBytes) return open('8/megabyte', bytes > decimalBytes);
  const json = jsonOf(body);
  // What is measured is open: whitespace alone may make a body large.
  if (isObject(json) && jsonBytesOf(json['input'] ?? null) <= binaryBytes)
    return { about: '8/payload-measure' };
  return { refuse: TOO_LARGE[op] };
}

const bytesIn = (body: Body): number => (body.as === 'none' ? 0 : body.bytes);

const NO_BODY = idsFor('7/no-body-*', SUBMISSIONS);
const MALFORMED = idsFor('7/malformed-json-*', SUBMISSIONS);
const NO_OBJECT = idsFor('7/body-not-object-*', SUBMISSIONS);

function defectOfBody(op: Op, body: Body): Defect | undefined {
  if (bytesIn(body) === 0) return { refuse: NO_BODY[op] };
  if (body.as === 'text') return { refuse: MALFORMED[op] };
  return isObject(jsonOf(body)) ? undefined : { refuse: NO_OBJECT[op] };
}

function defectOfWait(wait: string | undefined): Defect | undefined {
  if (wait === undefined) return undefined;
  if (wait.trim() === '') return { about: '4.1/empty-wait' };
  const ms = Number(wait);
  if (Number.isNaN(ms)) return { refuse: '7/wait-not-integer' };
  // A fraction or an unusual notation may be read as a number.
  if (!/^-?[0-9]+$/.test(wait)) return { about: '4.1/wait-fraction' };
  return ms < WAIT_MIN_MS || ms > WAIT_MAX_MS ? OPEN : undefined;
}

const FIELDS: ReadonlySet<string> = new Set(['input', 'webhook', 'policy', 's3Config']);
const POLICY_FIELDS: ReadonlySet<string> = new Set(['ttl', 'executionTimeout', 'lowPriority']);
const POLICY_TYPE = idsFor('2.1/policy-type-checked-*', SUBMISSIONS);
const NO_POLICY: JsonObject = {};

function defectsOfFields(op: Op, json: JsonObject): readonly (Defect | undefined)[] {
  const { input, webhook, policy, s3Config } = json;
  const { ttl, executionTimeout: timeout, lowPriority } = isObject(policy) ? policy : NO_POLICY;
  return [
    defectOfInput(op, input),
    open('2.1/unknown-fields', hasOtherMembers(json, FIELDS)),
    open('2.1/null-optional-field', webhook === null || policy === null || s3Config === null),
    defectOfWebhook(webhook),
    isOther(policy, isObject) ? { refuse: POLICY_TYPE[op] } : undefined,
    defectOfBounded('ttl', ttl, TTL_MIN_MS, TTL_MAX_MS),
    defectOfBounded('execution-timeout', timeout, EXECUTION_TIMEOUT_MIN_MS, EXECUTION_TIMEOUT_MAX_MS),
    defectOfLowPriority(lowPriority),
    defectOfLifespan(ttl, timeout),
    open('2.2/unknown-policy-fields', isObject(policy) && hasOtherMembers(policy, POLICY_FIELDS)),
    defectOfS3Config(s3Config),
  ];
}

const isOther = (value: Given, is: (value: Given) => boolean): boolean =>
  value !== undefined && value !== null && !is(value);

const INPUT_MISSING = idsFor('2.1/input-missing-refused-*', SUBMISSIONS);
const INPUT_NULL = idsFor('2.1/input-null-refused-*', SUBMISSIONS);
const INPUT_ARRAY = idsFor('2.1/input-array-refused-*', SUBMISSIONS);
const INPUT_SCALAR = idsFor('2.1/input-scalar-refused-*', SUBMISSIONS);

function defectOfInput(op: Op, input: Given): Defect | undefined {
  if (input === undefined) return { refuse: INPUT_MISSING[op] };
  if (input === null) return { refuse: INPUT_NULL[op] };
  if (Array.isArray(input)) return { refuse: INPUT_ARRAY[op] };
  return isObject(input) ? undefined : { refuse: INPUT_SCALAR[op] };
}

function defectOfWebhook(url: Given): Defect | undefined {
  if (isOther(url, isText)) return { refuse: '2.1/webhook-type-checked' };
  if (!isText(url) || /^https?:\/\/[^\s/?#]+/.test(url)) return undefined;
  return {
    about: /^[a-z][a-z0-9+.-]*:\/\/[^\s]+$/i.test(url) ? '2.1/webhook-scheme' : '2.1/invalid-webhook',
  };
}

const BOUNDED = ['ttl', 'execution-timeout'] as const;
const INTEGER = idsFor('2.2/*-integer', BOUNDED);
const TYPE_CHECKED = idsFor('2.2/*-type-checked', BOUNDED);
const NOT_POSITIVE = idsFor('2.2/*-not-positive', BOUNDED);
const BELOW_MIN = idsFor('2.2/*-below-min', BOUNDED);
const ABOVE_MAX = idsFor('2.2/*-above-max', BOUNDED);
const MIN_ENFORCED = idsFor('2.2/*-min-enforced', BOUNDED);
const MAX_ENFORCED = idsFor('2.2/*-max-enforced', BOUNDED);

/** An integer field of `policy` with a minimum and a maximum. */
function defectOfBounded(
  name: (typeof BOUNDED)[number],
  ms: Given,
  minMs: number,
  maxMs: number,
): Defect | undefined {
  if (ms === undefined) return undefined;
  if (ms === null) return { about: '2.2/null-policy-field' };
  if (isText(ms) && ms.trim() !== '' && !Number.isNaN(Number(ms)))
    return { refuse: INTEGER[name], about: '2.2/numeric-string' };
  if (typeof ms !== 'number') return { refuse: TYPE_CHECKED[name] };
  if (!Number.isInteger(ms)) return { refuse: INTEGER[name], about: '2.2/fractional-milliseconds' };
  if (ms < minMs)
    return { about: ms <= 0 ? NOT_POSITIVE[name] : BELOW_MIN[name], enforces: MIN_ENFORCED[name] };
  return ms > maxMs ? { about: ABOVE_MAX[name], enforces: MAX_ENFORCED[name] } : undefined;
}

function defectOfLowPriority(value: Given): Defect | undefined {
  if (value === null) return { about: '2.2/null-policy-field' };
  const isWrong = value !== undefined && typeof value !== 'boolean';
  return isWrong ? { refuse: '2.2/low-priority-type-checked' } : undefined;
}

/** Its lifespan, given or default, is shorter than its execution timeout. */
function defectOfLifespan(ttl: Given, executionTimeout: Given): Defect | undefined {
  if (!isWithin(executionTimeout, EXECUTION_TIMEOUT_MIN_MS, EXECUTION_TIMEOUT_MAX_MS)) return undefined;
  if (executionTimeout <= (typeof ttl === 'number' ? ttl : TTL_DEFAULT_MS)) return undefined;
  // Rule 2 asks for a ttl that covers the execution; a service may enforce that if both are given.
  return isWithin(ttl, TTL_MIN_MS, TTL_MAX_MS) ? { about: '2.2/ttl-below-execution-timeout' } : OPEN;
}

const isWithin = (ms: Given, minMs: number, maxMs: number): ms is number =>
  typeof ms === 'number' && Number.isInteger(ms) && ms >= minMs && ms <= maxMs;

const S3_FIELDS: ReadonlySet<string> = new Set(S3_CONFIG_FIELDS);

function defectOfS3Config(s3Config: Given): Defect | undefined {
  if (isOther(s3Config, isObject)) return { refuse: '2.1/s3config-type-checked' };
  if (!isObject(s3Config)) return undefined;
  const values = S3_CONFIG_FIELDS.map((name) => s3Config[name]);
  // The document does not say which fields are required, or whether a field may be empty.
  if (values.includes(undefined)) return OPEN;
  if (hasOtherMembers(s3Config, S3_FIELDS)) return { about: '2.3/unknown-fields' };
  if (!values.every(isText)) return { about: '2.3/field-types' };
  return values.includes('') ? OPEN : undefined;
}
