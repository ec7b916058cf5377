/** What can be said of calls on their way, and how to wait for them in real time. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OutgoingCall } from '../../runner/api.js';
import { expectedWaitMs } from './http-client.js';
import type { InFlightRequest } from './http-client.js';

/** What a large body is granted on top: real ms per character. */
const MS_PER_CHAR = 1 / 4_000;
/** Past its `wait` by this much of the target's time, a call is considered unanswered. */
const OVERDUE_MAX_MS = 900_000;

/** A conforming target has answered by then. */
export function dueInstant(request: InFlightRequest): number {
  return request.sentMs + expectedWaitMs(request.call);
}

export function giveUpInstant(request: InFlightRequest): number {
  return dueInstant(request) + OVERDUE_MAX_MS;
}

/** Waits as long as answers keep coming: a slow target is not one that waits for time to pass. */
export async function settledOrStalled(requests: readonly InFlightRequest[], stallMs: number): Promise<void> {
  const open = () => requests.filter((request) => request.result === null).length;
  for (let before = Infinity, now = open(); now > 0 && now < before; now = open()) {
    before = now;
    if (await settledWithin(requests, stallMs)) return;
  }
}

/** True when all of them (or any) have their result within this many real ms. */
export async function settledWithin(
  requests: readonly InFlightRequest[],
  ms: number,
  how: 'all' | 'any' = 'all',
): Promise<boolean> {
  const isOver = () =>
    how === 'all'
      ? requests.every((request) => request.result !== null)
      : requests.some((request) => request.result !== null);
  if (isOver()) return true;
  const settlings = requests.map((request) => request.settled);
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([
    how === 'all' ? Promise.all(settlings) : Promise.race(settlings),
    new Promise((resolve) => (timer = setTimeout(resolve, ms))),
  ]);
  clearTimeout(timer);
  // A busy process finds its timers due before it has read its sockets.
  await socketsRead(isOver);
  return isOver();
}

/** Gives the process a few turns to read what its sockets hold, or until that is known to be enough. */
export async function socketsRead(isOver: () => boolean = () => false): Promise<void> {
  for (let turns = 0; turns < 4 && !isOver(); turns += 1) await nextTurn();
}

/** What sending bodies of this size may take on top. */
export function wayMs(calls: readonly OutgoingCall[]): number {
  return calls.reduce((ms, call) => ms + 1 + (call.bodyText?.length ?? 0) * MS_PER_CHAR, 0);
}
