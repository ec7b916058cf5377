/** Plain HTTP calls of the check of test control: each is kept with what was sent and what came back. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../../history/events.js';
import { isObject, jsonIn } from '../../util/json.js';
import { Connection, type ConnectionOptions } from '../http/connection.js';

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

export interface ContractTarget extends ConnectionOptions {
  readonly controlUrl: string;
  /** `{base_url}` of the job API. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Real milliseconds that a call may take. Default 20,000. */
  readonly timeoutMs?: number | undefined;
}

export class ContractClient {
  readonly #target: ContractTarget;
  readonly #control: Connection;
  readonly #api: Connection;
  /** The last call, for messages. */
  last: Answer | null = null;

  private constructor(target: ContractTarget, control: Connection, api: Connection) {
    this.#target = target;
    this.#control = control;
    this.#api = api;
  }

  static async of(target: ContractTarget): Promise<ContractClient> {
    const [control, api] = await Promise.all(
      [target.controlUrl, target.baseUrl].map((url) => Connection.to(new URL(url).origin, target)),
    );
    return new ContractClient(target, control!, api!);
  }

  async close(): Promise<void> {
    await Promise.all([this.#control.close(), this.#api.close()]);
  }

  /** A call of test control; `key` null: without a key. */
  control(
    method: string,
    path: string,
    body?: Json | string,
    key: string | null = this.#target.apiKey,
  ): Promise<Answer> {
    return this.#send(this.#control, method, `${this.#target.controlUrl}${path}`, path, body, key);
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
    const url = `${this.#target.baseUrl}${address}`;
    return this.#send(this.#api, method, url, address, body, this.#target.apiKey, before);
  }

  get apiKey(): string {
    return this.#target.apiKey;
  }

  async #send(
    connection: Connection,
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
    const answer = { sent, ...(await this.#answered(connection, method, url, text, key, before)) };
    this.last = answer;
    return answer;
  }

  async #answered(
    connection: Connection,
    method: string,
    url: string,
    body: string | null,
    key: string | null,
    rest: Promise<void> | null,
  ): Promise<Pick<Answer, 'status' | 'body'>> {
    const { pathname, search } = new URL(url);
    const { reply, ...failure } = await connection.send({
      method,
      path: pathname + search,
      headers: {
        ...(key === null ? {} : { authorization: key }),
        ...(body === null ? {} : { 'content-type': 'application/json' }),
      },
      body,
      timeoutMs: this.#target.timeoutMs ?? CALL_MS,
      ...(rest === null ? {} : { held: { written: () => {}, rest } }),
    });
    if (reply !== null) return { status: reply.status, body: bodyOf(reply.text) };
    return { status: 0, body: `no answer (${'detail' in failure ? failure.detail : 'lost'})` };
  }
}

function bodyOf(text: string): Json {
  if (text === '') return null;
  const value = jsonIn(text) as Json | undefined;
  return value === undefined ? text.slice(0, 200) : value;
}

/** A member of an answer; undefined if it has none. */
export function member({ body }: Answer, name: string): unknown {
  return isObject(body) ? body[name] : undefined;
}

/** Lets real time pass: with the feature `clock` nothing may come of it. */
export const realTime = (ms: number): Promise<void> => sleep(ms);
