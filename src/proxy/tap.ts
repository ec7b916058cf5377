/**
 * `proxy/` promises to pass every call on as it is, and to tell what it saw. It judges nothing, and nothing that goes wrong
 * beside the call itself may change the call.
 */
import { OPEN, type Exchange, type Headers } from '../history/exchange.js';
import type { Names } from '../spec/operation-of.js';
import type { Callers } from './callers.js';
import type { BodyRoom } from './kept-body.js';

/**
 * Told of each call twice: as it begins, and when it is over, with the same `id`. Instants are ms since 1970, that of the begin
 * rounded down, that of the end up. Bodies are bytes as they were sent, headers without the key.
 */
export type Tap = (exchange: Exchange<Uint8Array>) => void;

/** How a call is watched; null: it is none of the API. */
export interface Watched {
  readonly call: number;
  readonly tap: Tap;
  readonly names: Names | null;
  /** ms since 1970. */
  readonly nowMs: () => number;
  /** For large bodies of all calls. */
  readonly room: BodyRoom;
  /** The receiver's address, where the call is one of a webhook. */
  readonly webhook?: string;
  /** Absent: who makes calls is not told. */
  readonly callers?: Callers | undefined;
}

/** What is known of a call as it begins. */
export const begunOf = (watched: Watched, method: string, target: string): Exchange<Uint8Array> => ({
  ...{ id: watched.call, fromMs: Math.floor(watched.nowMs()), byMs: null },
  request: { method, target, headers: {}, body: undefined },
  outcome: OPEN,
  names: watched.names,
  ...(watched.webhook !== undefined && { webhook: watched.webhook }),
});

const SECRET: ReadonlySet<string> = new Set(['authorization', 'cookie', 'set-cookie', 'x-api-key']);

/** Keys are not told: of `Bearer abc` the form remains. */
export const seenHeaders = (raw: readonly string[]): Headers =>
  Object.fromEntries(
    pairsOf(raw).map(([spelled, value]) => {
      const name = spelled.toLowerCase();
      return [name, SECRET.has(name) ? `${/^\S+(?=\s)/u.exec(value)?.[0] ?? ''} ***`.trim() : value];
    }),
  );

export function pairsOf(raw: readonly string[]): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) pairs.push([raw[at]!, raw[at + 1]!]);
  return pairs;
}
