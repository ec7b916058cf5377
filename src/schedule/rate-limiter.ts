import type { Script } from '../scenario/script.js';
import { callsOf } from '../scenario/step-effects.js';
import { RATES } from '../spec/rates.js';
import type { Operation } from '../spec/types.js';
import { Pace, type PacedCall } from './pace.js';

/** The share of a documented limit that ordinary scripts may use; very small limits are used completely. */
const SHARE = 0.8;
const USED_COMPLETELY_MAX = 2;
/** Added to the window: network delay may bring two calls closer together or further apart. */
const WINDOW_SLACK_MS = 1_000;
/** Of an operation with so few calls, others may have made those that are missing. */
const SCARCE_REQUESTS_MAX = 10;

interface Meter {
  /** When calls within the window were made, oldest first. */
  readonly times: number[];
  open: number;
}

/**
 * Delays calls so that all scripts of a run together stay below the rate limits of section 8 on an endpoint that they
 * share. A 429 by accident would prevent the situation that a scenario tests.
 */
export class ClientRateLimiter {
  readonly #nowMs: () => number;
  readonly #meters = new Map<Operation, Meter>();
  readonly #pace: Pace;

  /**
   * @param secondMs a second of real time on its clock
   * @param callsPerSecond at most so many, of whatever operations
   */
  constructor(nowMs: () => number, { secondMs = 1_000, callsPerSecond = Infinity } = {}) {
    this.#nowMs = nowMs;
    this.#pace = new Pace(nowMs, secondMs, callsPerSecond);
  }

  /** Calls in a second, where refusals beyond section 8 have made them fewer; else null. */
  get reducedTo(): number | null {
    return this.#pace.reducedTo;
  }

  /** Milliseconds until the rate allows another call, 0 for now; null where too many calls are open. */
  waitMs(op: Operation | null): number | null {
    const pacedMs = this.#pace.waitMs;
    const rate = op === null ? null : RATES[op];
    if (op === null || rate === null) return pacedMs;
    const meter = this.#meterOf(op);
    if (rate.concurrency !== null && meter.open >= allowed(rate.concurrency)) return null;
    const oldest = meter.times[meter.times.length - allowed(rate.requests)];
    if (oldest === undefined) return pacedMs;
    return Math.max(pacedMs, oldest + rate.windowMs + WINDOW_SLACK_MS - this.#nowMs());
  }

  /**
   * Counts a call that is sent now, whether or not it was allowed, and tells the time. `isLoad`: it belongs to a burst on
   * purpose.
   */
  begin(op: Operation | null, isLoad = false): number {
    const nowMs = this.#nowMs();
    this.#pace.begin(!isLoad);
    if (op === null) return nowMs;
    const meter = this.#meterOf(op);
    meter.open += 1;
    meter.times.push(nowMs);
    return nowMs;
  }

  end(op: Operation | null): void {
    if (op !== null) this.#meterOf(op).open -= 1;
  }

  /**
   * Tells how a call was answered that belongs to no burst on purpose; true where a refusal that no limit of section 8
   * explains makes calls fewer from now on.
   */
  answered(call: PacedCall): boolean {
    const { op } = call;
    const rate = op === null ? null : RATES[op];
    if (op === null || (rate?.requests ?? Infinity) <= SCARCE_REQUESTS_MAX) return false;
    return !(call.isRefused && this.#isUsedUp(op)) && this.#pace.answered(call);
  }

  /** By calls that were not held back, of scripts that exhaust the limit on purpose. */
  #isUsedUp(op: Operation): boolean {
    const rate = RATES[op];
    if (rate === null) return false;
    const { times, open } = this.#meterOf(op);
    return times.length > allowed(rate.requests) || open > allowed(rate.concurrency ?? Infinity);
  }

  /** Milliseconds until every call so far of these operations is out of its window. */
  quietInMs(ops: readonly Operation[]): number {
    const clearMs = ops.map((op) => {
      const rate = RATES[op];
      const newest = rate === null ? undefined : this.#meterOf(op).times.at(-1);
      return newest === undefined ? 0 : newest + (rate?.windowMs ?? 0) + WINDOW_SLACK_MS - this.#nowMs();
    });
    return Math.max(0, ...clearMs);
  }

  /** The share of the operation's limit that is used in the current window; above 1 where the limit is exceeded. */
  usedShare(op: Operation): number {
    const rate = RATES[op];
    return rate === null ? 0 : this.#meterOf(op).times.length / rate.requests;
  }

  #meterOf(op: Operation): Meter {
    let meter = this.#meters.get(op);
    if (!meter) this.#meters.set(op, (meter = { times: [], open: 0 }));
    const windowMs = (RATES[op]?.windowMs ?? 0) + WINDOW_SLACK_MS;
    const expired = this.#nowMs() - windowMs;
    let count = 0;
    while (count < meter.times.length && (meter.times[count] ?? 0) <= expired) count += 1;
    if (count > 0) meter.times.splice(0, count);
    return meter;
  }
}

/**
 * The operations whose limits a script exhausts on purpose. Such a script is marked as exclusive, and its calls must
 * not be held back: it would never see a 429.
 */
export function saturatedOperations(script: Script): readonly Operation[] {
  if (!script.exclusive) return [];
  const calls = new Map<Operation, number>();
  const atOnce = new Map<Operation, number>();
  for (const step of script.steps) {
    if (step.do === 'await') continue;
    const { op = null, count = 0 } = callsOf(step) ?? {};
    if (op === null) continue;
    calls.set(op, (calls.get(op) ?? 0) + count);
    atOnce.set(op, Math.max(atOnce.get(op) ?? 0, count));
  }
  return [...calls].flatMap(([op, count]) => {
    const rate = RATES[op];
    if (rate === null) return [];
    const exceedsConcurrency = rate.concurrency !== null && (atOnce.get(op) ?? 0) > allowed(rate.concurrency);
    return count > allowed(rate.requests) || exceedsConcurrency ? [op] : [];
  });
}

/**
 * When other scripts may call the operation again after calls at these times, in ascending order; null where these
 * calls leave enough of the limit at any time.
 */
export function clearAfterMs(op: Operation, times: readonly number[]): number | null {
  const rate = RATES[op];
  const counts = rate === null ? undefined : times[times.length - allowed(rate.requests)];
  return rate === null || counts === undefined ? null : counts + rate.windowMs + WINDOW_SLACK_MS;
}

function allowed(limit: number): number {
  return limit <= USED_COMPLETELY_MAX ? limit : Math.floor(limit * SHARE);
}
