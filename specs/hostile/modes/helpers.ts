/** Helpers for modes. */
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { EITHER, NO_SERVICE, type Answer, type Call, type Job, type Mode } from '../mode.js';
import { bytesOf } from '../server.js';

export const MB = 1024 * 1024;

type How = Omit<Mode, 'name' | 'what'>;

export const mode = (name: string, what: string, how: How): Mode => ({ name, what, ...how });

/** Its jobs cannot be known. */
export const untold = (name: string, what: string, how: How): Mode =>
  mode(name, what, { ...how, jobs: 'untold' });

/** Nor can be said whether it is the service. */
export const unclear = (name: string, what: string, how: How): Mode =>
  untold(name, what, { ...how, exits: EITHER });

/** It cannot be the service. */
export const noService = (name: string, what: string, how: How): Mode =>
  untold(name, what, { ...how, exits: NO_SERVICE });

type Writes = NonNullable<Mode['writes']>;
/** Changes an answer. */
export type Answers = (call: Call, plain: Answer) => Answer;

/** Writes the same to everything. */
export const says =
  (...parts: readonly (string | Buffer)[]): Writes =>
  (_call, socket) => {
    for (const part of parts) socket.write(part);
  };

export const thenCloses =
  (writes: Writes): Writes =>
  async (call, socket, plain) => {
    await writes(call, socket, plain);
    socket.end();
  };

/** Repeats a chunk as fast as it is read, until the client disconnects. */
export async function endlessly(socket: Socket, piece: string | Buffer, pauseMs = 0): Promise<void> {
  while (!socket.destroyed) {
    if (!socket.write(piece)) await drained(socket);
    // Lets other work run.
    await sleep(pauseMs);
  }
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.once('drain', done).once('close', done);
  });
}

/** Everything but the first calls, by which a client finds out how to talk to it. */
export const FIRST_CALLS = 12;

export const later =
  (writes: Writes): Writes =>
  (call, socket, plain) => {
    if (call.number >= FIRST_CALLS) return writes(call, socket, plain);
    for (const part of bytesOf(plain)) socket.write(part);
  };

export const headers =
  (change: (plain: Answer, call: Call) => Answer['headers']): Answers =>
  (call, plain) => ({ ...plain, headers: { ...plain.headers, ...change(plain, call) } });

type ChangeBody = (plain: string, call: Call) => string | Buffer;

export const body =
  (change: ChangeBody): Answers =>
  (call, plain) => ({ ...plain, body: change(plain.body.toString(), call) });

/** As `later`, for answers. */
export const laterAnswers =
  <T extends Answer | null>(
    answers: (call: Call, plain: Answer) => T,
  ): ((call: Call, plain: Answer) => T | Answer) =>
  (call, plain) =>
    call.number < FIRST_CALLS ? plain : answers(call, plain);

/** Changes the answers to these operations. */
export const to =
  (operations: readonly string[], answers: Answers): Answers =>
  (call, plain) =>
    operations.includes(call.operation) ? answers(call, plain) : plain;

type ChangeMembers = (record: Members, call: Call) => { readonly [name: string]: unknown };

/** Changes the members of the JSON object that is answered; other values stay unchanged. */
export const members = (change: ChangeMembers): Answers =>
  body((text, call) => {
    const value = JSON.parse(text) as unknown;
    return value === null || typeof value !== 'object' || Array.isArray(value)
      ? text
      : JSON.stringify({ ...value, ...change(value as Members, call) });
  });

export const membersTo = (operations: readonly string[], change: ChangeMembers): Answers =>
  to(operations, members(change));

export const bodyTo = (operations: readonly string[], change: ChangeBody): Answers =>
  to(operations, body(change));

interface Members {
  readonly [name: string]: unknown;
}

/** Puts text into the answer that no `JSON.stringify` would write, as one more member. */
export function memberText(member: string | (() => string)): Answers {
  const bytes = large(() => Buffer.from(`,${typeof member === 'string' ? member : member()}}`));
  return body((text) =>
    text.startsWith('{') && text.length > 2 ? Buffer.concat([Buffer.from(text.slice(0, -1)), bytes()]) : text,
  );
}

/** Made when it is first wanted. */
export function large<T>(make: () => T): () => T {
  let made: T | null = null;
  return () => (made ??= make());
}

/** Brackets within brackets. */
export const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

/** A call to a webhook; its answer is ignored. */
export async function post(
  url: string,
  content: string | Buffer,
  more: { readonly [name: string]: string } = {},
): Promise<void> {
  const headers = { 'content-type': 'application/json', ...more };
  await fetch(url, { method: 'POST', headers, body: content }).then(
    (reply) => reply.arrayBuffer(),
    () => null,
  );
}

export const recordText = ({ record }: Job): string => JSON.stringify(record);
