/** A running emulator of ours. Whatever else answers at its address gets one question, and neither the key nor a job. */
import { program } from '../program-name.js';
import { LOCAL_API_KEY } from '../spec/local-key.js';
import { isLoopbackUrl } from '../util/address.js';
import { UnreachableError, UsageError } from '../util/errors.js';
import { isObject, jsonIn } from '../util/json.js';
import type { Io } from './io.js';
import { parseAddress } from './options/address.js';
import { findApiKey } from './options/api-key.js';
import { text, type Settings } from './options/option.js';
import type { API_KEY } from './options/option-table.js';
import { NO_KEY } from './options/settings.js';

const URL_DEFAULT = 'http://127.0.0.1:8080/v2/test';

export const EMULATOR_ARGUMENT = {
  url: text(`Address of the emulator; default: ${URL_DEFAULT}, the default of serve`),
};

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly value: unknown;
  /** The value, if it is an object; otherwise an empty one. */
  readonly body: { readonly [name: string]: unknown };
  readonly retryAfter: string | null;
}

/** @throws {UnreachableError} unless an emulator of ours answers there */
export async function findEmulator(settings: Settings<typeof EMULATOR_ARGUMENT & typeof API_KEY>, io: Io) {
  const { baseUrl, endpoint } = parseAddress(settings.url ?? URL_DEFAULT);
  const isHere = isLoopbackUrl(baseUrl);
  const key = findApiKey(settings, io) ?? (isHere ? LOCAL_API_KEY : undefined);
  if (key === undefined) throw new UsageError(NO_KEY);
  const { origin } = new URL(baseUrl);
  const ready = (await send('GET', `${origin}/_ready`, null, {})).body;
  if (ready['emulator'] !== 'runproof')
    throw new UnreachableError(
      `${origin} does not say at /_ready that it is an emulator of Runproof, and nothing else is called: start one with ${program()} serve`,
    );
  const url = `${baseUrl}/v2/${encodeURIComponent(endpoint ?? 'test')}`;
  return {
    ...{ origin, url, endpoint: endpoint ?? 'test', isHere, speed: Number(ready['speed']) },
    /** @param path of the API if it begins without a slash; otherwise from the origin */
    ask: (method: 'GET' | 'POST', path: string, json: object | null = null, more: More = {}) =>
      send(method, path.startsWith('/') ? origin + path : `${url}/${path}`, json, {
        ...more,
        headers: { authorization: key, ...more.headers },
      }),
  };
}

interface More {
  readonly headers?: { readonly [name: string]: string };
  /** Once aborted, the answer is not waited for. */
  readonly signal?: AbortSignal;
}

async function send(method: string, url: string, json: object | null, more: More): Promise<Answer> {
  const headers = { 'x-runproof-fault': 'none', ...more.headers };
  const body = json && JSON.stringify(json);
  const { reply, answered } = await fetch(url, { ...more, method, headers, body, redirect: 'manual' })
    .then(async (whole) => ({ reply: whole, answered: await whole.text() }))
    .catch(() => {
      throw new UnreachableError(`nothing answers at ${url}: start an emulator with ${program()} serve`);
    });
  const value = jsonIn(answered);
  if ('authorization' in headers && reply.status === 401)
    throw new UnreachableError(`${url} rejects the API key`);
  return {
    ...{ status: reply.status, retryAfter: reply.headers.get('retry-after'), text: answered, value },
    body: isObject(value) ? value : {},
  };
}
