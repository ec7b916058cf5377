/** Makes events of what the proxy saw, as far as it can be judged. */
import type { CallEvent, HistoryEvent, ScriptEndEvent } from '../../history/events.js';
import { answerOf, type Exchange, type Outcome } from '../../history/exchange.js';
import { nameOf } from '../../traffic/addresses.js';
import {
  inText,
  isCall,
  leftOut,
  mayBePerformed,
  TrafficHistory,
  withHeldBodies,
  type ApiExchange,
  type Interval,
} from '../../traffic/index.js';
import { KnownEndpoints } from './known-endpoints.js';
import { WithoutKey } from './without-key.js';

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
  readonly #onOver: (exchange: Exchange) => void;
  readonly #onChange: (during: Interval) => void;
  readonly #history: TrafficHistory;
  /** When those began that are under way, ms since 1970. */
  readonly #webhookCalls = new Map<Exchange['id'], number>();
  readonly #open = new Map<Exchange['id'], ApiExchange>();
  /** Of operations asked for by another method than the document's. */
  readonly #byAnotherMethod = new Map<Exchange['id'], number>();
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
    originMs: number,
    heldMax: number,
    onOver: (exchange: Exchange) => void = () => undefined,
    onChange: (during: Interval) => void = () => undefined,
  ) {
    this.#upstream = upstream;
    this.#endpoints = new KnownEndpoints(upstream);
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
    return [...this.#webhookCalls.values()];
  }

  /** Since when calls are under way that are not judged and may change jobs, ms since 1970; Infinity: none is. */
  get changingFromMs(): number {
    const [firstMs = Infinity] = this.#byAnotherMethod.values();
    return firstMs;
  }

  /** How long calls of the job's webhook would have been seen since the last call on it; null: that will not be known. */
  webhookWatchedMs(script: number): number | null {
    return this.#history.webhookWatchedMs(script);
  }

  /** The end of a script that is not over, as it would be if it ended now. */
  endIfNow(script: number): ScriptEndEvent | null {
    return this.#history.endIfNow(script);
  }

  *take(exchange: Exchange<Uint8Array>): Generator<HistoryEvent> {
    if (exchange.outcome.kind === 'open') yield* this.#begin(exchange);
    else yield* this.#end(exchange);
    yield* this.#history.forget(toldMs(exchange));
  }

  finish(): Iterable<HistoryEvent> {
    return this.#history.finish();
  }

  *#begin(exchange: Exchange<Uint8Array>): Generator<HistoryEvent> {
    const { id, fromMs, webhook } = exchange;
    if (webhook !== undefined) {
      this.#webhookCalls.set(id, fromMs);
      return this.#history.beginWebhook(webhook, fromMs);
    }
    const begun = this.#atUpstream(exchange);
    if (!isCall(begun)) return void this.#byAnotherMethod.set(id, fromMs);
    const { base } = begun.names;
    const endpoint = this.#names.get(base) ?? nameOf(base, this.#names);
    this.#names.set(base, endpoint);
    if (this.#names.size > NAMES_MAX) this.#forgetName();
    const open = { ...begun, endpoint };
    this.#open.set(id, open);
    yield* this.#history.begin(open);
  }

  *#end(exchange: Exchange<Uint8Array>): Generator<HistoryEvent> {
    const { id, isWebhookSeen = false } = exchange;
    if (this.#webhookCalls.delete(id)) return yield* this.#endWebhook(exchange);
    if (this.#byAnotherMethod.delete(id)) return this.#endAnother(exchange);
    const open = this.#open.get(id);
    if (open === undefined) return;
    this.#open.delete(id);
    const { names, endpoint } = open;
    const over: ApiExchange = { ...this.#atUpstream(exchange), names, endpoint, isWebhookSeen };
    this.#onOver(over);
    const call = { ...withHeldBodies(over), hasNoKey: this.#withoutKey.note(over) };
    const why = this.#whyNot(call);
    if (why === null) {
      // That a call was made may have had an effect, whatever came of it.
      if (answerOf(call) === null) this.unjudged.lost += 1;
      else this.judged += 1;
      yield* this.#history.end(call, open);
      return;
    }
    this.unjudged[why] += 1;
    yield* this.#history.drop(open);
  }

  /** It is recorded, and not judged. */
  #endAnother(exchange: Exchange<Uint8Array>): void {
    const { fromMs, byMs } = exchange;
    const over = this.#atUpstream(exchange);
    if (mayBePerformed(over)) this.#onChange({ fromMs, byMs: byMs! });
    this.#onOver(over);
  }

  /** With its whole address. */
  #atUpstream(exchange: Exchange<Uint8Array>): Exchange {
    const target = this.#upstream + exchange.request.target;
    const inWords = inText(exchange);
    return {
      ...inWords,
      request: { ...inWords.request, target: URL.canParse(target) ? new URL(target).href : target },
    };
  }

  *#endWebhook(exchange: Exchange<Uint8Array>): Generator<HistoryEvent> {
    const { outcome } = exchange;
    const kind = outcome.kind === 'answer' ? `${Math.floor(outcome.status / 100)}xx` : 'none';
    this.webhooks[kind] = (this.webhooks[kind] ?? 0) + 1;
    const isRefused = outcome.kind === 'lost' && outcome.why === 'refused';
    const code = outcome.kind === 'answer' ? outcome.status : isRefused ? BAD_GATEWAY : null;
    const over: Exchange = {
      ...inText(exchange),
      outcome:
        code === null
          ? (outcome as Outcome<never>)
          : { kind: 'answer', status: code, headers: {}, body: undefined },
    };
    this.#onOver(over);
    yield* this.#history.endWebhook(withHeldBodies(over));
  }

  /** Of an address that never answered as an endpoint does: clients may try any number of them. */
  #forgetName(): void {
    for (const base of this.#names.keys())
      if (!this.#endpoints.has(base)) {
        this.#names.delete(base);
        return;
      }
  }

  #whyNot(call: ApiExchange): keyof Unjudged | null {
    const { base } = call.names;
    this.#endpoints.note(call);
    // What was refused for want of a key is judged, and was no call otherwise.
    const why = call.hasNoKey === true && answerOf(call)?.status === 401 ? null : leftOut(call);
    return this.#endpoints.has(base) || why === 'unauthorized' ? why : 'unanswered';
  }
}

/** When something of it was told last. */
export const toldMs = ({ fromMs, byMs }: Exchange<unknown>): number => byMs ?? fromMs;

/** What the proxy answers where it cannot pass a call on. */
const BAD_GATEWAY = 502;
