/** A running emulator of ours, its calls and its time. Nothing else is called: no job goes to a paid service by mistake. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseAddress } from '../../cli/options/address.js';
import { findApiKey } from '../../cli/options/api-key.js';
import { NO_KEY } from '../../cli/options/settings.js';
import type { Io } from '../../cli/io.js';
import { program } from '../../program-name.js';
import { escapeControls } from '../../report/escape.js';
import { formatDuration } from '../../report/formatting.js';
import { LOCAL_API_KEY } from '../../spec/local-key.js';
import { isLoopbackUrl } from '../../util/address.js';
import { UnreachableError, UsageError } from '../../util/errors.js';
import { isObject, jsonIn } from '../../util/json.js';
import type { TriggerSettings } from './index.js';

const URL_DEFAULT = 'http://127.0.0.1:8080/v2/test';
/** By then each event has happened, on the clock of the emulator. */
const LIMIT_MS = 30_000;
const LOOKS_EVERY_MS = 100;

export interface Answer {
  readonly status: number;
  readonly value: unknown;
  /** The value, if it is an object; otherwise an empty one. */
  readonly body: { readonly [name: string]: unknown };
  readonly retryAfter: string | null;
}

export type Emulator = Awaited<ReturnType<typeof findEmulator>>;

/** @throws {UnreachableError} unless an emulator of ours answers there, and takes the key */
export async function findEmulator(settings: TriggerSettings, io: Io) {
  const { baseUrl, endpoint } = parseAddress(settings.url ?? URL_DEFAULT);
  const isHere = isLoopbackUrl(baseUrl);
  const key = findApiKey(settings, io) ?? (isHere ? LOCAL_API_KEY : undefined);
  if (key === undefined) throw new UsageError(NO_KEY);
  const { origin } = new URL(baseUrl);
  // Whatever else may answer there does not get the key.
  const ready = (await send('GET', `${origin}/_ready`, null)).body;
  if (ready['emulator'] !== 'runproof')
    throw new UnreachableError(
      `${origin} does not say at /_ready that it is an emulator of Runproof, and nothing else gets a job: start one with ${program()} serve`,
    );
  const control = (path: string, body: object | null = null): Promise<Answer> =>
    send(body === null ? 'GET' : 'POST', `${origin}/_control${path}`, key, body);
  const { features } = (await control('')).body;
  const isControlled = Array.isArray(features) && features.includes('clock');
  const clock = async (): Promise<{ readonly [name: string]: unknown }> => (await control('/clock')).body;
  const begunMs = isControlled ? Number((await clock())['nowMs']) : io.monotonicMs();
  let nowMs = begunMs;
  const speed = isControlled ? 1 : Number(ready['speed']);
  const passedMs = (): number => Math.round(((isControlled ? nowMs : io.monotonicMs()) - begunMs) * speed);
  const url = `${baseUrl}/v2/${encodeURIComponent(endpoint ?? 'test')}`;
  return {
    ...{ url, isHere, isControlled, passedMs },
    /** Prints a line with the time. */
    say: (line: string) => io.note(`${formatDuration(passedMs()).padStart(9)}  ${escapeControls(line)}\n`),
    call: (method: 'GET' | 'POST', path: string, body: object | null = null) =>
      send(method, `${url}/${path}`, key, body),
    /** Waits for a moment, or advances a controlled clock to its next event. False: no more comes in time. */
    async pass(): Promise<boolean> {
      if (!isControlled) {
        await sleep(LOOKS_EVERY_MS / Math.max(1, speed));
        return passedMs() < LIMIT_MS;
      }
      const { nowMs: fromMs, nextEventAtMs: next } = await clock();
      if (typeof next !== 'number' || next - begunMs > LIMIT_MS) return false;
      const { body } = await control('/clock/advance', { byMs: Math.max(0, next - Number(fromMs)) });
      nowMs = Number(body['nowMs']);
      return true;
    },
  };
}

/** @param key null: it is asked without one */
async function send(
  method: string,
  url: string,
  key: string | null,
  json: object | null = null,
): Promise<Answer> {
  const headers = { 'x-runproof-fault': 'none', ...(key !== null && { authorization: key }) };
  const body = json && JSON.stringify(json);
  const reply = await fetch(url, { method, headers, body, redirect: 'manual' }).catch(() => {
    throw new UnreachableError(`nothing answers at ${url}: start an emulator with ${program()} serve`);
  });
  const value = jsonIn(await reply.text());
  if (key !== null && reply.status === 401) throw new UnreachableError(`${url} rejects the API key`);
  return {
    ...{ status: reply.status, value },
    body: isObject(value) ? value : {},
    retryAfter: reply.headers.get('retry-after'),
  };
}
