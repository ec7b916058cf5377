/** Reads files of recorded traffic, whatever their size, and makes one history of them. */
import type { Edition, Operation } from '../../spec/index.js';
import type { HistoryEvent, RunEvent } from '../../history/events.js';
import { answerOf, type Exchange } from '../../history/exchange.js';
import { withHeldBodies } from './bodies.js';
import { Addresses, idIn, nameOf } from '../addresses.js';
import { CLOCK_SKEW_MS } from '../clock-skew.js';
import { Clocks, type SkewFound } from '../clocks.js';
import { exchangesOf, type TrafficFile } from './files.js';
import type { ApiExchange } from '../call-event.js';
import { TrafficHistory } from '../history-of.js';
import type { Interval } from '../instants.js';
import { InOrder, LISTED_LATE_MS } from '../in-order.js';
import { Repetitions } from '../repetitions.js';
import {
  isAnsweredByEndpoint,
  isAnsweredInJson,
  isCall,
  leftOut,
  looksLikeEndpoint,
  mayBePerformed,
} from '../calls.js';
import { movesClock } from '../another-clock.js';
import { beginOf, Unreadable } from './unreadable.js';

/** What was found in the files, for the user. */
export interface TrafficSummary {
  /** The endpoints, by what stands before the operation in their addresses. */
  readonly endpoints: ReadonlyMap<string, string>;
  /** Endpoints that never answered as one, by their addresses: nothing else in the files looks like an endpoint. */
  readonly presumed: readonly string[];
  /** Addresses of one endpoint each, where it has several. */
  readonly joined: readonly (readonly string[])[];
  /** Calls may have had an effect on the jobs that are judged, and are no calls of the API, or of another endpoint. */
  readonly hasOtherCalls: boolean;
  /** Requests that are no calls of the API. */
  readonly foreign: number;
  /** Test control moved the clock of the service meanwhile. */
  readonly movesClock: boolean;
  /** How many requests look like calls of an endpoint that was never seen to answer as one does, by their address. */
  readonly unanswered: ReadonlyMap<string, number>;
  /** Of these, those of which each call was answered with 401 or 403. */
  readonly refused: ReadonlySet<string>;
  /** Calls that were answered with 401 or 403: whether their key was right, or had permission, is not known. */
  readonly unauthorized: number;
  /** Submissions whose body was not recorded: what their jobs should do is not known. */
  readonly bodiless: number;
  /** Bodies that the recorder has cut off. */
  readonly cutBodies: number;
  /** Calls with a reply of which the recording does not say when it came. */
  readonly endless: number;
  /** Exchanges that the files contain once more. */
  readonly repeated: number;
  /** What cannot be used, the first 20. */
  readonly unreadable: readonly Unreadable[];
  readonly unreadableMore: number;
  readonly calls: number;
  /** Calls of webhooks are recorded, and can be judged: one clock made all files. */
  readonly webhooks: boolean;
  /** The names of the keys by which payloads were replaced by digests; null: there are payloads that were not. */
  readonly digests: ReadonlySet<string | null>;
  /** How much the clocks of the files may differ, of any two with a job in common. */
  readonly skews: readonly SkewFound[];
  /** By how much the clocks of two files may differ at most, ms. */
  readonly clockSkewMs: number;
  /** How much longer a call may seem than it was, ms, because of several clocks. */
  readonly widenedMs: number;
}

/** What the user says of the files. Default: one clock. */
interface TrafficSettings {
  /** Their clocks differ by no more, ms; absent: not said. */
  readonly clockSkewMs?: number | undefined;
  /** What stands before the operations of endpoints, whatever they answer. */
  readonly endpoints?: readonly string[] | undefined;
}

const UNREADABLE_TOLD_MAX = 20;

/** Reads the files twice: first for the endpoints that they are about, then for their calls. */
export class Traffic {
  readonly summary: TrafficSummary;
  readonly #files: readonly TrafficFile[];
  readonly #edition: Edition;
  /** Null: there is one. */
  readonly #clocks: Clocks | null;
  /** When calls were made that are missing, ms since 1970: those of which it is known. */
  readonly missing: Interval[] = [];
  #missesAnytime = false;
  #originMs = Infinity;
  /** So much later an exchange is listed than one that began after it, ms. */
  #listedLateMs = 0;
  /** By its place among all exchanges: what the files contain once more. */
  readonly #repeated = new Set<number>();

  /** @param edition which requests have the form of a call */
  constructor(
    files: readonly TrafficFile[],
    edition: Edition = 'document',
    settings: TrafficSettings = { clockSkewMs: 0 },
  ) {
    this.#files = files;
    this.#edition = edition;
    this.#clocks = files.length > 1 && settings.clockSkewMs !== 0 ? new Clocks() : null;
    this.summary = this.#look(settings);
  }

  /** What is left out cannot be judged, and may have had an effect. */
  get isWhole(): boolean {
    return !this.#missesAnytime && !this.summary.hasOtherCalls;
  }

  /** The same, ms of the history. */
  get gaps(): readonly Interval[] {
    const { widenedMs } = this.summary;
    const originMs = this.#originMs - widenedMs;
    return this.missing.map(({ fromMs, byMs }) => ({
      fromMs: fromMs - widenedMs - originMs,
      byMs: byMs + widenedMs - originMs,
    }));
  }

  /**
   * @param run the first event, which says how the calls are judged
   * @param heldMax how many characters of calls are held before jobs are over (`TrafficHistory`)
   */
  *events(run: RunEvent, heldMax?: number): Generator<HistoryEvent> {
    const { widenedMs } = this.summary;
    const order = new InOrder(this.#listedLateMs + widenedMs);
    const history = new TrafficHistory(this.#originMs - widenedMs, heldMax);
    yield run;
    for (const call of this.calls()) {
      order.add(withHeldBodies(call));
      for (const edge of order.ready()) yield* history.take(edge);
    }
    for (const edge of order.rest()) yield* history.take(edge);
    yield* history.finish();
  }

  /** The calls that are judged, and those of webhooks, in the order of the files. */
  *calls(): Generator<Exchange> {
    for (const { exchange, file } of this.#exchanges()) {
      if (exchange instanceof Unreadable) continue;
      if (exchange.webhook !== undefined) {
        if (this.summary.webhooks && exchange.byMs !== null) yield exchange;
        continue;
      }
      const call = this.#callOf(exchange);
      if (typeof call !== 'string') yield this.#clocks?.byOneClock(call, file) ?? call;
    }
  }

  /** Calls of these endpoints, also those that are not judged, and those of webhooks: what their clients did. */
  *clientCalls(): Generator<{ readonly exchange: Exchange; readonly file: number }> {
    const { endpoints } = this.summary;
    for (const { exchange, file } of this.#exchanges())
      if (
        !(exchange instanceof Unreadable) &&
        (exchange.webhook ?? endpoints.get(exchange.names?.base ?? '')) !== undefined
      )
        yield { exchange, file };
  }

  #look({ clockSkewMs, endpoints: stated = [] }: TrafficSettings): TrafficSummary {
    const endpoints = new Map<string, string>();
    const asked = new Map<string, number>();
    const digests = new Set<string | null>();
    const elsewhere = new Set<unknown>();
    const unreadable: Unreadable[] = [];
    const found = {
      foreign: 0,
      unreadableMore: 0,
      cutBodies: 0,
      endless: 0,
      webhooks: false,
      movesClock: false,
    };
    const byBase = new Map<string, Record<'calls' | 'unauthorized' | 'bodiless', number>>();
    const answered = new Map<string, Set<Operation>>();
    const repetitions = new Repetitions((during) => this.missing.push(during));
    for (const { exchange, file } of this.#exchanges(repetitions)) {
      if (exchange instanceof Unreadable) {
        if (exchange.during === null) this.#missesAnytime = true;
        else this.missing.push(exchange.during);
        if (unreadable.length < UNREADABLE_TOLD_MAX) unreadable.push(exchange);
        else found.unreadableMore += 1;
        continue;
      }
      const isOfWebhook = exchange.webhook !== undefined;
      if (exchange.isWebhookSeen === true || isOfWebhook) found.webhooks = this.#clocks === null;
      if (isOfWebhook) digests.add(exchange.digests ?? null);
      if (isOfWebhook) continue;
      if (!isCall(exchange)) {
        found.foreign += 1;
        found.movesClock ||= movesClock(exchange);
        if (mayBePerformed(exchange))
          this.missing.push({ fromMs: exchange.fromMs, byMs: exchange.byMs ?? Infinity });
        // Reading changes nothing.
        if (exchange.request.method !== 'GET' && isAnsweredByEndpoint(exchange))
          elsewhere.add(idIn(exchange));
        continue;
      }
      const { base, operation } = exchange.names;
      this.#clocks?.see(exchange, file);
      digests.add(exchange.digests ?? null);
      found.cutBodies += exchange.cutBodies ?? 0;
      if (answerOf(exchange) !== null && exchange.byMs === null) found.endless += 1;
      this.#originMs = Math.min(this.#originMs, exchange.fromMs);
      asked.set(base, (asked.get(base) ?? 0) + 1);
      const isStated = stated.includes(base);
      if (!endpoints.has(base) && (isStated || isAnsweredByEndpoint(exchange)))
        endpoints.set(base, nameOf(base, endpoints));
      const counts = byBase.get(base) ?? { calls: 0, unauthorized: 0, bodiless: 0 };
      byBase.set(base, counts);
      counts[leftOut(exchange) ?? 'calls'] += 1;
      if (endpoints.size === 0 && isAnsweredInJson(exchange))
        answered.set(base, (answered.get(base) ?? new Set()).add(operation));
    }
    const presumed = endpoints.size > 0 ? [] : [...answered].filter(looksLikeEndpoint).map(([base]) => base);
    for (const base of presumed) endpoints.set(base, nameOf(base, endpoints));
    this.#clocks?.settle(clockSkewMs ?? null, CLOCK_SKEW_MS);
    const { joined, hasOtherCalls } = this.#compare(endpoints, elsewhere, [...asked.keys()]);
    const unanswered = new Map([...asked].filter(([base]) => !endpoints.has(base)));
    const refused = new Set(
      [...byBase].flatMap(([base, { calls, bodiless }]) => (calls + bodiless === 0 ? [base] : [])),
    );
    const ofEndpoints = [...byBase].flatMap(([base, counts]) => (endpoints.has(base) ? [counts] : []));
    const sum = (what: 'calls' | 'unauthorized' | 'bodiless'): number =>
      ofEndpoints.reduce((all, counts) => all + counts[what], 0);
    return {
      ...{ endpoints, presumed, joined, hasOtherCalls, unanswered, refused, unreadable, digests },
      ...found,
      repeated: this.#repeated.size,
      calls: sum('calls'),
      unauthorized: sum('unauthorized'),
      bodiless: sum('bodiless'),
      skews: this.#clocks?.skews ?? [],
      clockSkewMs: this.#clocks?.mostMs ?? 0,
      widenedMs: this.#clocks?.widestMs ?? 0,
    };
  }

  /** Gives addresses of one endpoint one name. Reads the files once more, only if there are several. */
  #compare(
    endpoints: Map<string, string>,
    elsewhere: ReadonlySet<unknown>,
    asked: readonly string[],
  ): Pick<TrafficSummary, 'joined' | 'hasOtherCalls'> {
    if (asked.length <= 1 && elsewhere.size === 0) return { joined: [], hasOtherCalls: false };
    const addresses = new Addresses();
    for (const { exchange } of this.#exchanges())
      if (!(exchange instanceof Unreadable) && isCall(exchange)) addresses.see(exchange);
    const { joined } = addresses;
    for (const [first, ...others] of joined)
      for (const other of others) endpoints.set(other, endpoints.get(first!)!);
    const hasOtherCalls =
      addresses.areDoubtful(endpoints, asked) || [...elsewhere].some((id) => addresses.knows(id as string));
    return { joined, hasOtherCalls };
  }

  /**
   * Of all files, in the order of their begins as far as each file is in that order.
   *
   * @param repetitions of the first reading, which finds them
   */
  *#exchanges(repetitions?: Repetitions): Generator<Listed> {
    let latestMs = -Infinity;
    let place = 0;
    const open = this.#files.map((of, file) => {
      const rest = exchangesOf(of, this.#edition);
      return { file, rest, next: rest.next() };
    });
    for (;;) {
      let first: (typeof open)[number] | null = null;
      for (const file of open)
        if (
          file.next.done !== true &&
          (first === null || beginOf(file.next.value) < beginOf(first.next.value!))
        )
          first = file;
      if (first === null) return;
      const { file } = first;
      const exchange = first.next.value!;
      const unreadable = (why: string): Listed => ({
        exchange: new Unreadable(String(exchange.id), why),
        file,
      });
      first.next = first.rest.next();
      place += 1;
      if (exchange instanceof Unreadable) {
        yield { exchange, file };
        continue;
      }
      const { fromMs, byMs } = exchange;
      if (byMs !== null && byMs < fromMs) yield unreadable('it ends before it begins');
      else if (fromMs < latestMs - LISTED_LATE_MS)
        yield unreadable('it began more than 20 minutes before what precedes it');
      else if (repetitions?.has(exchange) === true) this.#repeated.add(place);
      else if (!this.#repeated.has(place)) {
        latestMs = Math.max(latestMs, fromMs);
        this.#listedLateMs = Math.max(this.#listedLateMs, latestMs - fromMs);
        yield { exchange, file };
      }
    }
  }

  /** Or why it is none. */
  #callOf(exchange: Exchange): ApiExchange | string {
    if (!isCall(exchange)) return 'foreign';
    const endpoint = this.summary.endpoints.get(exchange.names.base);
    if (endpoint === undefined) return 'foreign';
    const isWebhookSeen = this.summary.webhooks && exchange.isWebhookSeen === true;
    return leftOut(exchange) ?? { ...exchange, endpoint, isWebhookSeen };
  }
}

/** What a file lists, and which file it is. */
interface Listed {
  readonly exchange: Exchange | Unreadable;
  readonly file: number;
}
