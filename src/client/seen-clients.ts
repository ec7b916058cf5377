/**
 * Tells the clients of recorded traffic apart, and judges each by what was seen of it. Calls are judged some thousand at a time, so
 * that memory does not grow with the recording: a violation that begins in one part and ends in the next may be missed.
 */
import type { Body } from '../history/events.js';
import type { Exchange } from '../history/exchange.js';
import type { Edition } from '../spec/index.js';
import { getOrMake } from '../util/maps.js';
import { judgeSeen, type SeenVerdict, type Sight } from './judge.js';
import type { ClientRule } from './rule.js';
import { acceptedId } from './rules/calls.js';
import { deliveryOf, heldOf, seenCall } from './seen-call.js';
import type { SeenSession, WebhookDelivery } from './session.js';

export interface SeenSettings {
  readonly edition: Edition;
  /** The header field by which the user tells processes apart, in lower case. Absent: only a recorder may have been told one. */
  readonly by?: string | undefined;
  /** Whether calls may be missing between the first and the last; `perhaps`: only the recorder may say. */
  readonly isWhole: Sight['isWhole'];
  /** False: the clocks of files may differ. Default true. */
  readonly isOneClock?: boolean;
}

/** What was seen of a client. */
export interface SeenClient {
  /** By which it is told apart: the name that the user gives it, or its program, machine and key. */
  readonly name: string;
  readonly calls: number;
  /** Jobs that it has created. */
  readonly jobs: number;
  readonly verdicts: readonly ClientVerdict[];
}

interface ClientVerdict {
  readonly rule: ClientRule;
  readonly state: SeenVerdict['state'];
  /** Why it is open. */
  readonly why: string | null;
  /** How often it was violated. */
  readonly times: number;
  /** The first few violations, with the names of their calls in the recording. */
  readonly violations: readonly { readonly text: string; readonly calls: readonly Exchange['id'][] }[];
}

const CALLS_MAX = 1_000;
const CHARACTERS_MAX = 8_000_000;
/** All clients together may hold so many calls. */
const HELD_MAX = 20_000;
const CLIENTS_MAX = 200;
/** Jobs whose webhooks are awaited. */
const OWNERS_MAX = 20_000;
const VIOLATIONS_MAX = 3;
const CALLS_SHOWN_MAX = 5;

interface Held {
  readonly exchange: Exchange<Body>;
  /** Who made it, or the connection, which belongs to one; null: not known. */
  readonly sender: string | null;
}

export class SeenClients {
  readonly #settings: SeenSettings;
  readonly #clients = new Map<string, OneClient>();
  /** By job: who has submitted it. */
  readonly #owners = new Map<string, OneClient>();
  readonly #clock = new Precision();
  /** Set once calls were missed. */
  #isCut = false;
  /** A recorder that tells clients apart says where calls are missing. */
  #areAllTold = true;
  #lastMs = 0;
  #held = 0;

  constructor(settings: SeenSettings) {
    this.#settings = settings;
  }

  /** @param file whose clock the call was recorded by */
  take(exchange: Exchange, file = 0): void {
    this.#lastMs = Math.max(this.#lastMs, exchange.byMs ?? exchange.fromMs);
    if (exchange.webhook !== undefined) return this.#takeWebhook(exchange);
    const { names, request } = exchange;
    // By HEAD programs ask whether something is there: HTTP has it wherever it has GET.
    if (names === null || request.method === 'HEAD') return;
    this.#clock.see(exchange, file);
    const { client: caller } = exchange;
    if (caller === undefined) this.#areAllTold = false;
    const given = caller?.name ?? request.headers[this.#settings.by ?? ''];
    const sender = given ?? caller?.connection ?? null;
    const name = given?.slice(0, NAME_CHARACTERS_MAX) ?? nameOf(exchange);
    if (!this.#clients.has(name) && this.#clients.size >= CLIENTS_MAX) return;
    const client = getOrMake(this.#clients, name, () => new OneClient(name));
    const held = heldOf(exchange);
    client.add({ exchange: held, sender: sender === null ? null : `${file} ${sender}` });
    const job = acceptedId(seenCall(held, 0, 0, 0));
    if (job !== null) this.#owners.set(job, client);
    if (this.#owners.size > OWNERS_MAX) this.#owners.delete(this.#owners.keys().next().value!);
    this.#held += 1;
    if (client.isFull) this.#settle(client);
    else if (this.#held > HELD_MAX)
      this.#settle([...this.#clients.values()].reduce((most, one) => (one.held > most.held ? one : most)));
  }

  /** Calls of any client were missed. */
  miss(): void {
    this.#isCut = true;
  }

  /** In the order in which they were seen first. */
  get found(): readonly SeenClient[] {
    return [...this.#clients.values()].map((client) =>
      client.found(this.#sight, this.#settings.edition, this.#lastMs),
    );
  }

  get #sight(): Omit<Sight, 'processOf'> {
    const { isOneClock = true, isWhole: said } = this.#settings;
    return {
      isExact: isOneClock && this.#clock.isExact(this.#areAllTold),
      isWhole: this.#isCut ? 'no' : said === 'perhaps' && this.#areAllTold ? 'yes' : said,
    };
  }

  #settle(client: OneClient): void {
    this.#held -= client.held;
    client.settle(this.#sight, this.#settings.edition, this.#lastMs);
  }

  #takeWebhook(exchange: Exchange): void {
    const delivery = deliveryOf(exchange);
    if (delivery !== null) this.#owners.get(delivery.job)?.webhooks.push(delivery);
  }
}

const UNKNOWN = 'a client without a name';
const NAME_CHARACTERS_MAX = 60;

/** `python-requests/2.32.3, 10.0.0.4, key 3fa91c`. */
function nameOf({ client, request }: Exchange): string {
  const agent = request.headers['user-agent']?.slice(0, NAME_CHARACTERS_MAX);
  const key = client === undefined || client.key === null ? undefined : `key ${client.key}`;
  return [agent, client?.address, key].filter((part) => part !== undefined).join(', ') || UNKNOWN;
}

interface Sum extends Pick<SeenClient, 'calls' | 'jobs'> {
  /** By rule. */
  readonly verdicts: ReadonlyMap<string, ClientVerdict>;
}

class OneClient {
  readonly webhooks: Omit<WebhookDelivery, 'number'>[] = [];
  readonly #name: string;
  #calls: Held[] = [];
  #characters = 0;
  #sum: Sum = { calls: 0, jobs: 0, verdicts: new Map() };

  constructor(name: string) {
    this.#name = name;
  }

  get held(): number {
    return this.#calls.length;
  }

  get isFull(): boolean {
    return this.#calls.length >= CALLS_MAX || this.#characters > CHARACTERS_MAX;
  }

  add(held: Held): void {
    this.#calls.push(held);
    const { body } = held.exchange.request;
    this.#characters += body?.as === 'json' ? body.bytes : 0;
  }

  settle(sight: Omit<Sight, 'processOf'>, edition: Edition, lastMs: number): void {
    this.#sum = this.#with(sight, edition, lastMs);
    this.#calls = [];
    this.#characters = 0;
    this.webhooks.length = 0;
  }

  found(sight: Omit<Sight, 'processOf'>, edition: Edition, lastMs: number): SeenClient {
    const { verdicts, ...counts } = this.#with(sight, edition, lastMs);
    return { name: this.#name, ...counts, verdicts: [...verdicts.values()] };
  }

  /** What was settled, with what is held. */
  #with(known: Omit<Sight, 'processOf'>, edition: Edition, lastMs: number): Sum {
    const held = [...this.#calls].sort((one, other) => one.exchange.fromMs - other.exchange.fromMs);
    const processes = new Map<string, number>();
    const calls = held.map(({ exchange, sender }, at) => {
      const number = sender === null ? 0 : getOrMake(processes, sender, () => processes.size + 1);
      return seenCall(exchange, at + 1, number, lastMs);
    });
    const session: SeenSession = {
      ...{ weather: null, edition, calls, jobs: null, jobsWhenClear: null, patienceMs: null, printed: null },
      webhooks: this.webhooks.map((delivery, at) => ({ number: at + 1, ...delivery })),
      end: { kind: 'attached', atMs: lastMs },
      machineLags: [],
    };
    const processOf: Sight['processOf'] = ({ connection }) => (connection === 0 ? null : String(connection));
    const verdicts = new Map(this.#sum.verdicts);
    for (const verdict of judgeSeen(session, { ...known, processOf })) {
      const { id } = verdict.rule;
      const idOf = (call: number): Exchange['id'] => held[call - 1]!.exchange.id;
      verdicts.set(id, joined(verdicts.get(id), verdict, idOf));
    }
    return {
      calls: this.#sum.calls + calls.length,
      jobs: this.#sum.jobs + calls.filter((call) => acceptedId(call) !== null).length,
      verdicts,
    };
  }
}

/** What two parts say of a rule. */
function joined(
  before: ClientVerdict | undefined,
  verdict: SeenVerdict,
  idOf: (call: number) => Exchange['id'],
): ClientVerdict {
  const { rule, state } = verdict;
  const found = verdict.state === 'violated' ? verdict.violations : [];
  const own: ClientVerdict = {
    ...{ rule, state, why: verdict.state === 'open' ? verdict.why : null, times: found.length },
    violations: found
      .slice(0, VIOLATIONS_MAX)
      .map(({ text, calls }) => ({ text, calls: calls.slice(0, CALLS_SHOWN_MAX).map(idOf) })),
  };
  if (before === undefined) return own;
  const rank = ({ state }: ClientVerdict): number => ['open', 'kept', 'violated'].indexOf(state);
  return {
    ...(rank(before) >= rank(own) ? before : own),
    times: before.times + own.times,
    violations: [...before.violations, ...own.violations].slice(0, VIOLATIONS_MAX),
  };
}

/** So many calls tell in which unit a clock counts. */
const INSTANTS_MIN = 5;
const INSTANTS_MAX = 200;
const EXACT_MS = 5;

/** How exact the times of a recording are, as they show it. */
class Precision {
  /** By file: when its first call began, how many began at another time, and what all distances are multiples of. */
  readonly #files = new Map<number, { readonly firstMs: number; seen: number; unitMs: number }>();
  #isEndless = false;

  see({ fromMs, byMs, outcome }: Exchange, file: number): void {
    if (byMs === null && outcome.kind === 'answer') this.#isEndless = true;
    const of = getOrMake(this.#files, file, () => ({ firstMs: fromMs, seen: 0, unitMs: 0 }));
    if (fromMs === of.firstMs || of.seen > INSTANTS_MAX) return;
    of.seen += 1;
    of.unitMs = commonDivisor(of.unitMs, Math.abs(Math.round(fromMs - of.firstMs)));
  }

  /** @param isOwn whether all of it is of the proxy, which shows ms */
  isExact(isOwn: boolean): boolean {
    if (this.#isEndless) return false;
    return [...this.#files.values()].every(
      ({ seen, unitMs }) => (isOwn || seen >= INSTANTS_MIN) && seen > 0 && unitMs <= EXACT_MS,
    );
  }
}

function commonDivisor(one: number, other: number): number {
  let [a, b] = [one, other];
  while (b !== 0) [a, b] = [b, a % b];
  return a;
}
