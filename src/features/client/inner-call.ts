/** Calls between the front and the emulator of a weather, which are made within this process. */
import { isObject, jsonIn } from '../../util/json.js';

/** Only this process calls the emulator by this address. */
export const INNER_URL = 'http://emulator';

export interface InnerRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Headers;
  readonly body: Buffer | null;
}

export interface InnerReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The input of a submission, as text; empty: the body has none. */
export function inputOf(body: Buffer | null): string {
  const value = jsonIn(body?.toString());
  const input = isObject(value) ? value['input'] : undefined;
  return input === undefined ? '' : JSON.stringify(input);
}

/** Without the key. */
export const seenHeaders = (headers: Headers): (readonly [string, string])[] =>
  [...headers].map(([name, value]) => [name, name === 'authorization' ? '***' : value]);
