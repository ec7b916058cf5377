/** What calls of recorded traffic are like: whether a situation ever occurs in it is told by these. */
import { OPERATIONS, type JobStatus, type MainOperation } from '../../spec/index.js';
import {
  EXECUTION_TIMEOUT_DEFAULT_MS,
  EXECUTION_TIMEOUT_MAX_MS,
  EXECUTION_TIMEOUT_MIN_MS,
  RUNSYNC_PAYLOAD_MAX,
  RUN_PAYLOAD_MAX,
  TTL_MAX_MS,
  TTL_MIN_MS,
  WAIT_MAX_MS,
  WAIT_MIN_MS,
} from '../../spec/limits.js';
import type { CallEvent, Json } from '../../history/events.js';
import { statusIn, type JsonObject } from '../observed/recorded-call.js';
import { isObject } from '../../util/json.js';

interface Submitted {
  /** `/run` or `/runsync`. */
  readonly call: CallEvent;
  /** Undefined: it is no JSON. */
  readonly body: Json | undefined;
  /** Of an object; empty otherwise. */
  readonly members: JsonObject;
  readonly policy: JsonObject;
  /** In the query of /runsync, ms; null: none. */
  readonly waitMs: number | null;
}

interface Kind {
  /** As in "no … in this recording". */
  readonly words: string;
  readonly has: (submitted: Submitted) => boolean;
}

const hasInput =
  (is: (input: Json | undefined) => boolean): Kind['has'] =>
  ({ body, members }) =>
    isObject(body) && is(members['input']);
const policyMs =
  (field: 'ttl' | 'executionTimeout', is: (ms: number) => boolean): Kind['has'] =>
  ({ policy }) =>
    typeof policy[field] === 'number' && is(policy[field]);
const waits =
  (is: (ms: number) => boolean): Kind['has'] =>
  ({ waitMs }) =>
    waitMs !== null && is(waitMs);
const hasSize =
  (op: MainOperation, fromBytes: number): Kind['has'] =>
  ({ call }) =>
    call.op === op && call.request.body.as !== 'none' && call.request.body.bytes >= fromBytes;

/** Submissions by what is in them. */
const SUBMISSION_KINDS = {
  submission: { words: 'submission', has: () => true },
  'no-body': { words: 'submission without a body', has: ({ call }) => call.request.body.as === 'none' },
  malformed: { words: 'submission that is not JSON', has: ({ call }) => call.request.body.as === 'text' },
  'no-object': {
    words: 'submission that is JSON but not an object',
    has: ({ body }) => body !== undefined && !isObject(body),
  },
  'input-missing': { words: 'submission without `input`', has: hasInput((input) => input === undefined) },
  'input-null': { words: 'submission whose `input` is null', has: hasInput((input) => input === null) },
  'input-array': { words: 'submission whose `input` is an array', has: hasInput(Array.isArray) },
  'input-scalar': {
    words: 'submission whose `input` is a string, a number or a boolean',
    has: hasInput((input) => ['string', 'number', 'boolean'].includes(typeof input)),
  },
  'input-empty': {
    words: 'submission whose `input` is {}',
    has: hasInput((input) => isObject(input) && Object.keys(input).length === 0),
  },
  'input-object': {
    words: 'submission whose `input` has members',
    has: hasInput((input) => isObject(input) && Object.keys(input).length > 0),
  },
  'own-id': { words: 'submission with an `id`', has: ({ members }) => members['id'] !== undefined },
  webhook: { words: 'submission with a `webhook`', has: ({ members }) => members['webhook'] !== undefined },
  s3config: {
    words: 'submission with an `s3Config`',
    has: ({ members }) => members['s3Config'] !== undefined,
  },
  policy: { words: 'submission with a `policy`', has: ({ members }) => members['policy'] !== undefined },
  'execution-timeout': {
    words: 'submission with an `executionTimeout`',
    has: ({ policy }) => policy['executionTimeout'] !== undefined,
  },
  'execution-timeout-min': {
    words: 'submission with the smallest `executionTimeout`',
    has: policyMs('executionTimeout', (ms) => ms === EXECUTION_TIMEOUT_MIN_MS),
  },
  'execution-timeout-max': {
    words: 'submission with the largest `executionTimeout`',
    has: policyMs('executionTimeout', (ms) => ms === EXECUTION_TIMEOUT_MAX_MS),
  },
  'execution-timeout-below': {
    words: 'submission with too small an `executionTimeout`',
    has: policyMs('executionTimeout', (ms) => ms < EXECUTION_TIMEOUT_MIN_MS),
  },
  'execution-timeout-above': {
    words: 'submission with too large an `executionTimeout`',
    has: policyMs('executionTimeout', (ms) => ms > EXECUTION_TIMEOUT_MAX_MS),
  },
  'execution-timeout-long': {
    words: 'submission with an `executionTimeout` above the default',
    has: policyMs('executionTimeout', (ms) => ms > EXECUTION_TIMEOUT_DEFAULT_MS),
  },
  'low-priority-true': {
    words: 'submission with `lowPriority` true',
    has: ({ policy }) => policy['lowPriority'] === true,
  },
  'low-priority-false': {
    words: 'submission with `lowPriority` false',
    has: ({ policy }) => policy['lowPriority'] === false,
  },
  ttl: { words: 'submission with a `ttl`', has: ({ policy }) => policy['ttl'] !== undefined },
  'ttl-min': { words: 'submission with the smallest `ttl`', has: policyMs('ttl', (ms) => ms === TTL_MIN_MS) },
  'ttl-max': { words: 'submission with the largest `ttl`', has: policyMs('ttl', (ms) => ms === TTL_MAX_MS) },
  'ttl-below': { words: 'submission with too small a `ttl`', has: policyMs('ttl', (ms) => ms < TTL_MIN_MS) },
  'ttl-above': { words: 'submission with too large a `ttl`', has: policyMs('ttl', (ms) => ms > TTL_MAX_MS) },
  'no-wait': {
    words: 'call of /runsync without `wait`',
    has: ({ call, waitMs }) => call.op === 'runsync' && waitMs === null,
  },
  wait: { words: 'call of /runsync with a `wait`', has: ({ waitMs }) => waitMs !== null },
  'wait-min': { words: 'call of /runsync with the smallest `wait`', has: waits((ms) => ms === WAIT_MIN_MS) },
  'wait-max': { words: 'call of /runsync with the largest `wait`', has: waits((ms) => ms === WAIT_MAX_MS) },
  'wait-below': { words: 'call of /runsync with too small a `wait`', has: waits((ms) => ms < WAIT_MIN_MS) },
  'wait-above': { words: 'call of /runsync with too large a `wait`', has: waits((ms) => ms > WAIT_MAX_MS) },
  'run-as-large': {
    words: 'call of /run as large as the limit',
    has: hasSize('run', RUN_PAYLOAD_MAX.decimalBytes),
  },
  'runsync-as-large': {
    words: 'call of /runsync as large as the limit',
    has: hasSize('runsync', RUNSYNC_PAYLOAD_MAX.decimalBytes),
  },
  'run-too-large': {
    words: 'call of /run above the limit of its size',
    has: hasSize('run', RUN_PAYLOAD_MAX.binaryBytes + 1),
  },
  'runsync-too-large': {
    words: 'call of /runsync above the limit of its size',
    has: hasSize('runsync', RUNSYNC_PAYLOAD_MAX.binaryBytes + 1),
  },
} as const satisfies { readonly [kind: string]: Kind };

type SubmissionKind = keyof typeof SUBMISSION_KINDS;

const KINDS = Object.entries(SUBMISSION_KINDS) as readonly (readonly [SubmissionKind, Kind])[];

/** Codes of answers. */
export const CODES = ['400', '404', '429'] as const;
type Code = (typeof CODES)[number];

/** A call is of an operation, gets an answer with a code or a state, sets a ttl by /status, shows its key, or submits something. */
export type Feature = MainOperation | SubmissionKind | JobStatus | Code | 'status-ttl' | 'key';

const OPS: ReadonlySet<string | null> = new Set(OPERATIONS.map(({ op }) => op));

export function featureWords(feature: Feature): string {
  if (feature in SUBMISSION_KINDS) return SUBMISSION_KINDS[feature as SubmissionKind].words;
  if (feature === 'status-ttl') return 'call of /status with a `ttl`';
  if (feature === 'key') return 'call whose key is recorded';
  if (OPS.has(feature)) return `call of /${feature}`;
  return `answer ${feature}`;
}

export function* featuresOf(call: CallEvent): Generator<Feature> {
  const { op, request, reply } = call;
  if (OPS.has(op)) yield op as MainOperation;
  if (op === 'status' && request.query['ttl'] !== undefined) yield 'status-ttl';
  if (request.auth === 'bare' || request.auth === 'bearer') yield 'key';
  const code = CODES.find((one) => one === `${reply?.status}`);
  if (code !== undefined) yield code;
  const status = statusIn(call);
  if (status !== null) yield status;
  if (op !== 'run' && op !== 'runsync') return;
  const { body } = request;
  const value = body.as === 'json' ? body.value : undefined;
  const members = isObject(value) ? (value as JsonObject) : {};
  const policy = isObject(members['policy']) ? (members['policy'] as JsonObject) : {};
  const { wait } = request.query;
  const waitMs = op === 'runsync' && wait !== undefined ? Number(wait) : null;
  const submitted: Submitted = { call, body: value, members, policy, waitMs };
  for (const [kind, { has }] of KINDS) if (has(submitted)) yield kind;
}
