/**
 * Divides the history of recorded traffic into parts that can be judged each by itself, so that traffic of any length is
 * judged in bounded memory. A job is in one part with all its calls, from the first to the last; a purge is in the part of
 * each job that it may have removed.
 */
import type {
  Body,
  CallEvent,
  HistoryEvent,
  RunEvent,
  ScriptEndEvent,
  ScriptEvent,
  WebhookEvent,
} from '../history/events.js';
import { isObject } from '../util/json.js';
import { Gaps } from './gaps.js';
import type { Interval } from './instants.js';
import { Signs } from './signs.js';

/** The events of one script. */
interface Played {
  readonly begin: ScriptEvent;
  readonly calls: CallEvent[];
  readonly webhooks: WebhookEvent[];
}

interface Ended {
  readonly played: Played;
  readonly end: HistoryEvent;
}

/**
 * What jobs say of each other is judged within a part only: all traffic is divided by these, so that `judge` and the proxy come
 * to the same. More would tell little more, and take more memory.
 */
const PART_CALLS = 5_000;
/** Of the bodies in it, about. */
const PART_CHARACTERS = 16_000_000;

export class Parts {
  readonly #run: RunEvent;
  readonly #callsMax: number;
  readonly #gaps: Gaps;
  /** When calls were made that are not judged, and may have changed jobs. */
  readonly #changes = new Gaps();
  readonly #signs = new Signs();
  readonly #open = new Map<number, Played>();
  /** By the number of the script. */
  readonly #ended = new Map<number, Ended>();
  #endedCalls = 0;
  #endedCharacters = 0;
  /** Those that a job in a part to come may have met. */
  #purges: Ended[] = [];
  /** Such calls are under way since then, ms of the history; Infinity: none is. */
  changingFromMs = Infinity;

  /**
   * @param callsMax a part with so many calls is complete; smaller ones decide less
   * @param gaps when calls were made that are missing, ms of the history: an absence proves nothing of the jobs of that time
   */
  constructor(run: RunEvent, callsMax = PART_CALLS, gaps: readonly Interval[] = []) {
    this.#run = run;
    this.#callsMax = callsMax;
    this.#gaps = new Gaps(gaps);
  }

  *of(events: Iterable<HistoryEvent>): Generator<readonly HistoryEvent[]> {
    for (const event of events) {
      this.take(event);
      if (this.isComplete) yield this.part()!;
    }
    const rest = this.part();
    if (rest !== null) yield rest;
  }

  /** There are enough calls for a part. */
  get isComplete(): boolean {
    return this.#endedCalls >= this.#callsMax || this.#endedCharacters >= PART_CHARACTERS;
  }

  /**
   * These scripts as far as they have come, those of parts that are not complete too, with the purges that their jobs met. Of
   * long runs of reads that show the same status the middle is left out: a job that is polled for hours is judged again and
   * again. Reads change nothing, so what is left out can only leave something open until the script is over.
   *
   * @param underWay all calls that have begun and not ended
   * @param endOf how a script would end now
   * @returns null: there is nothing of them
   */
  soFar(
    scripts: Iterable<number>,
    underWay: readonly CallEvent[],
    endOf: (script: number) => ScriptEndEvent | null,
  ): readonly HistoryEvent[] | null {
    const of = (script: number): readonly Ended[] => {
      const ended = this.#ended.get(script);
      if (ended !== undefined) return [ended];
      const played = this.#open.get(script);
      const end = endOf(script);
      if (played === undefined || end === null) return [];
      const calls = [...thinned(played.calls), ...underWay.filter((call) => call.script === script)];
      return calls.length === 0 ? [] : [{ played: this.#marked({ ...played, calls }, end), end }];
    };
    const known = [...scripts].flatMap(of);
    if (known.length === 0) return null;
    const purging = underWay.filter(({ op }) => op === 'purge-queue').flatMap(({ script }) => of(script));
    return this.#historyOf([...known, ...this.#metBy(known), ...purging]);
  }

  /** Calls were made then that are missing, ms of the history; until Infinity: there still are some. */
  miss(during: Interval): void {
    this.#gaps.add(during);
  }

  /** A call that is over may have changed jobs then, and is not judged. */
  change(during: Interval): void {
    this.#changes.add(during);
  }

  take(event: HistoryEvent): void {
    if (event.kind === 'script') this.#open.set(event.script, { begin: event, calls: [], webhooks: [] });
    if (event.kind === 'call') {
      this.#open.get(event.script)!.calls.push(event);
      this.#signs.see(event);
    }
    if (event.kind === 'webhook') this.#open.get(event.script)!.webhooks.push(event);
    if (event.kind !== 'script-end') return;
    const played = this.#open.get(event.script)!;
    this.#open.delete(event.script);
    if (played.calls.length === 0) return;
    const ended = { played: this.#marked(played, event), end: event };
    if (played.calls.some(({ op }) => op === 'purge-queue')) this.#purges.push(ended);
    this.#ended.set(event.script, ended);
    this.#endedCalls += played.calls.length;
    for (const { request, reply } of played.calls)
      this.#endedCharacters += charactersOf(request.body) + charactersOf(reply?.body);
  }

  /** All scripts that have ended; null: none has. */
  part(): readonly HistoryEvent[] | null {
    const ended = [...this.#ended.values()];
    if (ended.length === 0) return null;
    const met = this.#metBy(ended);
    this.#ended.clear();
    this.#endedCalls = this.#endedCharacters = 0;
    const openFrom = Math.min(...[...this.#open.values()].map(firstTick));
    this.#purges = this.#purges.filter(({ played }) => lastTick(played) > openFrom);
    const part = this.#historyOf([...ended, ...met]);
    const openFromMs = Math.min(...[...this.#open.values()].map(({ begin }) => begin.atMs));
    this.#gaps.forget(openFromMs);
    this.#changes.forget(openFromMs);
    this.#signs.forget(openFromMs);
    return part;
  }

  #historyOf(scripts: readonly Ended[]): readonly HistoryEvent[] {
    const calls = scripts.flatMap(({ played }) => played.calls);
    const fromMs = Math.min(...scripts.map(({ played }) => played.begin.atMs));
    const signs = this.#signs.beside(calls, fromMs);
    return historyOf(signs.length === 0 ? this.#run : { ...this.#run, signs }, scripts);
  }

  /** Where calls are missing that were made while it lasted, it says so. */
  #marked(played: Played, { webhooksUntilMs = -Infinity }: ScriptEndEvent): Played {
    const { begin, calls, webhooks } = played;
    let byMs = webhooksUntilMs;
    for (const { sentMs, receivedMs, gaveUpMs } of calls)
      byMs = Math.max(byMs, receivedMs ?? gaveUpMs ?? sentMs);
    for (const { arrivedMs } of webhooks) byMs = Math.max(byMs, arrivedMs);
    const life = { fromMs: begin.atMs, byMs };
    const isWhole = byMs < this.changingFromMs && !this.#gaps.meet(life) && !this.#changes.meet(life);
    return isWhole ? played : { ...played, begin: { ...begin, mayMissCalls: true } };
  }

  /** The purges that are none of these scripts, and that their jobs met. */
  #metBy(scripts: readonly Ended[]): readonly Ended[] {
    const own = new Set(scripts.map(({ played }) => played));
    const fromTick = Math.min(...scripts.map(({ played }) => firstTick(played)));
    const toTick = Math.max(...scripts.map(({ played }) => lastTick(played)));
    const met = this.#purges.filter(
      ({ played }) => !own.has(played) && lastTick(played) > fromTick && firstTick(played) < toTick,
    );
    return met.map(({ played, end }) => ({
      played: { ...played, begin: { ...played.begin, isOfOtherPart: true } },
      end,
    }));
  }
}

/** Of a run of reads with the same status, so many of the first and of the last are kept. */
const FIRST_KEPT = 3;
const LAST_KEPT = 20;

function thinned(calls: readonly CallEvent[]): readonly CallEvent[] {
  if (calls.length <= FIRST_KEPT + LAST_KEPT) return calls;
  const shown = calls.map(shownStatus);
  const endOf = calls.map(() => 0);
  for (let at = calls.length - 1; at >= 0; at -= 1)
    endOf[at] = shown[at] !== null && shown[at] === shown[at + 1] ? endOf[at + 1]! : at;
  let from = 0;
  return calls.filter((_, at) => {
    if (at === 0 || shown[at] === null || shown[at] !== shown[at - 1]) from = at;
    return at - from < FIRST_KEPT || endOf[at]! - at < LAST_KEPT;
  });
}

/** What a read that changes nothing showed; null: it is another call, or showed none. */
function shownStatus({ op, request, reply }: CallEvent): string | null {
  if (op !== 'status' || request.query['ttl'] !== undefined || reply?.status !== 200) return null;
  const { body } = reply;
  const status = body.as === 'json' && isObject(body.value) ? body.value['status'] : null;
  return typeof status === 'string' ? status : null;
}

/** What a history keeps of a large body may be little. */
function charactersOf(body: Body | undefined): number {
  if (body === undefined || body.as === 'none') return 0;
  if (body.bytes < LARGE_BYTES) return body.bytes;
  return body.as === 'json' ? JSON.stringify(body.value).length : body.text.length;
}
const LARGE_BYTES = 10_000;

/** Of an open script whose first call has not ended, it is not known. */
const firstTick = ({ calls }: Played): number =>
  calls.length === 0 ? -Infinity : Math.min(...calls.map(({ sentTick }) => sentTick));

const lastTick = ({ calls }: Played): number =>
  Math.max(...calls.map(({ endedTick }) => endedTick ?? Infinity));

/** In the order in which a history has them; the positions of calls are counted anew, without gaps. */
function historyOf(run: RunEvent, scripts: readonly Ended[]): readonly HistoryEvent[] {
  const ticks = scripts
    .flatMap(({ played }) => played.calls.flatMap(({ sentTick, endedTick }) => [sentTick, endedTick ?? []]))
    .flat();
  const place = new Map(ticks.sort((left, right) => left - right).map((tick, index) => [tick, index]));
  const moved = (call: CallEvent): CallEvent => ({
    ...call,
    sentTick: place.get(call.sentTick)!,
    endedTick: call.endedTick === null ? null : place.get(call.endedTick)!,
  });
  const events = scripts.flatMap(({ played, end }) => [
    { at: firstTick(played), event: played.begin },
    ...played.calls.map((call) => ({ at: call.endedTick ?? Infinity, event: moved(call) })),
    // They have no position: all that counts is when they came.
    ...played.webhooks.map((event) => ({ at: lastTick(played), event })),
    { at: lastTick(played), event: end },
  ]);
  events.sort((left, right) => compare(left.at, right.at) || order(left.event) - order(right.event));
  return [run, ...events.map(({ event }) => event)];
}

/** Of events at one position. */
const order = ({ kind }: HistoryEvent): number => ['script', 'call', 'webhook', 'script-end'].indexOf(kind);

/** Infinity is equal to itself. */
const compare = (left: number, right: number): number => (left === right ? 0 : left < right ? -1 : 1);
