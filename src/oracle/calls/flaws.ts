/** Sections 2.1 to 2.3, 4.1, 4.2 and 7: for what a submission is refused, and what is open about it. */
import type { Body, CallEvent, Json } from '../../history/events.js';
import { jsonBytesOf } from '../../history/long-text.js';
import { idsFor, S3_CONFIG_FIELDS, SUBMISSIONS, type RequirementId } from '../../spec/index.js';
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
import { isObject, jsonOf, type JsonObject } from '../observed/reading.js';
import type { SubmissionQuestion } from './taken.js';

type Op = (typeof SUBMISSIONS)[number];
type Given = Json | undefined;

/** What is out of the ordinary in a submission. */
export interface Flaw {
  /** For this it is refused; absent: the document does not say whether it is. */
  readonly refuse?: RequirementId;
  /** Where nothing else is out of the ordinary, the answer tells how the target takes this. */
  readonly about?: SubmissionQuestion;
}

interface Submission {
  readonly op: Op;
  readonly body: Body;
  readonly contentType: string;
  readonly query: CallEvent['request']['query'];
  /** The parameter `wait` of /runsync; what /run makes of it is its own affair. */
  readonly wait: string | undefined;
  /** The body where it is an object, else none of its fields is given. */
  readonly json: JsonObject;
  readonly policy: JsonObject;
  readonly s3Config: JsonObject;
}

/** One flaw, and the submissions that have it. */
interface Row {
  readonly has: (of: Submission) => boolean;
  readonly refuse: RequirementId | { readonly [Of in Op]: RequirementId } | undefined;
  readonly about: SubmissionQuestion | undefined;
}

const refuse = (refuse: Row['refuse'], has: Row['has'], about?: SubmissionQuestion): Row => ({
  refuse,
  has,
  about,
});
const open = (about: SubmissionQuestion | undefined, has: Row['has']): Row => refuse(undefined, has, about);

/** Told by whatever code of a refusal. */
export const TOO_LARGE = {
  run: '4.2/payload-above-limit-refused',
  runsync: '4.1/payload-above-limit-refused',
} as const;

/** The request as a whole. Of each group, which looks at one thing, the first row that fits is the flaw. */
const OF_REQUESTS: readonly (readonly Row[])[] = [
  [
    // What is measured is open: a body may be large by blanks alone.
    open('8/payload-measure', (of) => bytesIn(of) > limitOf(of).binaryBytes && !hasLargeInput(of)),
    refuse(TOO_LARGE, (of) => bytesIn(of) > limitOf(of).binaryBytes),
    open('8/megabyte', (of) => bytesIn(of) > limitOf(of).decimalBytes),
  ],
  [
    refuse(idsFor('7/no-body-*', SUBMISSIONS), (of) => bytesIn(of) === 0),
    refuse(idsFor('7/malformed-json-*', SUBMISSIONS), ({ body }) => body.as === 'text'),
    refuse(idsFor('7/body-not-object-*', SUBMISSIONS), ({ body }) => !isObject(jsonOf(body))),
  ],
  [
    open(
      '1/request-content-type',
      ({ contentType }) => !contentType.toLowerCase().startsWith('application/json'),
    ),
  ],
  [
    open('4.1/empty-wait', ({ wait }) => wait?.trim() === ''),
    refuse('7/wait-not-integer', ({ wait }) => wait !== undefined && Number.isNaN(Number(wait))),
    // A fraction or another spelling of a number may be read as one.
    open('4.1/wait-fraction', ({ wait }) => wait !== undefined && !/^-?[0-9]+$/.test(wait)),
    open(undefined, ({ wait }) => wait !== undefined && !isWithin(Number(wait), WAIT_MIN_MS, WAIT_MAX_MS)),
  ],
  [open('4/unknown-query', ({ query }) => Object.keys(query).some((name) => name !== 'wait'))],
];

/** The fields of a body that is an object. */
const OF_FIELDS: readonly (readonly Row[])[] = [
  // 2.1
  [
    refuse(idsFor('2.1/input-missing-refused-*', SUBMISSIONS), ({ json }) => json['input'] === undefined),
    refuse(idsFor('2.1/input-null-refused-*', SUBMISSIONS), ({ json }) => json['input'] === null),
    refuse(idsFor('2.1/input-array-refused-*', SUBMISSIONS), ({ json }) => Array.isArray(json['input'])),
    refuse(idsFor('2.1/input-scalar-refused-*', SUBMISSIONS), ({ json }) => !isObject(json['input'])),
  ],
  [open('2.1/unknown-fields', ({ json }) => hasOthers(json, FIELDS))],
  [
    open(
      '2.1/null-optional-field',
      ({ json }) => json['webhook'] === null || json['policy'] === null || json['s3Config'] === null,
    ),
  ],
  [
    refuse('2.1/webhook-type-checked', ({ json: { webhook } }) => isOther(webhook, 'string')),
    open('2.1/webhook-scheme', ({ json: { webhook } }) => isUrl(webhook) && !isHttpUrl(webhook)),
    open('2.1/invalid-webhook', ({ json: { webhook } }) => isGiven(webhook) && !isHttpUrl(webhook)),
  ],
  [
    refuse(
      idsFor('2.1/policy-type-checked-*', SUBMISSIONS),
      ({ json: { policy } }) => isGiven(policy) && !isObject(policy),
    ),
  ],
  // 2.2
  [
    open('2.2/null-policy-field', ({ policy }) => policy['ttl'] === null),
    refuse('2.2/ttl-integer', ({ policy }) => isNumeral(policy['ttl']), '2.2/numeric-string'),
    refuse('2.2/ttl-type-checked', ({ policy }) => isOther(policy['ttl'], 'number')),
    refuse('2.2/ttl-integer', ({ policy }) => isFraction(policy['ttl']), '2.2/fractional-milliseconds'),
    open('2.2/ttl-not-positive', ({ policy }) => isAtMost(policy['ttl'], 0)),
    open('2.2/ttl-below-min', ({ policy }) => isAtMost(policy['ttl'], TTL_MIN_MS - 1)),
    open('2.2/ttl-above-max', ({ policy }) => isAbove(policy['ttl'], TTL_MAX_MS)),
  ],
  [
    open('2.2/null-policy-field', ({ policy }) => policy['executionTimeout'] === null),
    refuse('2.2/execution-timeout-integer', (of) => isNumeral(timeoutOf(of)), '2.2/numeric-string'),
    refuse('2.2/execution-timeout-type-checked', (of) => isOther(timeoutOf(of), 'number')),
    refuse('2.2/execution-timeout-integer', (of) => isFraction(timeoutOf(of)), '2.2/fractional-milliseconds'),
    open('2.2/execution-timeout-not-positive', (of) => isAtMost(timeoutOf(of), 0)),
    open('2.2/execution-timeout-below-min', (of) => isAtMost(timeoutOf(of), EXECUTION_TIMEOUT_MIN_MS - 1)),
    open('2.2/execution-timeout-above-max', (of) => isAbove(timeoutOf(of), EXECUTION_TIMEOUT_MAX_MS)),
  ],
  [
    open('2.2/null-policy-field', ({ policy }) => policy['lowPriority'] === null),
    refuse('2.2/low-priority-type-checked', ({ policy }) => isOther(policy['lowPriority'], 'boolean')),
  ],
  [
    // Rule 2 asks for a ttl that covers the execution; a service may insist where both are given.
    open(
      '2.2/ttl-below-execution-timeout',
      (of) => isShortLived(of) && isWithin(of.policy['ttl'], TTL_MIN_MS, TTL_MAX_MS),
    ),
    open(undefined, isShortLived),
  ],
  [open('2.2/unknown-policy-fields', ({ policy }) => hasOthers(policy, POLICY_FIELDS))],
  // 2.3
  [
    refuse('2.1/s3config-type-checked', ({ json: { s3Config } }) => isGiven(s3Config) && !isObject(s3Config)),
    open('2.3/unknown-fields', (of) => eachS3(of, isThere) && hasOthers(of.s3Config, S3_FIELDS)),
    open('2.3/field-types', (of) => eachS3(of, isThere) && !eachS3(of, isText)),
    // Which of the fields are required, and whether one may be empty, is not shown.
    open(undefined, (of) => isGiven(of.json['s3Config']) && !eachS3(of, isFilled)),
  ],
];

const FIELDS: ReadonlySet<string> = new Set(['input', 'webhook', 'policy', 's3Config']);
const POLICY_FIELDS: ReadonlySet<string> = new Set(['ttl', 'executionTimeout', 'lowPriority']);
const S3_FIELDS: ReadonlySet<string> = new Set(S3_CONFIG_FIELDS);
const NONE: JsonObject = {};

/** What is out of the ordinary in a submission, whatever it was answered. */
export function flawsOf({ op, request }: CallEvent): readonly Flaw[] {
  const { body, contentType, query } = request;
  const value = jsonOf(body);
  const json = isObject(value) ? value : NONE;
  const { policy, s3Config } = json;
  const of: Submission = {
    op: op as Op,
    body,
    contentType: contentType ?? '',
    query,
    wait: op === 'runsync' ? query['wait'] : undefined,
    json,
    policy: isObject(policy) ? policy : NONE,
    s3Config: isObject(s3Config) ? s3Config : NONE,
  };
  const found: Flaw[] = [];
  for (const group of isObject(value) ? ALL : OF_REQUESTS) {
    const row = group.find(({ has }) => has(of));
    if (row === undefined) continue;
    const id = typeof row.refuse === 'object' ? row.refuse[of.op] : row.refuse;
    found.push({ ...(id && { refuse: id }), ...(row.about && { about: row.about }) });
  }
  return found;
}

const ALL = [...OF_REQUESTS, ...OF_FIELDS];

const bytesIn = ({ body }: Submission): number => (body.as === 'none' ? 0 : body.bytes);

function limitOf({ op }: Submission): typeof RUN_PAYLOAD_MAX {
  return op === 'run' ? RUN_PAYLOAD_MAX : RUNSYNC_PAYLOAD_MAX;
}

function hasLargeInput(of: Submission): boolean {
  return of.json === NONE || jsonBytesOf(of.json['input'] ?? null) > limitOf(of).binaryBytes;
}

const isGiven = (value: Given): boolean => value !== undefined && value !== null;

const isOther = (value: Given, type: string): boolean => isGiven(value) && typeof value !== type;

/** A number, written as a text. */
const isNumeral = (value: Given): boolean =>
  typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value));

const isFraction = (value: Given): boolean => typeof value === 'number' && !Number.isInteger(value);
const isAtMost = (value: Given, ms: number): boolean => typeof value === 'number' && value <= ms;
const isAbove = (value: Given, ms: number): boolean => typeof value === 'number' && value > ms;

const isWithin = (ms: Given, minMs: number, maxMs: number): boolean =>
  typeof ms === 'number' && Number.isInteger(ms) && ms >= minMs && ms <= maxMs;

const hasOthers = (of: JsonObject, known: ReadonlySet<string>): boolean =>
  Object.keys(of).some((name) => !known.has(name));

const timeoutOf = ({ policy }: Submission): Given => policy['executionTimeout'];

/** Its lifespan, its own or the default, is shorter than it may run. */
function isShortLived({ policy: { ttl, executionTimeout } }: Submission): boolean {
  if (!isWithin(executionTimeout, EXECUTION_TIMEOUT_MIN_MS, EXECUTION_TIMEOUT_MAX_MS)) return false;
  return isAbove(executionTimeout, typeof ttl === 'number' ? ttl : TTL_DEFAULT_MS);
}

const eachS3 = ({ s3Config }: Submission, is: (value: Given) => boolean): boolean =>
  S3_CONFIG_FIELDS.every((name) => is(s3Config[name]));

const isThere = (value: Given): boolean => value !== undefined;
const isText = (value: Given): boolean => typeof value === 'string';
const isFilled = (value: Given): boolean => isText(value) && value !== '';

const isUrl = (text: Given): boolean =>
  typeof text === 'string' && /^[a-z][a-z0-9+.-]*:\/\/[^\s]+$/i.test(text);

const isHttpUrl = (text: Given): boolean => typeof text === 'string' && /^https?:\/\/[^\s/?#]+/.test(text);
