/** Makes exchanges of what the proxy saw, as far as they can be judged. */
import type { Edition } from '../../spec/index.js';
import { Buffer } from 'node:buffer';
import type { CallEvent, HistoryEvent, ScriptEndEvent } from '../../history/events.js';
import type { Seen, SeenMessage } from '../../proxy/seen.js';
import {
  apiRequestOf,
  decoded,
  heldBodies,
  leftOut,
  mayBePerformed,
  nameOf,
  TrafficHistory,
  UNKNOWN_REPLY,
  type ApiExchange,
  type Exchange,
  type Interval,
} from '../../traffic/index.js';
import { KnownEndpoints } from './known-endpoints.js';
import { WithoutKey } from './without-key.js';

/** What is known of it grows with the call. */
type LiveExchange = { -readonly [member in keyof ApiExchange]: ApiExchange[member] };

/** Calls that passed and of whose answers nothing is judged, by the reason. */
export interface Unjudged {
  /** Without a whole answer. */
  lost: number;
  /** Answered 401 or 403: whether the key was right is not known. */
  unauthorized: number;
  /** Submissions whose body is larger than what is kept, found no room, or was not all there when the answer came. */
  bodiless: number;
  /** To addresses that never answered as an endpoint does. */
  unanswered: number;
}

const NAMES_MAX = 1_000;

export class LiveCalls {
  readonly unjudged: Unjudged = { lost: 0, unauthorized: 0, bodiless: 0, unanswered: 0 };
  /** Calls whose answers are judged. */
  judged = 0;
  /** Calls of webhooks that were passed on, by how they were answered: `2xx`, …, `none`. */
  readonly webhooks: { [answer: string]: number } = {};
  readonly #upstream: string;
  readonly #edition: Edition;
  readonly #onOver: (exchange: Exchange) => void;
  readonly #onChange: (during: Interval) => void;
  readonly #history: TrafficHistory;
  readonly #webhookCalls = new Map<number, Seen & { kind: 'begin' }>();
  readonly #open = new Map<number, LiveExchange>();
  /** Of operations asked for by another method than the document's. */
  readonly #byAnotherMethod = new Map<number, Seen & { kind: 'begin' }>();
  readonly #names = new Map<string, string>();
  readonly #endpoints: KnownEndpoints;
  readonly #withoutKey = new WithoutKey();

  /**
   * @param upstream what stands before the paths of calls
   * @param heldMax characters of calls after which the jobs that were not asked about for longest are over
   * @param onOver called with each call that is over, those of webhooks too, whether it is judged or not
   * @param onChange told when jobs may have been changed by calls that are not judged, ms since 1970
   */
  constructor(
    upstream: string,
    edition: Edition,
    originMs: number,
    heldMax: number,
    onOver: (exchange: Exchange) => void = () => undefined,
    onChange: (during: Interval) => void = () => undefined,
  ) {
    this.#upstream = upstream;
    this.#endpoints = new KnownEndpoints(upstream);
    this.#edition = edition;
    this.#onOver = onOver;
    this.#onChange = onChange;
    this.#history = new TrafficHistory(originMs, heldMax);
  }

  get endpoints(): readonly string[] {
    return [...this.#names].flatMap(([base, name]) => (this.#endpoints.has(base) ? [name] : []));
  }

  /** Of these endpoints. */
  get addresses(): readonly string[] {
    return [...this.#names.keys()].filter((base) => this.#endpoints.has(base));
  }

  get underWay(): readonly CallEvent[] {
    return this.#history.underWay;
  }

  /** When the calls of webhooks began that have not ended, ms since 1970. */
  get webhooksUnderWay(): readonly number[] {
    return [...this.#webhookCalls.values()].map(({ atMs }) => atMs);
  }

  /** Since when calls are under way that are not judged and may change jobs, ms since 1970; Infinity: none is. */
  get changingFromMs(): number {
    const [first] = this.#byAnotherMethod.values();
    return first?.atMs ?? Infinity;
  }

  /** How long calls of the job's webhook would have been seen since the last call on it; null: that will not be known. */
  webhookWatchedMs(script: number): number | null {
    return this.#history.webhookWatchedMs(script);
  }

  /** The end of a script that is not over, as it would be if it ended now. */
  endIfNow(script: number): ScriptEndEvent | null {
    return this.#history.endIfNow(script);
  }

  *take(seen: Seen): Generator<HistoryEvent> {
    if (seen.kind === 'begin') yield* this.#begin(seen);
    else yield* this.#end(seen);
    yield* this.#history.forget(seen.atMs);
  }

  finish(): Iterable<HistoryEvent> {
    return this.#history.finish();
  }

  *#begin(seen: Seen & { kind: 'begin' }): Generator<HistoryEvent> {
    const { call, atMs, webhook } = seen;
    if (webhook !== undefined) {
      this.#webhookCalls.set(call, seen);
      return this.#history.beginWebhook(webhook, atMs);
    }
    const exchange = this.#exchangeOf(seen);
    const request = exchange === null ? null : apiRequestOf(exchange, this.#edition);
    if (exchange === null || request === null) {
      if (exchange !== null) this.#byAnotherMethod.set(call, seen);
      return;
    }
    const { base } = request;
    const endpoint = this.#names.get(base) ?? nameOf(base, this.#names);
    this.#names.set(base, endpoint);
    if (this.#names.size > NAMES_MAX) this.#forgetName();
    const live: LiveExchange = { ...exchange, request, endpoint };
    this.#open.set(call, live);
    yield* this.#history.begin(live);
  }

  *#end(seen: Seen & { kind: 'end' }): Generator<HistoryEvent> {
    const { call, reply, isWebhookHere } = seen;
    const webhook = this.#webhookCalls.get(call);
    if (webhook !== undefined) return yield* this.#endWebhook(webhook, seen);
    const another = this.#byAnotherMethod.get(call);
    if (another !== undefined) return this.#endAnother(another, seen);
    const live = this.#open.get(call);
    if (live === undefined) return;
    this.#open.delete(call);
    Object.assign(live, endOf(seen));
    live.isWebhookTold = isWebhookHere === true;
    this.#onOver(live);
    Object.assign(live, heldBodies(live));
    live.hasNoKey = this.#withoutKey.note(live);
    const why = this.#whyNot(live);
    if (why === null) {
      // That a call was made may have had an effect, whatever came of it.
      if (reply === null) this.unjudged.lost += 1;
      else this.judged += 1;
      yield* this.#history.end(live);
      return;
    }
    this.unjudged[why] += 1;
    yield* this.#history.drop(live);
  }

  /** It is recorded, and not judged. */
  #endAnother(begin: Seen & { kind: 'begin' }, end: Seen & { kind: 'end' }): void {
    this.#byAnotherMethod.delete(end.call);
    const exchange = { ...this.#exchangeOf(begin)!, ...endOf(end) };
    if (mayBePerformed(exchange, this.#edition)) this.#onChange({ fromMs: begin.atMs, byMs: end.atMs });
    this.#onOver(exchange);
  }

  /** As far as it is known when it begins. Null: its target is no address. */
  #exchangeOf({ call, atMs, method, target }: Seen & { kind: 'begin' }): Exchange | null {
    const address = this.#upstream + target;
    if (!URL.canParse(address)) return null;
    return {
      ...{ where: `call ${call}`, fromMs: atMs, byMs: null, method, url: new URL(address) },
      ...{ headers: new Map<string, string>(), body: undefined, reply: null },
    };
  }

  *#endWebhook(begin: Seen & { kind: 'begin' }, end: Seen & { kind: 'end' }): Generator<HistoryEvent> {
    const { request, reply, isAbandoned, isRefused } = end;
    this.#webhookCalls.delete(end.call);
    const kind = reply === null ? 'none' : `${Math.floor(reply.status / 100)}xx`;
    this.webhooks[kind] = (this.webhooks[kind] ?? 0) + 1;
    const answered = reply?.status ?? (isRefused === true ? 502 : null);
    const address = begin.webhook!;
    const exchange = {
      ...{ where: `call ${end.call}`, fromMs: begin.atMs, byMs: end.atMs, method: begin.method },
      ...{ url: new URL(address), headers: new Map(request.headers), body: textOf(request) },
      reply: answered === null ? null : { status: answered, headers: new Map(), body: undefined },
      webhook: { address, isGivenUp: isAbandoned },
    };
    this.#onOver(exchange);
    yield* this.#history.endWebhook({ ...exchange, body: heldBodies(exchange).body });
  }

  /** Of an address that never answered as an endpoint does: clients may try any number of them. */
  #forgetName(): void {
    for (const base of this.#names.keys())
      if (!this.#endpoints.has(base)) {
        this.#names.delete(base);
        return;
      }
  }

  #whyNot(live: LiveExchange): keyof Unjudged | null {
    const { base } = live.request;
    this.#endpoints.note(live);
    // What was refused for want of a key is judged, and was no call otherwise.
    const why = live.hasNoKey === true && live.reply?.status === 401 ? null : leftOut(live);
    return this.#endpoints.has(base) || why === 'unauthorized' ? why : 'unanswered';
  }
}

/** What its end shows. A client that goes away is no sign that the service is lost. */
function endOf({ atMs, request, reply, isAbandoned }: Seen & { kind: 'end' }) {
  const unanswered = isAbandoned ? UNKNOWN_REPLY : null;
  return {
    ...{ byMs: atMs, headers: new Map(request.headers), body: textOf(request) },
    reply:
      reply === null
        ? unanswered
        : { status: reply.status, headers: new Map(reply.headers), body: textOf(reply) },
  };
}

function textOf({ headers, body }: SeenMessage): string | null | undefined {
  if (body === null) return undefined;
  const { buffer, byteOffset, byteLength } = body;
  return byteLength === 0 ? null : decoded(Buffer.from(buffer, byteOffset, byteLength), new Map(headers));
}
