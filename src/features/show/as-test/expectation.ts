/**
 * What the document allows in the place of what was seen. The judge is asked: what could have come instead is put into the
 * history and judged, so that no rule of the document stands here.
 */
import type { CallEvent, HistoryEvent, Json, RunEvent, WebhookEvent } from '../../../history/events.js';
import type { Events } from '../../../oracle/proof/generalize.js';
import { returnedId } from '../../../report/calls/shell-script.js';
import { isObject } from '../../../util/json.js';
import {
  answerOf,
  changed,
  CODES,
  differences,
  foreign,
  mediaType,
  memberOf,
  typeOf,
  valueOf,
  withValue,
  type JsonType,
  type Message,
  type Way,
} from './message.js';
import { callsIn, faultsIn, groupsIn, hooksIn, replaced, type Recorded } from './recorded.js';
import { JOB_STATUSES } from '../../../spec/states.js';

/** A JSON value, or the id that the nth call returned. */
export type Value = { readonly json: Json } | { readonly idOf: number };

/** What must hold of it. */
export type Must =
  | { readonly is: 'among' | 'none-of'; readonly values: readonly Value[] }
  | { readonly is: 'between'; readonly least: number | null; readonly most: number | null }
  | { readonly is: 'of-type'; readonly type: JsonType }
  | { readonly is: 'absent' };

/**
 * What is looked at: of the nth call `answer` (the status of the job, `ok` if there is none, or the code of a refusal), `code`,
 * content `type`, a member of the body, or whether it is answered by an instant; the same of the nth webhook call at an address;
 * how many webhook calls an address has got by an instant; how many of the calls at once were answered like this (`tally`).
 */
export type Subject = { readonly hook?: string } & (
  | { readonly nth: number; readonly of: 'answer' | 'code' | 'type' | { readonly member: Way } }
  | { readonly nth: number; readonly of: 'answered'; readonly byMs: number }
  | { readonly nth: number; readonly of: 'tally'; readonly answer: string }
  | { readonly hook: string; readonly of: 'count'; readonly byMs: number }
);

export interface Check {
  readonly subject: Subject;
  readonly must: Must;
}

/** What was recorded, what a correct service does, and what tells the two apart. */
export interface Expected {
  readonly recorded: Recorded;
  readonly right: Events;
  readonly check: Check;
}

/** A check that fails on what was recorded, and holds on `right`; a reason in words if none is found. */
export function expectationOf(recorded: Recorded, right: Events): Check | string {
  const [seen, rightly] = [callsIn(recorded.own), callsIn(right)];
  const there = new Words(rightly, seen);
  const here = new Words(seen, rightly);
  const shown = seen.indexOf(recorded.shown);
  const target = (faults: readonly string[]): string | undefined =>
    faults.find((fault) => fault.startsWith(`${recorded.requirement} `)) ?? faults[0];
  const ofCall = (
    nth: number,
    base: Events,
    event: CallEvent,
    good: CallEvent,
    bad: CallEvent,
  ): Check | null => {
    const spot = new Spot(
      base,
      event,
      (message, afterMs) => withReply(event, message, afterMs),
      target,
      base === right ? rightly : seen,
    );
    return spot.check({ nth }, sentOf(good), sentOf(bad));
  };
  const group = groupsIn(seen).get(shown);
  if (group !== undefined)
    return (
      tallyCheck(
        right,
        rightly,
        seen.map((call) => here.translated(call)),
        group.first,
      ) ?? 'no answer of the many is wrong by itself'
    );
  const twins = seen.map((call, nth) => ({ nth, call, twin: rightly[nth] }));
  // First given what the server answered before, then given what a correct one would have.
  const first = twins[shown]!;
  if (first.twin !== undefined) {
    const { call, twin, nth } = first;
    const check = ofCall(nth, recorded.events, call, there.translated(twin), call);
    if (check !== null) return check;
  }
  const hook = hookCheck(recorded, right, there, target, seen);
  if (hook !== null) return hook;
  if (recorded.begin.workers === null) return 'it is not known how many workers the endpoint had';
  for (const { nth, call, twin } of [first, ...twins.filter((one) => one !== first)]) {
    const check = twin === undefined ? null : ofCall(nth, right, twin, twin, here.translated(call));
    if (check !== null) return check;
  }
  return 'no answer is wrong by itself';
}

/** How many calls that were made at once may be answered so. */
function tallyCheck(
  right: Events,
  rightly: readonly CallEvent[],
  seen: readonly CallEvent[],
  first: number,
): Check | null {
  const nths = [...groupsIn(seen)].flatMap(([nth, group]) => (group.first === first ? [nth] : []));
  const wordOf = (call: CallEvent | undefined): string => (call?.reply ? answerOf(call.reply) : 'none');
  const anyway = faultsIn(right);
  for (const answer of new Set([
    ...nths.map((nth) => wordOf(seen[nth])),
    ...nths.map((nth) => wordOf(rightly[nth])),
  ])) {
    const has = (calls: readonly CallEvent[], nth: number): boolean => wordOf(calls[nth]) === answer;
    const count = nths.filter((nth) => has(rightly, nth)).length;
    const isMore = nths.filter((nth) => has(seen, nth)).length > count;
    const others = nths.filter((nth) => has(seen, nth) === isMore && has(rightly, nth) !== isMore);
    const allows = (some: number): boolean => {
      const by = new Map(others.slice(0, some).map((nth) => [rightly[nth] as HistoryEvent, seen[nth]!]));
      const events = right.map((event) => {
        const other = by.get(event);
        return other === undefined
          ? event
          : withReply(
              event as CallEvent,
              other.reply,
              other.receivedMs === null ? null : other.receivedMs - other.sentMs,
            );
      });
      return [...faultsIn(events)].every((fault) => anyway.has(fault));
    };
    if (others.length === 0 || allows(others.length)) continue;
    const more = lastAllowed(0, others.length, allows);
    const must: Must = {
      is: 'between',
      least: isMore ? null : count - more,
      most: isMore ? count + more : null,
    };
    return { subject: { nth: first, of: 'tally', answer }, must };
  }
  return null;
}

/** Says what one history says with the ids of another. */
class Words {
  readonly #ids: readonly (readonly [string, string])[];

  constructor(from: readonly CallEvent[], to: readonly CallEvent[]) {
    this.#ids = from.flatMap((call, nth) => {
      const [then, now] = [returnedId(call), to[nth] === undefined ? null : returnedId(to[nth])];
      return then !== null && now !== null && then.length >= 8 ? [[then, now] as const] : [];
    });
  }

  translated<T extends HistoryEvent>(event: T): T {
    let text = JSON.stringify(event);
    for (const [then, now] of this.#ids) text = text.replaceAll(then, now);
    return JSON.parse(text) as T;
  }
}

/** A reply and how long it took; null: there was none. */
interface Sent {
  readonly message: Message | null;
  readonly afterMs: number | null;
}

const sentOf = ({ reply, sentMs, receivedMs }: CallEvent): Sent => ({
  message: reply,
  afterMs: receivedMs === null ? null : receivedMs - sentMs,
});

const withReply = (event: CallEvent, message: Message | null, afterMs: number | null): CallEvent => ({
  ...event,
  reply: message === null ? null : { ...event.reply, ...message },
  receivedMs: message === null || afterMs === null ? null : event.sentMs + afterMs,
  lost: message === null ? (event.lost ?? 'timeout') : null,
});

type Put = (message: Message | null, afterMs: number | null) => HistoryEvent;

/** One place of a history, in which something else could stand. */
class Spot {
  readonly #events: Events;
  readonly #event: HistoryEvent;
  readonly #put: Put;
  readonly #target: (faults: readonly string[]) => string | undefined;
  readonly #calls: readonly CallEvent[];
  /** What is wrong with what was seen alone. */
  #wrong = '';
  /** What is wrong even if the place is right. */
  #anyway: ReadonlySet<string> = new Set();

  constructor(
    events: Events,
    event: HistoryEvent,
    put: Put,
    target: (faults: readonly string[]) => string | undefined,
    calls: readonly CallEvent[],
  ) {
    this.#events = events;
    this.#event = event;
    this.#put = put;
    this.#target = target;
    this.#calls = calls;
  }

  #faults({ message, afterMs }: Sent): ReadonlySet<string> {
    const by = this.#put(message, afterMs);
    const untilMs = by.kind === 'call' ? (by.receivedMs ?? 0) : 0;
    return faultsIn(
      replaced(this.#events, this.#event, by).map((event) =>
        event.kind === 'script-end' ? { ...event, atMs: Math.max(event.atMs, untilMs) } : event,
      ),
    );
  }

  /** Whether this is right, as far as the place itself goes. */
  #allows(sent: Sent): boolean {
    return [...this.#faults(sent)].every((fault) => this.#anyway.has(fault));
  }

  /** Whether nothing but what is wrong anyway is left once this stands there; then that is what further trials are held to. */
  #mends(sent: Sent): boolean {
    const faults = this.#faults(sent);
    if (faults.has(this.#wrong)) return false;
    this.#anyway = faults;
    return true;
  }

  check(where: { readonly nth: number; readonly hook?: string }, good: Sent, bad: Sent): Check | null {
    const [rightly, wrongly] = [this.#faults(good), this.#faults(bad)];
    const wrong = this.#target([...wrongly].filter((fault) => !rightly.has(fault)));
    if (wrong === undefined) return null;
    this.#wrong = wrong;
    this.#anyway = rightly;
    const late = this.#timeCheck(where, good, bad);
    if (late !== null || good.message === null || bad.message === null) return late;
    const { afterMs } = this.#mends({ ...bad, message: good.message }) ? bad : good;
    const found = this.#contentCheck(good.message, bad.message, (message) => ({ message, afterMs }));
    return found === null ? null : { subject: { ...where, of: found[0] }, must: found[1] };
  }

  /** It came too early or too late, or not at all, whatever it said. */
  #timeCheck(where: { readonly nth: number; readonly hook?: string }, good: Sent, bad: Sent): Check | null {
    const event = this.#event;
    if (event.kind !== 'call' || good.afterMs === null || good.afterMs === bad.afterMs) return null;
    const inTime = { message: bad.message ?? good.message, afterMs: good.afterMs };
    if (!this.#mends(inTime)) return null;
    const beganMs = event.sentMs;
    const subject = (byMs: number): Subject => ({ ...where, of: 'answered', byMs: beganMs + byMs });
    const isEarly = bad.afterMs !== null && bad.afterMs < good.afterMs;
    if (isEarly) return { subject: subject(bad.afterMs), must: only(false) };
    const allows = (afterMs: number): boolean => this.#allows({ ...inTime, afterMs });
    const latestMs = lastAllowed(good.afterMs, bad.afterMs ?? good.afterMs + LATEST_MS, allows);
    return { subject: subject(latestMs), must: only(true) };
  }

  #contentCheck(
    good: Message,
    bad: Message,
    at: (message: Message) => Sent,
  ): readonly [OfMessage, Must] | null {
    const allows = (message: Message): boolean => this.#allows(at(message));
    const mends = (message: Message): boolean => this.#mends(at(message));
    if (answerOf(good) !== answerOf(bad)) {
      const must = answers(good, bad, allows);
      if (must !== null) return ['answer', must];
    }
    if (good.status !== bad.status && mends({ ...bad, status: good.status }))
      return ['code', only(good.status)];
    const { contentType, headers } = good;
    if (mediaType(good) !== mediaType(bad) && mends({ ...bad, contentType, headers }))
      return ['type', only(mediaType(good))];
    const [from, to] = [valueOf(bad), valueOf(good)];
    const put = (way: Way, value: Json | undefined): Message => withValue(bad, changed(from, way, value));
    const ways = differences(from, to);
    const together = ways.length < 2 ? [] : [commonOf(ways)];
    for (const way of [...ways, ...together]) {
      const value = memberOf(to, way);
      if (!mends(put(way, value))) continue;
      const must = this.#must(value, memberOf(from, way), (other) => allows(put(way, other)));
      return [{ member: way }, must];
    }
    return null;
  }

  #must(good: Json | undefined, bad: Json | undefined, allows: (value: Json) => boolean): Must {
    if (good === undefined) return { is: 'absent' };
    if (Number.isInteger(good) && typeof bad === 'number' && !Number.isInteger(bad))
      return { is: 'of-type', type: 'integer' };
    if (typeof good === 'number') {
      const least = allows(-FAR) ? null : -lastAllowed(-good, FAR, (value) => allows(-value));
      return { is: 'between', least, most: allows(FAR) ? null : lastAllowed(good, FAR, allows) };
    }
    if (JOB_STATUSES.some((status) => status === good))
      return among(JOB_STATUSES.filter((status) => status === good || allows(status)));
    if (!allows(foreign(good))) return { is: 'among', values: [this.#named(good)] };
    if (bad === undefined || typeOf(bad) !== typeOf(good)) return { is: 'of-type', type: typeOf(good) };
    return { is: 'none-of', values: [this.#named(bad)] };
  }

  #named(json: Json): Value {
    const nth = this.#calls.findIndex((call) => typeof json === 'string' && returnedId(call) === json);
    return nth < 0 ? { json } : { idOf: nth };
  }
}

type OfMessage = 'answer' | 'code' | 'type' | { readonly member: Way };

/** No reply takes longer, ms. */
const LATEST_MS = 600_000;
const FAR = 1e12;

/** The last integer from `from` on, before `to`, up to which all are allowed. */
function lastAllowed(from: number, to: number, allows: (value: number) => boolean): number {
  let [near, far] = [0, 1];
  while (from + far < to && allows(from + far)) [near, far] = [far, far * 2];
  far = Math.min(far, to - from);
  while (far - near > 1) {
    const middle = Math.floor((near + far) / 2);
    if (allows(from + middle)) near = middle;
    else far = middle;
  }
  return from + near;
}

const among = (values: readonly Json[]): Must => ({ is: 'among', values: values.map((json) => ({ json })) });
const only = (value: Json): Must => among([value]);

/** `4xx` and `5xx`: another code than those of section 7. */
const ANSWERS: readonly string[] = [...JOB_STATUSES, ...CODES.map(String), '4xx', '5xx'];

/** The answers that are allowed; those that are not, if they are fewer. */
function answers(good: Message, bad: Message, allows: (message: Message) => boolean): Must | null {
  const base = good.status < 300 ? good : bad;
  const right = answerOf(good);
  const allowed = [...new Set([right, ...ANSWERS])].filter(
    (answer) => answer === right || allows(saying(answer, base)),
  );
  if (allowed.includes(answerOf(bad))) return null;
  const others = ANSWERS.filter((answer) => !allowed.includes(answer));
  const isShorter = others.length < allowed.length && others.includes(answerOf(bad));
  return isShorter ? { is: 'none-of', values: others.map((json) => ({ json })) } : among(allowed);
}

function saying(answer: string, base: Message): Message {
  if (/^\d/.test(answer))
    return withValue({ ...base, status: Number(answer.replace('xx', '09')) }, { error: answer });
  const value = valueOf(base);
  return withValue(
    { ...base, status: 200 },
    { ...(isObject(value) ? (value as { [name: string]: Json }) : {}), status: answer },
  );
}

/** The member in which all of them are. */
function commonOf(ways: readonly Way[]): Way {
  const [first, ...others] = ways as [Way, ...Way[]];
  const end = first.findIndex((name, nth) => others.some((way) => way[nth] !== name));
  return end < 0 ? first : first.slice(0, end);
}

/** What is wrong with the webhook calls: one of them, or how many there are when. */
function hookCheck(
  recorded: Recorded,
  right: Events,
  words: Words,
  target: (faults: readonly string[]) => string | undefined,
  calls: readonly CallEvent[],
): Check | null {
  const [seen, rightly] = [hooksIn(recorded, recorded.own), hooksIn({ run: right[0] as RunEvent }, right)];
  const startMs = recorded.begin.atMs;
  for (const hook of new Set([...seen.keys(), ...rightly.keys()])) {
    const [some, others] = [seen.get(hook) ?? [], rightly.get(hook) ?? []];
    for (const [nth, event] of some.entries()) {
      const twin = others[nth];
      if (twin === undefined || twin.arrivedMs !== event.arrivedMs - startMs) break;
      const put: Put = (message) => ({ ...event, ...(message as unknown as WebhookEvent) });
      const spot = new Spot(recorded.events, event, put, target, calls);
      const check = spot.check({ nth, hook }, asSent(words.translated(twin)), asSent(event));
      if (check !== null) return check;
    }
    const [then, now] = [
      some.map(({ arrivedMs }) => arrivedMs - startMs),
      others.map(({ arrivedMs }) => arrivedMs),
    ];
    const byMs = differAt(then, now, recorded.endMs - startMs);
    if (byMs === null) continue;
    const count = now.filter((ms) => ms <= byMs).length;
    const isMore = then.filter((ms) => ms <= byMs).length > count;
    return {
      subject: { hook, of: 'count', byMs: startMs + byMs },
      must: { is: 'between', least: isMore ? null : count, most: isMore ? count : null },
    };
  }
  return null;
}

const asSent = ({ contentType, headers, body, method }: WebhookEvent): Sent => ({
  message: { status: 200, contentType, headers, body, method } as Message,
  afterMs: 0,
});

/** When the numbers of calls differ: as soon as there is one too many, or as long as one is missing. */
function differAt(then: readonly number[], now: readonly number[], endMs: number): number | null {
  const nth = then.findIndex((ms, index) => ms !== now[index]);
  if (nth < 0) return now.length > then.length ? endMs : null;
  const [had, due = Infinity] = [then[nth]!, now[nth]];
  return had < due ? had : had - 1;
}
