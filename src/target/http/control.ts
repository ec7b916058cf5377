/** Speaks test control, version 1, to a target that offers it. Times here are the target's own, not the run's. */
import type { OtherKeys } from '../authorization.js';
import { copied } from '../../history/copied.js';
import { parseUrl } from './address.js';
import { Connection } from './connection.js';
import type { ConnectionOptions } from './connection.js';
import type { TransportReply } from '../session/transport.js';
import { isSpeed, SPEED_RANGE } from '../../util/speed.js';
import { TargetError } from '../errors.js';
import { isObject, jsonIn } from '../../util/json.js';

const PROTOCOL = 'test-control/1';
/** A webhook call may take 10 real seconds to fail (rule 2), and one instant may hold many of them. */
const ADVANCE_TIMEOUT_MS = 300_000;

export interface ControlledClock {
  readonly nowMs: number;
  /** Earliest instant at which something may happen by itself; it may be early. Null: nothing can. */
  readonly nextEventAtMs: number | null;
}

export interface ClockCalls {
  clock(): Promise<ControlledClock>;
  /** Resolves with the new time, after everything due by then has happened; only some tell the next event, too. */
  advance(byMs: number): Promise<{ readonly nowMs: number; readonly nextEventAtMs?: number | null }>;
}

/** Test control does not keep its contract; the script under way cannot go on. */
export class ControlError extends Error {}

export class Control {
  /** It has named its protocol, which it may do without a key. */
  isThere = false;
  /** Time stands still unless advanced. */
  hasClock = false;
  /** Endpoints can be created, counted and resized. */
  hasEndpoints = false;
  /** Endpoints can have clocks of their own. */
  hasEndpointClocks = false;
  /** How many times as fast as real time the clock of the service runs, unless it is moved. */
  speed = 1;
  /** Keys beside the run's own are told, to be tried. */
  hasKeys = false;
  readonly #connection: Connection;
  readonly #path: string;
  readonly #timeoutMs: number;
  readonly #apiKey: string | null;
  #authorization: string | null;

  private constructor(connection: Connection, path: string, apiKey: string | null, timeoutMs: number) {
    this.#connection = connection;
    this.#path = path;
    this.#apiKey = apiKey;
    this.#authorization = apiKey;
    this.#timeoutMs = timeoutMs;
  }

  static async at(
    url: string,
    apiKey: string | null,
    timeoutMs: number,
    options: ConnectionOptions,
  ): Promise<Control> {
    const { origin, pathname } = parseUrl(url);
    const connection = await Connection.to(origin, options);
    return new Control(connection, pathname.replace(/\/+$/, ''), apiKey, timeoutMs);
  }

  /** Asks what is offered. Rejects with a `TargetError` when it is not test control that answers. */
  async connect(): Promise<void> {
    let reply = await this.#hello();
    if (reply.status === 401 && this.#apiKey !== null) {
      this.#authorization = `Bearer ${this.#apiKey}`;
      reply = await this.#hello();
    }
    const told = jsonIn(reply.text);
    const offer = isObject(told) ? told : {};
    this.isThere = offer['protocol'] === PROTOCOL;
    if (reply.status === 401) {
      throw new TargetError('key-refused', 'Test control refuses the API key', 'Check the key');
    }
    const features = offer['features'];
    if (reply.status !== 200 || !this.isThere || !Array.isArray(features)) {
      throw new TargetError(
        'control',
        `Test control was expected, but its address answered ${reply.status} and did not name the protocol "${PROTOCOL}"`,
        'Check the control address (runproof serve has it at /_control), or leave it out to test in real time',
      );
    }
    this.hasClock = features.includes('clock');
    this.hasEndpoints = features.includes('endpoints');
    this.hasEndpointClocks = this.hasClock && this.hasEndpoints && features.includes('endpoint-clocks');
    this.hasKeys = features.includes('keys');
    this.speed = speedIn(offer['speed']);
  }

  /** The key of another user, and one without permission for any endpoint, where it has them. */
  async otherKeys(): Promise<OtherKeys> {
    const { otherUser, unpermitted } = await this.#call('GET', '/keys', null);
    return {
      ...(typeof otherUser === 'string' ? { otherApiKey: otherUser } : {}),
      ...(typeof unpermitted === 'string' ? { unpermittedApiKey: unpermitted } : {}),
    };
  }

  /** The calls of a clock. @param name null: that of the server */
  clockCalls(name: string | null): ClockCalls {
    const path = name === null ? '/clock' : `/clocks/${encodeURIComponent(name)}`;
    return {
      clock: async () => {
        const body = await this.#call('GET', path, null);
        return { nowMs: integer(body, 'nowMs'), nextEventAtMs: nextEventIn(body) ?? null };
      },
      advance: async (byMs) => {
        const body = await this.#call('POST', `${path}/advance`, { byMs }, ADVANCE_TIMEOUT_MS);
        const next = nextEventIn(body);
        return { nowMs: integer(body, 'nowMs'), ...(next === undefined ? {} : { nextEventAtMs: next }) };
      },
    };
  }

  /** Creates or empties the endpoint. @param clock the name of its clock; null: that of the server */
  async putEndpoint(id: string, workers: number, clock: string | null = null): Promise<void> {
    await this.#call('PUT', endpointPath(id), { workers, ...(clock === null ? {} : { clock }) });
  }

  async setWorkers(id: string, workers: number): Promise<void> {
    await this.#call('PATCH', endpointPath(id), { workers });
  }

  /** How many API calls have arrived since the endpoint was created or emptied. */
  async received(id: string): Promise<number> {
    return integer(await this.#call('GET', endpointPath(id), null), 'received');
  }

  /** How many API calls have arrived there of which the body is not complete; null where that is not told. */
  async incomplete(id: string): Promise<number | null> {
    const body = await this.#call('GET', endpointPath(id), null);
    return body['incomplete'] === undefined ? null : integer(body, 'incomplete');
  }

  /** One that is gone already is fine. */
  async deleteEndpoint(id: string): Promise<void> {
    const reply = await this.#send('DELETE', endpointPath(id), null, this.#timeoutMs);
    if (reply.status >= 300 && reply.status !== 404) throw unexpected('DELETE', endpointPath(id), reply);
  }

  stop(): void {
    this.#connection.stop();
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async #hello(): Promise<TransportReply> {
    try {
      return await this.#send('GET', '', null, this.#timeoutMs);
    } catch (error) {
      if (!(error instanceof ControlError)) throw error;
      throw new TargetError('unreachable', error.message, 'Is it running, and is the control address right?');
    }
  }

  async #call(
    method: string,
    path: string,
    body: unknown,
    timeoutMs = this.#timeoutMs,
  ): Promise<{ readonly [key: string]: unknown }> {
    const reply = await this.#send(method, path, body, timeoutMs);
    const value = jsonIn(reply.text);
    if (reply.status < 200 || reply.status >= 300 || !isObject(value)) throw unexpected(method, path, reply);
    return value;
  }

  async #send(method: string, path: string, body: unknown, timeoutMs: number): Promise<TransportReply> {
    const { reply, ...failure } = await this.#connection.send({
      method,
      path: this.#path + path || '/',
      headers: {
        ...(this.#authorization !== null ? { authorization: this.#authorization } : {}),
        ...(body !== null ? { 'content-type': 'application/json' } : {}),
      },
      body: body === null ? null : JSON.stringify(body),
      timeoutMs,
    });
    if (reply !== null) return reply;
    const detail = 'detail' in failure ? failure.detail : '';
    throw new ControlError(`test control does not answer ${method} ${path || '/'}: ${detail}`);
  }
}

function speedIn(told: unknown): number {
  if (told === undefined) return 1;
  if (typeof told === 'number' && isSpeed(told)) return told;
  throw new ControlError(`test control tells the speed ${JSON.stringify(told)}: it must be ${SPEED_RANGE}`);
}

function endpointPath(id: string): string {
  return `/endpoints/${encodeURIComponent(id)}`;
}

/** Undefined where that is not told. */
function nextEventIn(body: { readonly [key: string]: unknown }): number | null | undefined {
  const next = body['nextEventAtMs'];
  return next === null || next === undefined ? next : integer(body, 'nextEventAtMs');
}

function integer(body: { readonly [key: string]: unknown }, name: string): number {
  const value = body[name];
  if (Number.isSafeInteger(value)) return value as number;
  throw new ControlError(`test control answered without an integer "${name}"`);
}

/** How much of an unexpected answer a message shows. */
const SHOWN_CHARACTERS = 200;

function unexpected(method: string, path: string, reply: TransportReply): ControlError {
  const { status, text } = reply;
  const shown = text.length <= SHOWN_CHARACTERS ? text : `${copied(text.slice(0, SHOWN_CHARACTERS))}…`;
  return new ControlError(`test control answered ${method} ${path} with ${status}: ${shown}`);
}
