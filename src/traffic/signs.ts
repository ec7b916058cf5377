/**
 * Calls that tell when a service lived. A part of traffic has the calls on its own jobs only: that the service was lost, and may
 * have forgotten them, others may tell.
 */
import type { Body, CallEvent } from '../history/events.js';
import { isObject } from '../util/json.js';

/** What was answered so long before or after a loss tells when the service was lost, and when it came back, ms. */
const NEAR_MS = 300_000;
/** More add nothing. */
const SIGNS_MAX = 20_000;

export class Signs {
  /** In the order of their ends. */
  #calls: readonly CallEvent[] = [];
  /** Those since they were thinned out. */
  #added: CallEvent[] = [];
  #thinnedMs = -Infinity;

  /** A call that is over, in their order. */
  see(call: CallEvent): void {
    this.#added.push(signOf(call));
    const atMs = endMs(call);
    if (this.#added.length < SIGNS_MAX && atMs - this.#thinnedMs < NEAR_MS) return;
    this.#thinnedMs = atMs;
    this.#calls = thinned([...this.#calls, ...this.#added], atMs).slice(-SIGNS_MAX);
    this.#added = [];
  }

  /** Those since then, without the calls of a part, which tell it by themselves. Where none was lost, the last one says all. */
  beside(calls: readonly CallEvent[], fromMs: number): readonly CallEvent[] {
    const own = new Set(calls.map(({ call }) => call));
    const others = [...this.#calls, ...this.#added].filter(
      (one) => endMs(one) >= fromMs && !own.has(one.call),
    );
    if ([...calls, ...others].some(isLost)) return others;
    const latest = [...calls, ...others].reduce((one, other) => (other.sentMs > one.sentMs ? other : one));
    return own.has(latest.call) ? [] : [latest];
  }

  /** What was over by then is not asked for any more. */
  forget(ms: number): void {
    if (endMs(this.#calls[0]) < ms) this.#calls = this.#calls.filter((one) => endMs(one) >= ms);
  }
}

const isLost = ({ reply }: CallEvent): boolean => reply === null;

const endMs = (call: CallEvent | undefined): number =>
  call === undefined ? Infinity : (call.receivedMs ?? call.gaveUpMs ?? call.sentMs);

/** Losses, what is near to one, the last before it and the first after it; and what may be near to one that comes. */
function thinned(calls: readonly CallEvent[], nowMs: number): readonly CallEvent[] {
  const losses = calls.filter(isLost).map(endMs);
  let next = 0;
  return calls.filter((call, at) => {
    const atMs = endMs(call);
    while (next < losses.length && losses[next]! < atMs - NEAR_MS) next += 1;
    const isNear = next < losses.length && losses[next]! <= atMs + NEAR_MS;
    const isBeside = [calls[at - 1], calls[at + 1]].some((other) => other !== undefined && isLost(other));
    return isNear || isBeside || isLost(call) || atMs >= nowMs - NEAR_MS;
  });
}

/** What it asked for, whether it was answered, and of which job. */
function signOf(call: CallEvent): CallEvent {
  const { request, reply } = call;
  const { body } = request;
  const sent: Body = body.as === 'none' ? body : { as: 'text', text: '', bytes: body.bytes };
  return {
    ...call,
    request: { ...request, query: {}, body: sent },
    reply: reply && { status: reply.status, contentType: null, headers: {}, body: idIn(reply.body) },
  };
}

function idIn(body: Body): Body {
  const id = body.as === 'json' && isObject(body.value) ? body.value['id'] : undefined;
  return typeof id === 'string' ? { as: 'json', value: { id }, bytes: 0 } : { as: 'none' };
}
