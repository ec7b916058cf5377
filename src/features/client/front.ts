/**
 * What a client calls: it passes calls to the emulator, does to them what the weather says, and notes what the client sent
 * and what it was told. It sees the bytes and the connections, which the emulator does not.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../../history/events.js';
import type { WholeCall } from '../../client/session.js';
import { OF_CLIENT } from '../../history/kept-bodies.js';
import { ABANDONED, jsonOf, OPEN } from '../../history/exchange.js';
import type { Weather } from '../../client/weather/weather.js';
import { isOpenAfter, refusedBy, reset, writeFaulty } from '../../server/faults/call-faults.js';
import { createFaults, type Fault, type Faults } from '../../server/faults/faults.js';
import type { Effect } from '../../server/faults/grammar.js';
import { LIMITS as SERVER_LIMITS } from '../../server/http-server.js';
import type { Edition, Operation } from '../../spec/index.js';
import { isObject, jsonIn } from '../../util/json.js';
import { listen, type Limits, type Listening } from '../../wire/listen.js';
import { originForm } from '../../util/path.js';
import type { WeatherEndpoint } from './endpoint.js';
import type { InnerAnswer } from './inner-call.js';
import { Connections } from '../../wire/connections.js';
import { faultWords } from './faults.js';
import { freePort } from './free-port.js';
import { keptBody, namesAtEndpoint, sentBody, whereKeyIs, type Sent } from './request.js';

export interface FrontSettings {
  readonly weather: Weather;
  readonly edition: Edition;
  readonly apiKey: string;
  readonly endpoint: WeatherEndpoint;
  readonly nowMs: () => number;
  /** Resolves once a webhook of the job was delivered. */
  readonly delivered: (job: string) => Promise<void>;
}

export interface Front {
  readonly port: number;
  readonly calls: readonly WholeCall[];
  /** The most connections that carried no call at the same time. */
  readonly idleConnectionsMax: () => number;
  close(): Promise<void>;
}

type Writable = { -readonly [member in keyof WholeCall]: WholeCall[member] };

/** As the emulator has them, but that a weather may keep a client waiting. */
const LIMITS: Partial<Limits> = { ...SERVER_LIMITS, requestTimeoutMs: 0 };
/** From so many calls on, less is kept of each. */
const MANY_CALLS = 500;
const WEBHOOK_MAX_MS = 5_000;

export async function startFront(settings: FrontSettings): Promise<Front> {
  const { weather, endpoint, nowMs } = settings;
  const { listensAfterMs = 0 } = weather;
  const calls = new FrontCalls(settings);
  const { signal } = calls.closed;
  const port = listensAfterMs > 0 ? await freePort() : 0;
  const listenNow = (): Promise<Listening> =>
    listen(
      { host: '127.0.0.1', port },
      {
        answer: (incoming, outgoing) => calls.take(incoming, outgoing),
        refuse: (status, detail) => endpoint.refusal(status, detail),
        connected: (socket) => calls.connections.opened(socket),
      },
      LIMITS,
    );
  const opening =
    listensAfterMs > 0
      ? sleep(listensAfterMs, undefined, { signal })
          .then(listenNow)
          .catch(() => null)
      : listenNow();
  return {
    port: listensAfterMs > 0 ? port : (await opening)!.port,
    calls: calls.all,
    idleConnectionsMax: () => calls.connections.idleMax,
    async close() {
      const nowOverMs = nowMs();
      for (const call of calls.all) if (call.outcome.kind === 'open') call.byMs = nowOverMs;
      calls.closed.abort();
      await (await opening)?.close(0);
    },
  };
}

class FrontCalls {
  readonly all: Writable[] = [];
  readonly connections = new Connections();
  readonly closed = new AbortController();
  readonly #settings: FrontSettings;
  readonly #faults: Faults;

  constructor(settings: FrontSettings) {
    this.#settings = settings;
    this.#faults = createFaults(settings.weather.faults ?? [], 1, settings.nowMs);
  }

  take(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const target = originForm(incoming.url ?? '/');
    const call = this.#begun(incoming, target);
    const { socket } = incoming;
    const gone = new AbortController();
    outgoing.once('close', () => {
      this.connections.ended(socket);
      if (outgoing.writableFinished) return;
      this.#end(call, ABANDONED);
      gone.abort();
    });
    void this.#answer(incoming, outgoing, target, call, gone.signal).catch((error: Error) => {
      if (!this.closed.signal.aborted) outgoing.destroy(error);
    });
  }

  #begun(incoming: IncomingMessage, target: string): Writable {
    const { edition, apiKey, nowMs } = this.#settings;
    const startedMs = nowMs();
    const { method = 'GET', socket } = incoming;
    const [path = '/', search = ''] = splitAt(target, '?');
    const names = namesAtEndpoint(method, path, edition);
    const contentType = incoming.headers['content-type'];
    const call: Writable = {
      ...{ id: this.all.length + 1, fromMs: startedMs, byMs: startedMs, outcome: OPEN, names, bytes: 0 },
      request: {
        method,
        target,
        headers: contentType === undefined ? {} : { 'content-type': contentType },
        body: null,
      },
      key: whereKeyIs(incoming, search, apiKey),
      ...{ connection: this.connections.begun(socket), fault: null, reached: false },
    };
    this.all.push(call);
    return call;
  }

  #end(call: Writable, outcome: WholeCall['outcome']): void {
    if (call.outcome.kind !== 'open' || this.closed.signal.aborted) return;
    call.outcome = outcome;
    call.byMs = this.#settings.nowMs();
  }

  async #answer(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    target: string,
    call: Writable,
    gone: AbortSignal,
  ): Promise<void> {
    const sent = await sentBody(incoming, OF_CLIENT.sentBytesMax);
    if (sent === null) return;
    call.bytes = sent.bytes;
    call.request = { ...call.request, body: keptBody(sent) };
    const fault = this.#faultOf(call.names?.operation ?? null);
    if (fault !== null) call.fault = faultWords(fault);
    const effect = fault?.effect ?? null;
    if (effect?.kind === 'lost-request') {
      this.#end(call, { kind: 'lost', why: 'refused' });
      return reset(outgoing);
    }
    await isOpenAfter(fault?.delayMs ?? 0, outgoing);
    if (this.closed.signal.aborted) return;
    const reply =
      effect?.kind === 'status'
        ? this.#refused(effect)
        : await this.#handled(incoming, target, call, sent, gone);
    if (gone.aborted || incoming.socket.destroyed) return this.#end(call, ABANDONED);
    const lost = effect?.kind === 'lost-reply' ? 'lost' : effect?.kind === 'truncated-reply' ? 'half' : null;
    const { status, headers, body } = reply;
    const sentHeaders = Object.entries(headers).filter(([name]) => !CONNECTION_HEADERS.has(name));
    const wire = { status, headers: Object.fromEntries(sentHeaders), bytes: Buffer.from(body) };
    await writeFaulty(effect, outgoing, wire, () =>
      this.#end(call, lost === null ? told(reply, this.all.length) : { kind: 'lost', why: lost }),
    );
  }

  /** A call of no operation meets what all operations meet. */
  #faultOf(operation: Operation | null): Fault | null {
    const fault = this.#faults.ofCall(operation ?? 'health', undefined, '');
    return typeof fault === 'string' ? null : fault;
  }

  #refused(effect: Effect & { kind: 'status' }): InnerAnswer {
    const { status } = effect;
    const refusal = this.#settings.endpoint.refusal(status, REASONS[status] ?? 'error');
    const { headers, bytes } = refusedBy(effect, refusal);
    return { kind: 'answer', status, headers, body: String(bytes) };
  }

  /** What the emulator answers. */
  async #handled(
    incoming: IncomingMessage,
    target: string,
    call: Writable,
    sent: Sent,
    signal: AbortSignal,
  ): Promise<InnerAnswer> {
    const { weather, endpoint } = this.#settings;
    const headers: { [name: string]: string } = {};
    for (const [name, value] of Object.entries(incoming.headers))
      if (value !== undefined && !CONNECTION_HEADERS.has(name)) headers[name] = String(value);
    call.reached = true;
    const { method = 'GET' } = incoming;
    const reply = await endpoint.call({ method, target, headers, body: sent.body }, signal, call.id);
    if (weather.webhooks === 'before-reply' && call.names?.operation === 'run' && reply.status < 300)
      await this.#webhookFirst(call, reply);
    return changed(reply, weather);
  }

  async #webhookFirst(call: Writable, { body }: InnerAnswer): Promise<void> {
    const value = jsonOf(call.request.body);
    const record = jsonIn(body);
    if (!isObject(value) || typeof value['webhook'] !== 'string' || !isObject(record)) return;
    call.fault = 'answered after the webhook of its job was called';
    const timeUp = sleep(WEBHOOK_MAX_MS, undefined, { signal: this.closed.signal });
    await Promise.race([this.#settings.delivered(String(record['id'])), timeUp]).catch(() => undefined);
  }
}

/** With what the weather adds to a job record, or takes from it. */
function changed(reply: InnerAnswer, { job, extraFields, runningIs }: Weather): InnerAnswer {
  const takesOutput = job?.output === 'missing';
  if (reply.status >= 300 || ((extraFields ?? runningIs) === undefined && !takesOutput)) return reply;
  const record = jsonIn(reply.body);
  if (!isObject(record) || typeof record['id'] !== 'string') return reply;
  const { output, ...rest } = record;
  const kept = takesOutput || output === undefined ? rest : record;
  const state = runningIs !== undefined && record['status'] === 'IN_PROGRESS' && { status: runningIs };
  return { ...reply, body: JSON.stringify({ ...kept, ...state, ...extraFields }) };
}

const REASONS: { readonly [status: number]: string } = {
  400: 'the request is not accepted',
  401: 'the API key is not accepted',
  404: 'not found',
  429: 'rate limit exceeded',
  500: 'internal error',
};

const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);

/** What the client can know of a complete reply. */
function told({ status, headers, body: text }: InnerAnswer, calls: number): WholeCall['outcome'] {
  const keptMax = calls > MANY_CALLS ? OF_CLIENT.answerCharactersOfManyMax : OF_CLIENT.answerCharactersMax;
  const { 'retry-after': after } = headers;
  const value = jsonIn(text) as Json | undefined;
  const bytes = Buffer.byteLength(text);
  return {
    ...{ kind: 'answer', status, headers: after === undefined ? {} : { 'retry-after': after } },
    body: value === undefined ? undefined : { as: 'json', value: shortened(value, text, keptMax), bytes },
  };
}

function shortened(body: Json, text: string, keptMax: number): Json {
  if (text.length <= keptMax || !isObject(body)) return body;
  return { ...body, output: `(${text.length} characters)` } as Json;
}

function splitAt(text: string, mark: string): readonly string[] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
