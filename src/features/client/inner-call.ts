/** Calls between the front and the emulator of a weather, which are made within this process. */
import type { Answer, Headers } from '../../history/exchange.js';
import { isObject, jsonIn } from '../../util/json.js';

/** Only this process calls the emulator by this address. */
export const INNER_URL = 'http://emulator';

export interface InnerAnswer extends Answer<string> {
  readonly body: string;
}

/** The input of a submission, as text; empty: the body has none. */
export function inputOf(body: Buffer | null | undefined): string {
  const value = jsonIn(body?.toString());
  const input = isObject(value) ? value['input'] : undefined;
  return input === undefined ? '' : JSON.stringify(input);
}

export const withoutKey = (headers: Headers): Headers =>
  'authorization' in headers ? { ...headers, authorization: '***' } : headers;
