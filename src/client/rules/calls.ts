/** What rules ask of single calls and of calls in a row. */
import { answerOf, jsonOf, replyIn } from '../../history/exchange.js';
import type { Operation } from '../../spec/index.js';
import type { ClientCall, SeenSession } from '../session.js';
import { isObject } from '../../util/json.js';
import { getOrMake } from '../../util/maps.js';

/** By how much the emulator may note the end of a reply after its client has it. */
export const NOTED_LATE_MS = 2;

/** Calls to operations of section 4. A browser asks with OPTIONS first, which its page does not know of. */
export function operationCalls(session: SeenSession): readonly ClientCall[] {
  return session.calls.filter(({ names, request }) => names !== null && request.method !== 'OPTIONS');
}

/** Whether its size is known. */
export const isSized = (call: ClientCall): call is ClientCall & { readonly bytes: number } =>
  call.bytes !== null;

/** Whether the body is what the client sent. A logger may replace what is a secret, and what the service then refused it did not. */
export const isAsSent = (call: ClientCall): boolean => call.key !== null || codeOf(call) === 400;

/** So many calls one after the other at even distances are a loop, not several processes. */
const CALLS_OF_A_LOOP = 10;
const EVEN = 1.5;

export function isLoop(calls: readonly ClientCall[]): boolean {
  const periods = calls
    .slice(1)
    .map(({ fromMs }, at) => fromMs - calls[at]!.fromMs)
    .sort((one, other) => one - other);
  return calls.length >= CALLS_OF_A_LOOP && isSequential(calls) && periods.at(-1)! <= EVEN * periods[0]!;
}

/** What its path names, whatever the method. */
export const isOf = ({ names }: ClientCall, ...operations: readonly Operation[]): boolean =>
  names !== null && operations.includes(names.operation);

/** The job in its path; null: none. */
export const jobOf = ({ names }: ClientCall): string | null => names?.job ?? null;

export const isSubmission = (call: ClientCall): boolean => isOf(call, 'run', 'runsync');

/** Whether it asks how a job is: `/status` or `/stream`. */
export const isRead = (call: ClientCall): boolean => isOf(call, 'status', 'stream');

/** The code of its answer; null without a complete one. */
export const codeOf = (call: ClientCall): number | null => answerOf(call)?.status ?? null;

/** How long its answer tells the client to wait; null: it does not. */
export function retryAfterMs(call: ClientCall): number | null {
  const after = answerOf(call)?.headers['retry-after'] ?? '';
  return /^\d+$/u.test(after) ? Number(after) * 1_000 : null;
}

export function isSuccess(call: ClientCall): boolean {
  const code = codeOf(call);
  return code !== null && code >= 200 && code < 300;
}

/** Whether it failed in a way that passes: the connection broke, or a server had trouble. */
export function failedInPassing(call: ClientCall): boolean {
  const code = codeOf(call);
  return call.outcome.kind === 'lost' || (code !== null && code >= 500);
}

/** The object that was sent; null where there is none, or it is not known. */
export function bodyObject({ request }: ClientCall): { readonly [key: string]: unknown } | null {
  const value = jsonOf(request.body);
  return isObject(value) ? value : null;
}

/** The id that the reply to a submission gave; null if it gave none. */
export function acceptedId(call: ClientCall): string | null {
  if (!isSubmission(call) || !isSuccess(call)) return null;
  const body = replyIn(call);
  return isObject(body) && typeof body['id'] === 'string' ? body['id'] : null;
}

/** Whether a stream read was answered without a chunk. */
export function isEmptyStream(call: ClientCall): boolean {
  if (!isOf(call, 'stream') || !isSuccess(call)) return false;
  const body = replyIn(call);
  const chunks = isObject(body) ? body['stream'] : body;
  return Array.isArray(chunks) && chunks.length === 0;
}

/** Whether the second call began when the first had ended. */
export const follows = (first: ClientCall, second: ClientCall): boolean =>
  second.id > first.id && second.fromMs >= first.byMs - NOTED_LATE_MS;

/** The pause between two calls that follow each other. */
export const pauseMs = (first: ClientCall, second: ClientCall): number =>
  Math.max(0, second.fromMs - first.byMs);

/**
 * The least that the pause may have been: the client waited no longer than was seen, and less where the machine ran late
 * meanwhile.
 */
export function leastPauseMs({ machineLags }: SeenSession, first: ClientCall, second: ClientCall): number {
  const lateMs = machineLags
    .filter(({ fromMs, toMs }) => toMs >= first.byMs && fromMs <= second.fromMs)
    .reduce((sumMs, { lostMs }) => sumMs + lostMs, 0);
  return Math.max(0, pauseMs(first, second) - lateMs);
}

/** Whether each call began when the one before it had ended, as they do where one thread makes them. */
export const isSequential = (calls: readonly ClientCall[]): boolean =>
  calls.every((call, at) => at === 0 || follows(calls[at - 1]!, call));

/** The most of these calls that were open at once. They stand in the order in which they began. */
export function mostOpen(calls: readonly ClientCall[]): readonly ClientCall[] {
  let most: readonly ClientCall[] = [];
  let open: readonly ClientCall[] = [];
  for (const call of calls) {
    open = [...open.filter(({ byMs }) => byMs - NOTED_LATE_MS > call.fromMs), call];
    if (open.length > most.length) most = open;
  }
  return most;
}

/** The largest number, or 0 of none: a client may make too many calls for the arguments of Math.max. */
export const largest = (numbers: readonly number[]): number =>
  numbers.reduce((most, number) => Math.max(most, number), 0);

/** Reads of each job, in the order in which they began. */
export function readsByJob(session: SeenSession): ReadonlyMap<string, readonly ClientCall[]> {
  const reads = new Map<string, ClientCall[]>();
  for (const call of operationCalls(session)) {
    const job = jobOf(call);
    if (isRead(call) && job !== null) getOrMake(reads, job, (): ClientCall[] => []).push(call);
  }
  return reads;
}

/** Whether it ended by itself, and not with success. */
export const gaveUp = ({ end }: SeenSession): boolean => end.kind === 'ended' && !end.success;

export const succeeded = ({ end }: SeenSession): boolean => end.kind === 'ended' && end.success;
