/**
 * What a client calls: it passes calls to the emulator, does to them what the weather says, and notes what the client sent
 * and what it was told. It sees the bytes and the connections, which the emulator does not.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../../history/events.js';
import type { ClientCall } from '../../client/session.js';
import { ABANDONED, jsonOf, OPEN } from '../../history/exchange.js';
import type { Weather } from '../../client/weather/weather.js';
import { isOpenAfter, refusedBy, reset, writeFaulty } from '../../server/faults/call-faults.js';
import { createFaults, type Fault } from '../../server/faults/faults.js';
import type { Effect } from '../../server/faults/grammar.js';
import type { Edition, Operation } from '../../spec/index.js';
import { isObject, jsonIn } from '../../util/json.js';
import type { WeatherEndpoint } from './endpoint.js';
import type { InnerAnswer } from './inner-call.js';
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
  readonly calls: readonly ClientCall[];
  /** The most connections that carried no call at the same time. */
  readonly idleConnectionsMax: () => number;
  close(): Promise<void>;
}

type Writable = { -readonly [member in keyof ClientCall]: ClientCall[member] };

const KEEP_ALIVE_MS = 60_000;
const BODY_BYTES_MAX = 32 * 1024 * 1024;
/** Outputs above this are left out of what is kept of a reply. */
const KEPT_CHARACTERS_MAX = 100_000;
/** A client without pauses must not fill the memory. */
const MANY_CALLS = 500;
const KEPT_OF_MANY_MAX = 1_000;
const WEBHOOK_MAX_MS = 5_000;

export async function startFront(settings: FrontSettings): Promise<Front> {
  const { weather, edition, apiKey, endpoint, nowMs, delivered } = settings;
  const calls: Writable[] = [];
  const connections = new Map<Socket, number>();
  const busy = new Map<Socket, number>();
  const faults = createFaults(weather.faults ?? [], 1, nowMs);
  const closed = new AbortController();
  let connectionsMade = 0;
  let idleMax = 0;

  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 0 },
    (incoming, outgoing) => {
      void answer(incoming, outgoing).catch((error: Error) => {
        if (!closed.signal.aborted) outgoing.destroy(error);
      });
    },
  );
  server.on('connection', (socket: Socket) => {
    connections.set(socket, ++connectionsMade);
    countIdle();
    socket.once('close', () => connections.delete(socket));
  });

  function countIdle(): void {
    idleMax = Math.max(idleMax, connections.size - busy.size);
  }

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { socket, method = 'GET', url = '/' } = incoming;
    const startedMs = nowMs();
    const target = url.replace(/^https?:\/\/[^/?#]*/iu, '') || '/';
    const [path = '/', search = ''] = splitAt(target, '?');
    const names = namesAtEndpoint(method, path, edition);
    const contentType = incoming.headers['content-type'];
    const call: Writable = {
      ...{ id: calls.length + 1, fromMs: startedMs, byMs: startedMs, outcome: OPEN, names, bytes: 0 },
      request: {
        method,
        target,
        headers: contentType === undefined ? {} : { 'content-type': contentType },
        body: null,
      },
      key: whereKeyIs(incoming, search, apiKey),
      ...{ connection: connections.get(socket) ?? 0, fault: null, reached: false },
    };
    calls.push(call);
    busy.set(socket, (busy.get(socket) ?? 0) + 1);
    const gone = new AbortController();
    const end = (outcome: ClientCall['outcome']): void => {
      if (call.outcome.kind !== 'open' || closed.signal.aborted) return;
      call.outcome = outcome;
      call.byMs = nowMs();
    };
    outgoing.once('close', () => {
      const left = (busy.get(socket) ?? 1) - 1;
      if (left > 0) busy.set(socket, left);
      else busy.delete(socket);
      countIdle();
      if (outgoing.writableFinished) return;
      end(ABANDONED);
      gone.abort();
    });
    const sent = await sentBody(incoming, BODY_BYTES_MAX);
    call.bytes = sent.bytes;
    call.request = { ...call.request, body: keptBody(sent) };
    const fault = faultOf(names?.operation ?? null);
    if (fault !== null) call.fault = faultWords(fault);
    const effect = fault?.effect ?? null;
    if (effect?.kind === 'lost-request') {
      end({ kind: 'lost', why: 'refused' });
      return reset(outgoing);
    }
    await isOpenAfter(fault?.delayMs ?? 0, outgoing);
    if (closed.signal.aborted) return;
    const reply =
      effect?.kind === 'status' ? refused(effect) : await handled(incoming, target, call, sent, gone.signal);
    if (gone.signal.aborted || socket.destroyed) return end(ABANDONED);
    const lost = effect?.kind === 'lost-reply' ? 'lost' : effect?.kind === 'truncated-reply' ? 'half' : null;
    const { status, headers, body } = reply;
    const sentHeaders = Object.entries(headers).filter(([name]) => !CONNECTION_HEADERS.has(name));
    const wire = { status, headers: Object.fromEntries(sentHeaders), bytes: Buffer.from(body) };
    await writeFaulty(effect, outgoing, wire, () =>
      end(lost === null ? told(reply, calls.length) : { kind: 'lost', why: lost }),
    );
  }

  /** A call of no operation meets what all operations meet. */
  function faultOf(operation: Operation | null): Fault | null {
    const fault = faults.ofCall(operation ?? 'health', undefined);
    return typeof fault === 'string' ? null : fault;
  }

  function refused(effect: Effect & { kind: 'status' }): InnerAnswer {
    const { status } = effect;
    const { headers, bytes } = refusedBy(effect, endpoint.refusal(status, REASONS[status] ?? 'error'));
    return { kind: 'answer', status, headers, body: String(bytes) };
  }

  /** What the emulator answers. */
  async function handled(
    incoming: IncomingMessage,
    target: string,
    call: Writable,
    sent: Sent,
    signal: AbortSignal,
  ): Promise<InnerAnswer> {
    const headers: { [name: string]: string } = {};
    for (const [name, value] of Object.entries(incoming.headers))
      if (value !== undefined && !CONNECTION_HEADERS.has(name)) headers[name] = String(value);
    call.reached = true;
    const { method = 'GET' } = incoming;
    const reply = await endpoint.call({ method, target, headers, body: sent.body }, signal, call.id);
    if (weather.webhooks === 'before-reply' && call.names?.operation === 'run' && reply.status < 300)
      await webhookFirst(call, reply);
    return changed(reply);
  }

  async function webhookFirst(call: Writable, { body }: InnerAnswer): Promise<void> {
    const value = jsonOf(call.request.body);
    const record = jsonIn(body);
    if (!isObject(value) || typeof value['webhook'] !== 'string' || !isObject(record)) return;
    call.fault = 'answered after the webhook of its job was called';
    const timeUp = sleep(WEBHOOK_MAX_MS, undefined, { signal: closed.signal });
    await Promise.race([delivered(String(record['id'])), timeUp]).catch(() => undefined);
  }

  /** With the fields that the weather adds to a job record, or takes from it. */
  function changed(reply: InnerAnswer): InnerAnswer {
    const takesOutput = weather.job?.output === 'missing';
    if (reply.status >= 300 || (weather.extraFields === undefined && !takesOutput)) return reply;
    const record = jsonIn(reply.body);
    if (!isObject(record) || typeof record['id'] !== 'string') return reply;
    const { output, ...rest } = record;
    const kept = takesOutput || output === undefined ? rest : record;
    return { ...reply, body: JSON.stringify({ ...kept, ...weather.extraFields }) };
  }

  const listensAfterMs = weather.listensAfterMs ?? 0;
  const port = listensAfterMs > 0 ? await freePort() : 0;
  const listen = async (): Promise<number> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const opening =
    listensAfterMs > 0
      ? sleep(listensAfterMs, port, { signal: closed.signal })
          .then(listen)
          .catch(() => port)
      : listen();
  return {
    port: listensAfterMs > 0 ? port : await opening,
    calls,
    idleConnectionsMax: () => idleMax,
    async close() {
      const nowOverMs = nowMs();
      for (const call of calls) if (call.outcome.kind === 'open') call.byMs = nowOverMs;
      closed.abort();
      await opening;
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
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
function told({ status, headers, body: text }: InnerAnswer, calls: number): ClientCall['outcome'] {
  const keptMax = calls > MANY_CALLS ? KEPT_OF_MANY_MAX : KEPT_CHARACTERS_MAX;
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
