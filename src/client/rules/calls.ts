/** What rules ask of single calls and of calls in a row. */
import type { ClientCall, Session } from '../session.js';
import { isObject } from '../../util/json.js';
import { getOrMake } from '../../util/maps.js';

/** By how much the emulator may note the end of a reply after its client has it. */
const NOTED_LATE_MS = 2;

/** Calls to operations of section 4. A browser asks with OPTIONS first, which its page does not know of. */
export function operationCalls(session: Session): readonly ClientCall[] {
  return session.calls.filter(({ operation, method }) => operation !== null && method !== 'OPTIONS');
}

export const isSubmission = ({ operation }: ClientCall): boolean =>
  operation === 'run' || operation === 'runsync';

/** Whether it asks how a job is: `/status` or `/stream`. */
export const isRead = ({ operation }: ClientCall): boolean =>
  operation === 'status' || operation === 'stream';

/** The code of its answer; null without a complete one. */
export const codeOf = ({ reply }: ClientCall): number | null =>
  reply.kind === 'answer' ? reply.status : null;

export function isSuccess(call: ClientCall): boolean {
  const code = codeOf(call);
  return code !== null && code >= 200 && code < 300;
}

/** Whether it failed in a way that passes: the connection broke, or a server had trouble. */
export function failedInPassing(call: ClientCall): boolean {
  const code = codeOf(call);
  return call.reply.kind === 'none' || (code !== null && code >= 500);
}

/** The object that was sent; null where there is none, or it is not known. */
export function bodyObject({ body }: ClientCall): { readonly [key: string]: unknown } | null {
  return isObject(body.value) ? body.value : null;
}

/** The id that the reply to a submission gave; null if it gave none. */
export function acceptedId(call: ClientCall): string | null {
  if (!isSubmission(call) || !isSuccess(call) || call.reply.kind !== 'answer') return null;
  const { body } = call.reply;
  return isObject(body) && typeof body['id'] === 'string' ? body['id'] : null;
}

/** Whether a stream read was answered without a chunk. */
export function isEmptyStream(call: ClientCall): boolean {
  if (call.operation !== 'stream' || !isSuccess(call) || call.reply.kind !== 'answer') return false;
  const { body } = call.reply;
  const chunks = isObject(body) ? body['stream'] : body;
  return Array.isArray(chunks) && chunks.length === 0;
}

/** Whether the second call began when the first had ended. */
export const follows = (first: ClientCall, second: ClientCall): boolean =>
  second.number > first.number && second.startedMs >= first.endedMs - NOTED_LATE_MS;

/** The pause between two calls that follow each other. */
export const pauseMs = (first: ClientCall, second: ClientCall): number =>
  Math.max(0, second.startedMs - first.endedMs);

/**
 * The least that the pause may have been: the client waited no longer than was seen, and less where the machine ran late
 * meanwhile.
 */
export function leastPauseMs({ machineLags }: Session, first: ClientCall, second: ClientCall): number {
  const lateMs = machineLags
    .filter(({ fromMs, toMs }) => toMs >= first.endedMs && fromMs <= second.startedMs)
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
    open = [...open.filter(({ endedMs }) => endedMs - NOTED_LATE_MS > call.startedMs), call];
    if (open.length > most.length) most = open;
  }
  return most;
}

/** The largest number, or 0 of none: a client may make too many calls for the arguments of Math.max. */
export const largest = (numbers: readonly number[]): number =>
  numbers.reduce((most, number) => Math.max(most, number), 0);

/** Reads of each job, in the order in which they began. */
export function readsByJob(session: Session): ReadonlyMap<string, readonly ClientCall[]> {
  const reads = new Map<string, ClientCall[]>();
  for (const call of operationCalls(session)) {
    if (isRead(call) && call.job !== null) getOrMake(reads, call.job, (): ClientCall[] => []).push(call);
  }
  return reads;
}

/** Whether it ended by itself, and not with success. */
export const gaveUp = ({ end }: Session): boolean => end.kind === 'ended' && !end.success;

export const succeeded = ({ end }: Session): boolean => end.kind === 'ended' && end.success;
