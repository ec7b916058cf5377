/**
 * A history of recorded traffic. The calls on one job make a script, and so does each call that names none: what is over
 * can be judged and forgotten while the rest is read.
 */
import type { CallEvent, HistoryEvent, ScriptEndEvent, WebhookEvent } from '../history/events.js';
import { jsonOf, answerOf, type Exchange } from '../history/exchange.js';
import { wholeText } from '../history/long-text.js';
import { isObject } from '../util/json.js';
import { charactersOf } from './bodies.js';
import { callEventOf, kept, type ApiExchange } from './call-event.js';
import type { Edge } from './in-order.js';
import { CLIENT_CLOSED, isSubmission, jobIn } from './calls.js';
import { WebhookCalls, type WebhookCall } from './webhook-calls.js';

interface OpenScript {
  readonly script: number;
  /** The endpoint, and the job or a call that names none. */
  key: string;
  /** Characters of its calls, about. */
  size: number;
  /** Of calls that have begun and not ended. */
  pending: number;
  lastMs: number;
}

interface Begun {
  readonly call: number;
  readonly tick: number;
  readonly open: OpenScript;
}

/** A job that was not asked about for so long is over: what is asked later is about a job of unknown beginning. */
const FORGOTTEN_MS = 26 * 3_600_000;
/** Of bodies and all else in the calls of jobs that are not over. Beyond that, the jobs that were not asked about for longest are. */
const HELD_CHARACTERS_MAX = 32_000_000;
/** What a call has besides its bodies, about. */
const CALL_CHARACTERS = 1_000;

export class TrafficHistory {
  readonly #originMs: number;
  readonly #heldMax: number;
  /** By endpoint and job; those that were asked about last are last. */
  readonly #scripts = new Map<string, OpenScript>();
  readonly #byNumber = new Map<number, OpenScript>();
  readonly #begun = new Map<Exchange, Begun>();
  readonly #webhooks: WebhookCalls;
  #nextScript = 0;
  #held = 0;
  #nextCall = 0;
  #tick = 0;

  /**
   * @param originMs the begin of the first exchange, ms since 1970
   * @param heldMax characters of calls after which jobs are forgotten that were not asked about for longest
   */
  constructor(originMs: number, heldMax = HELD_CHARACTERS_MAX) {
    this.#originMs = originMs;
    this.#heldMax = heldMax;
    this.#webhooks = new WebhookCalls(originMs);
  }

  *take({ isEnd, atMs, exchange }: Edge): Generator<HistoryEvent> {
    if (exchange.webhook !== undefined) {
      if (isEnd) yield* this.endWebhook(exchange);
      else this.beginWebhook(exchange.webhook, atMs);
    } else if (isEnd) yield* this.end(exchange as ApiExchange);
    else yield* this.begin(exchange as ApiExchange);
    yield* this.forget(atMs);
  }

  /** The reply need not be known yet. */
  *begin(exchange: ApiExchange): Generator<HistoryEvent> {
    const call = this.#nextCall++;
    const key = keyOf(exchange) ?? `${exchange.endpoint} call ${call}`;
    let open = this.#scripts.get(key);
    if (open === undefined) {
      open = { script: this.#nextScript++, key, size: 0, pending: 0, lastMs: exchange.fromMs };
      this.#byNumber.set(open.script, open);
      yield this.#beginOf(open, exchange);
    }
    open.pending += 1;
    this.#touch(open, exchange.fromMs);
    this.#begun.set(exchange, { call, tick: this.#tick++, open });
  }

  /** @param begun the same one as it began, if what is known of it now is another object */
  *end(exchange: ApiExchange, begun = exchange): Generator<HistoryEvent> {
    const { open } = this.#begun.get(begun)!;
    yield this.#callOf(exchange, this.#begun.get(begun)!, this.#tick++);
    this.#begun.delete(begun);
    open.pending -= 1;
    const size = sizeOf(exchange);
    open.size += size;
    this.#held += size;
    const key = keyOf(exchange);
    const isKnown = key !== null && (key === open.key || !this.#scripts.has(key));
    if (isKnown && key !== open.key) {
      this.#scripts.delete(open.key);
      open.key = key;
    }
    this.#touch(open, exchange.byMs!);
    if (isKnown) this.#noteWebhookOf(open, exchange);
    this.#noteLife(open, exchange);
    yield* this.#webhooksOfJobs();
    // Nothing follows on a call that names no job.
    if (!isKnown) yield this.#endOf(open);
  }

  /** A call that has begun is not to be judged. */
  *drop(exchange: ApiExchange): Generator<HistoryEvent> {
    const { open } = this.#begun.get(exchange)!;
    this.#begun.delete(exchange);
    open.pending -= 1;
    yield* this.#webhooksOfJobs();
    if (open.pending === 0 && open.size === 0) yield this.#endOf(open);
  }

  /** A webhook is being called; `address` as the submission has it. */
  beginWebhook(address: string, atMs: number): void {
    this.#webhooks.begin(address, atMs);
  }

  /** @param exchange a call of a webhook that is over */
  *endWebhook(exchange: Exchange): Generator<HistoryEvent> {
    const { request } = exchange;
    const body = kept(exchange, request.body);
    this.#webhooks.end({ ...exchange, request: { ...request, body } } as WebhookCall);
    yield* this.#webhooksOfJobs();
  }

  /** How long calls of the job's webhook would have been seen since the last call on it; null: that will not be known. */
  webhookWatchedMs(script: number): number | null {
    return this.#webhooks.watchedMs(script);
  }

  /** The end of a script, as it would be if it ended now. */
  endIfNow(script: number): ScriptEndEvent | null {
    const open = this.#byNumber.get(script);
    return open === undefined ? null : this.#endEventOf(open);
  }

  /** Ends what is over by then, or does not fit: what was not asked about for longest. */
  *forget(atMs: number): Generator<HistoryEvent> {
    for (const open of this.#scripts.values()) {
      if (open.lastMs >= atMs - FORGOTTEN_MS && this.#held <= this.#heldMax) return;
      if (open.pending === 0) yield this.#endOf(open);
    }
  }

  /** The calls that have begun and not ended. */
  get underWay(): readonly CallEvent[] {
    return [...this.#begun].map(([exchange, begun]) => this.#callOf(exchange as ApiExchange, begun, null));
  }

  *finish(): Generator<HistoryEvent> {
    yield* this.underWay;
    this.#begun.clear();
    yield* this.#webhooksOfJobs();
    for (const open of this.#scripts.values()) yield this.#endOf(open);
  }

  #touch(open: OpenScript, atMs: number): void {
    open.lastMs = Math.max(open.lastMs, atMs);
    this.#scripts.delete(open.key);
    this.#scripts.set(open.key, open);
  }

  #beginOf({ script }: OpenScript, exchange: ApiExchange): HistoryEvent {
    const id = jobIn(exchange);
    return {
      kind: 'script',
      script,
      scenario: 'recorded traffic',
      title: id === null ? exchange.names.operation : `job ${id}`,
      endpoint: exchange.endpoint,
      fresh: false,
      workers: null,
      atMs: exchange.fromMs - this.#originMs,
    };
  }

  #endOf(open: OpenScript): HistoryEvent {
    const event = this.#endEventOf(open);
    this.#scripts.delete(open.key);
    this.#byNumber.delete(open.script);
    this.#webhooks.forget(open.script);
    this.#held -= open.size;
    return event;
  }

  #endEventOf({ script, lastMs }: OpenScript): ScriptEndEvent {
    const untilMs = this.#webhooks.untilMs(script);
    return {
      ...{ kind: 'script-end', script, atMs: lastMs - this.#originMs, outcome: 'played', reason: null },
      ...(untilMs !== null && { webhooksUntilMs: untilMs - this.#originMs }),
    };
  }

  #noteWebhookOf({ script }: OpenScript, exchange: ApiExchange): void {
    if (!isSubmission(exchange)) return;
    const { request, isWebhookSeen, fromMs } = exchange;
    const { body } = request;
    const mayHaveOne = typeof body !== 'string' || body.includes('webhook');
    const submission = mayHaveOne ? jsonOf(body) : {};
    const address = isObject(submission) ? submission['webhook'] : undefined;
    const id = jobIn(exchange);
    // Of an address in a large body only the beginning may be kept.
    const whole = typeof address === 'string' ? wholeText(address) : null;
    if (isWebhookSeen === true && whole !== null && id !== null)
      this.#webhooks.watch(script, id, whole, fromMs);
    else if (!isObject(submission) || typeof address === 'string') this.#webhooks.watchNot(script);
  }

  #noteLife({ script }: OpenScript, { fromMs, outcome }: ApiExchange): void {
    if (outcome.kind === 'lost') return this.#webhooks.isLost();
    if (outcome.kind !== 'answer' || outcome.status === CLIENT_CLOSED) return;
    this.#webhooks.lives(fromMs);
    this.#webhooks.isAskedAbout(script, fromMs);
  }

  *#webhooksOfJobs(): Generator<HistoryEvent> {
    const pendingMs = (): number => [...this.#begun.keys()].find(isSubmission)?.fromMs ?? Infinity;
    for (const [script, call] of this.#webhooks.ofJobs(pendingMs)) {
      const open = this.#byNumber.get(script)!;
      const { webhook: url, request, fromMs, byMs, outcome } = call;
      const { method, headers } = request;
      const body = request.body!;
      const size = CALL_CHARACTERS + (body.as === 'none' ? 0 : body.bytes);
      open.size += size;
      this.#held += size;
      this.#touch(open, byMs);
      yield {
        ...{ kind: 'webhook', script, url, method, body, answered: answerOf(call)?.status ?? null },
        ...{ contentType: headers['content-type'] ?? null, headers },
        ...{ arrivedMs: fromMs - this.#originMs, endedMs: byMs - this.#originMs },
        ...(outcome.kind === 'abandoned' && { silence: 'given-up' as const }),
      } satisfies WebhookEvent;
    }
  }

  #callOf(exchange: ApiExchange, { call, tick, open }: Begun, endedTick: number | null): CallEvent {
    return callEventOf(exchange, { call, script: open.script, sentTick: tick, endedTick }, this.#originMs);
  }
}

const sizeOf = (exchange: Exchange): number =>
  CALL_CHARACTERS + charactersOf(exchange.request.body) + charactersOf(answerOf(exchange)?.body);

function keyOf(exchange: ApiExchange): string | null {
  const id = jobIn(exchange);
  return id === null ? null : `${exchange.endpoint} ${id}`;
}
