/** Plain HTTP calls of the check of test control: each is kept with what was sent and what came back. */
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../../history/events.js';
import { isObject } from '../../util/json.js';

/** Rule 2 allows 10 real seconds for a webhook call that does not end. */
const CALL_MS = 20_000;
/** How much of a body messages show. */
const BODY_SHOWN = 200;

export interface Answer {
  /** `POST /clock/advance {"byMs":5}`. */
  readonly sent: string;
  /** 0 if no answer came. */
  readonly status: number;
  readonly body: Json;
}

export interface ContractTarget {
  readonly controlUrl: string;
  /** `{base_url}` of the job API. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

export class ContractClient {
  readonly #target: ContractTarget;
  /** The last call, for messages. */
  last: Answer | null = null;

  constructor(target: ContractTarget) {
    this.#target = target;
  }

  /** A call of test control; `key` null: without a key. */
  control(
    method: string,
    path: string,
    body?: Json | string,
    key: string | null = this.#target.apiKey,
  ): Promise<Answer> {
    return this.#send(method, `${this.#target.controlUrl}${path}`, path, body, key);
  }

  /**
   * A call of the job API, such as `/run`, at an endpoint.
   *
   * @param before what the last byte of the body waits for
   */
  api(
    endpoint: string,
    method: string,
    path: string,
    body?: Json,
    before: Promise<void> | null = null,
  ): Promise<Answer> {
    const address = `/v2/${endpoint}${path}`;
    return this.#send(
      method,
      `${this.#target.baseUrl}${address}`,
      address,
      body,
      this.#target.apiKey,
      before,
    );
  }

  get apiKey(): string {
    return this.#target.apiKey;
  }

  async #send(
    method: string,
    url: string,
    shown: string,
    body: Json | string | undefined,
    key: string | null,
    before: Promise<void> | null = null,
  ): Promise<Answer> {
    const text = typeof body === 'string' ? body : body === undefined ? null : JSON.stringify(body);
    const said = text === null ? '' : ` ${text.length > BODY_SHOWN ? `${text.slice(0, BODY_SHOWN)}…` : text}`;
    const sent = `${method} ${shown === '' ? 'CONTROL' : shown}${said}`;
    const answer = { sent, ...(await this.#answered(method, url, text, key, before)) };
    this.last = answer;
    return answer;
  }

  async #answered(
    method: string,
    url: string,
    body: string | null,
    key: string | null,
    before: Promise<void> | null,
  ): Promise<Pick<Answer, 'status' | 'body'>> {
    try {
      const { request } = await import('undici');
      const reply = await request(url, {
        method: method as 'GET',
        headers: {
          ...(key === null ? {} : { authorization: key }),
          ...(body === null ? {} : { 'content-type': 'application/json' }),
          ...(body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
        },
        body: body === null || before === null ? body : Readable.from(inTwoParts(body, before)),
        headersTimeout: CALL_MS,
        bodyTimeout: CALL_MS,
      });
      return { status: reply.statusCode, body: parsed(await reply.body.text()) };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return { status: 0, body: `no answer (${code ?? 'error'})` };
    }
  }
}

async function* inTwoParts(body: string, before: Promise<void>): AsyncGenerator<string> {
  yield body.slice(0, -1);
  await before;
  yield body.slice(-1);
}

function parsed(text: string): Json {
  try {
    return text === '' ? null : (JSON.parse(text) as Json);
  } catch {
    return text.slice(0, 200);
  }
}

/** A member of an answer; undefined if it has none. */
export function member({ body }: Answer, name: string): unknown {
  return isObject(body) ? body[name] : undefined;
}

/** Lets real time pass: with the feature `clock` nothing may come of it. */
export const realTime = (ms: number): Promise<void> => sleep(ms);
