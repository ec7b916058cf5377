/** How the oracle reads a recorded call: the kind of its answer, and what the answer says about a job. */
import { seconds } from '../../util/duration.js';
import { isJobStatus } from '../../spec/states.js';
import type { Body, CallEvent, Json } from '../../history/events.js';
import { copied } from '../../history/copied.js';
import { leftOut, mayBeEqual } from '../../history/large-value.js';
import { excerptOf } from '../../history/long-text.js';
import type { JobStatus, Operation } from '../../spec/types.js';
import { isObject } from '../../util/json.js';
import { ON_THE_WAY_MAX_MS } from './assumptions.js';

export { isObject };

export type JsonObject = { readonly [key: string]: Json };

/**
 * `ok`: any 2xx, because the document names no success code. `refused`: answered, and according to the code
 * not done. `unknown`: a server error or no answer, so that it may have taken effect or not.
 */
export type Answer = 'ok' | 'refused' | 'unknown';

export function answerOf(call: CallEvent): Answer {
  if (call.reply === null) return 'unknown';
  const { status } = call.reply;
  if (status >= 200 && status < 300) return 'ok';
  return status >= 500 ? 'unknown' : 'refused';
}

/** The code of the answer, if it is one of these. */
export function codeIn<Code extends number>(
  { reply }: CallEvent,
  ...codes: readonly Code[]
): `${Code}` | null {
  const code = codes.find((one) => one === reply?.status);
  return code === undefined ? null : `${code}`;
}

const WITH_EFFECT = ['run', 'runsync', 'stream', 'cancel', 'retry', 'purge-queue'] as const;

/** The operation that the call may have performed, even with another method, if it was not refused. */
export function effectiveOperation(call: CallEvent): Operation | null {
  if (call.op !== null || answerOf(call) === 'refused') return call.op;
  const [, , , name] = call.request.path.split('/');
  return WITH_EFFECT.find((op) => op === name) ?? null;
}

/**
 * The operation that the path names, with any method: a limit may count it whether it was performed or not.
 */
export function operationInPath(call: CallEvent): string | null {
  return call.op ?? call.request.path.split('/')[3] ?? null;
}

/** Method and operation, as messages name them. */
export const operationCalled = ({ op, request: { method } }: CallEvent): string => `${method} /${op}`;

/** Without an answer it may still take effect for so long, where the clock of the service makes that longer than usual. */
export type MayBeLost = CallEvent & { readonly onTheWayMs?: number };

/** Whatever effect the call had, it had before the other one was sent. */
export function effectPrecedes(call: MayBeLost, other: CallEvent): boolean {
  const { gaveUpMs = Infinity, onTheWayMs = ON_THE_WAY_MAX_MS } = call;
  if (call.receivedMs === null) return other.sentMs > gaveUpMs + onTheWayMs;
  return call.endedTick !== null && call.endedTick < other.sentTick;
}

/** The call may have taken effect while the other one was pending. */
export function mayTakeEffectDuring(call: CallEvent, other: CallEvent): boolean {
  return call.sentTick < (other.endedTick ?? Infinity) && !effectPrecedes(call, other);
}

export function isText(value: Json | undefined): value is string {
  return typeof value === 'string';
}

/** Present, and not `null`. */
export function isGiven(value: Json | undefined): boolean {
  return value !== undefined && value !== null;
}

/** It has members other than these. */
export function hasOtherMembers(value: JsonObject, known: ReadonlySet<string>): boolean {
  for (const name of Object.keys(value)) if (!known.has(name)) return true;
  return false;
}

export function jsonOf(body: Body): Json | undefined {
  return body.as === 'json' ? body.value : undefined;
}

/** The reply's body if it is a JSON object, else null. */
export function recordOf(call: CallEvent): JsonObject | null {
  if (call.reply === null) return null;
  const value = jsonOf(call.reply.body);
  return isObject(value) ? value : null;
}

/** The request's body if it is a JSON object, else null. */
export function submissionOf(call: CallEvent): JsonObject | null {
  const value = jsonOf(call.request.body);
  return isObject(value) ? value : null;
}

/** The member of a member, and so on, by their names: of `['jobs', 'failed']` it is `jobs.failed`. */
export function memberAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  let member = value;
  for (const name of path) member = isObject(member) ? member[name] : undefined;
  return member;
}

/** A counter in the answer, by its path; null if absent. */
export function counterIn(call: CallEvent, path: string): number | null {
  const value = memberAt(recordOf(call) ?? undefined, path.split('.'));
  return typeof value === 'number' ? value : null;
}

/** A field of a submission's policy as it was sent; undefined if there is none. */
export function policyFieldOf(submission: Json | null | undefined, field: string): Json | undefined {
  const policy = isObject(submission) ? submission['policy'] : undefined;
  return isObject(policy) ? policy[field] : undefined;
}

/** The job status in a reply, or null. */
export function statusIn(call: CallEvent): JobStatus | null {
  const status = recordOf(call)?.['status'];
  return isJobStatus(status) ? status : null;
}

/** The answer is about the key or the rate limit, and says nothing about what was requested. */
export function isUninformative({ reply }: CallEvent): boolean {
  return reply?.status === 401 || reply?.status === 429;
}

/**
 * The call used the key of another user, who has access as well. What that user is shown of others' jobs is
 * open.
 */
export function isFromOtherUser({ request: { auth } }: CallEvent): boolean {
  return auth === 'other-user' || auth === 'other-user-bearer';
}

/** The call used the valid key, in one of its two forms. */
export function usesKey({ request: { auth } }: CallEvent): boolean {
  return auth === 'bare' || auth === 'bearer';
}

/** The call is allowed: it used the valid key, or the run knows of none. */
export function authorized(call: CallEvent): boolean {
  return usesKey(call) || call.request.auth === 'none-needed';
}

/** The job id in a reply, or null. */
export function idIn(call: CallEvent): string | null {
  const id = recordOf(call)?.['id'];
  return typeof id === 'string' && id !== '' ? id : null;
}

/** The reply contains a job record, whatever its code. */
export function isJobRecord(call: CallEvent): boolean {
  return idIn(call) !== null && statusIn(call) !== null;
}

/** The job id in the path of a call on a job, or null. */
export function idInPath({ request: { path } }: CallEvent): string | null {
  const last = path.slice(path.lastIndexOf('/') + 1);
  if (last === '') return null;
  if (!last.includes('%')) return last;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

export const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** No service issues ids that contain blanks. */
export function isInvalidJobId(id: string): boolean {
  return /\s/.test(id);
}

/** Structural equality of JSON values; the order of members does not matter. */
export function sameJson(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  if (left === undefined || right === undefined || left === null || right === null) return false;
  if (typeof left !== 'object' || typeof right !== 'object') return false;
  // Values that were too large to record are compared by their sizes and digests.
  if (leftOut(left) !== null || leftOut(right) !== null) return mayBeEqual(left, right);
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    for (let index = 0; index < left.length; index += 1)
      if (!sameJson(left[index], right[index])) return false;
    return true;
  }
  const one = left as JsonObject;
  const other = right as JsonObject;
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  for (const name of names)
    if (!Object.hasOwn(other, name) || !sameJson(one[name], other[name])) return false;
  return true;
}

/** A JSON value, shortened for messages. */
export function excerpt(value: Json | undefined, length = 120): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'string' ? excerptOf(item) : item,
  );
  return text.length <= length ? text : `${copied(text.slice(0, length))}… (${text.length} characters)`;
}

/** Too large for the history: what it contained is unknown. */
export const isUnrecorded = (value: Json): boolean => leftOut(value) !== null;

/**
 * The chunks of a /stream answer: the bare array of the document, or the envelope that deployed services
 * use.
 */
export function chunksOf(value: Json | undefined): readonly Json[] | null {
  if (Array.isArray(value)) return value as readonly Json[];
  if (isObject(value) && Array.isArray(value['stream'])) return value['stream'] as readonly Json[];
  return null;
}

/**
 * The outputs of the chunks of a successful /stream answer, null for a chunk without one; null if there are
 * no chunks, or if too large an answer was left out of the history: then what it delivered is unknown.
 */
export function outputsIn(call: CallEvent): readonly Json[] | null {
  const chunks = answerOf(call) === 'ok' ? chunksOf(jsonOf(call.reply!.body)) : null;
  if (chunks?.some((chunk) => isUnrecorded(chunk)) === true) return null;
  return chunks?.map((chunk) => (isObject(chunk) ? chunk['output'] : undefined) ?? null) ?? null;
}

/** `application/json`, ignoring parameters such as a charset; also the `+json` types made for errors. */
export function isJsonType(contentType: string | null): boolean {
  if (contentType === 'application/json') return true;
  const type = (contentType ?? '').split(';')[0]!.trim().toLowerCase();
  return type === 'application/json' || (type.startsWith('application/') && type.endsWith('+json'));
}

/** Characters of an error message that are shown: enough to recognize it. */
const ERROR_CHARACTERS = 200;
const BODY_CHARACTERS = 80;

/** `status #17, sent at 12.310 s, was answered with 200 IN_PROGRESS`. */
export function describeCall(call: CallEvent): string {
  const name = call.op ?? `${call.request.method} ${call.request.path}`;
  const sent = `${name} #${call.call}, sent at ${seconds(call.sentMs)},`;
  if (call.reply === null) return `${sent} got no answer (${call.lost ?? 'lost'})`;
  return `${sent} was answered with ${call.reply.status} ${bodyInWords(call.reply.body)}`;
}

function bodyInWords(body: Body): string {
  if (body.as === 'none') return 'without a body';
  if (body.as === 'text') return `with the text ${excerpt(body.text, BODY_CHARACTERS)}`;
  const { value } = body;
  return isObject(value) && typeof value['status'] === 'string'
    ? `${value['status']}${errorIn(value['error'])}`
    : excerpt(value, BODY_CHARACTERS);
}

function errorIn(error: Json | undefined): string {
  return error === undefined || error === null ? '' : `, error ${excerpt(error, ERROR_CHARACTERS)}`;
}
