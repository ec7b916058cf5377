import type { Script } from '../scenario/script.js';
import { RATES } from '../spec/rates.js';
import type { Operation } from '../spec/types.js';

/** The share of a documented limit that ordinary scripts may use up; very small limits are used whole. */
const SHARE = 0.8;
const USED_WHOLE_MAX = 2;
/** Added to the window, for what the way to the target may add or take away between two calls. */
const WINDOW_SLACK_MS = 1_000;

interface Meter {
  /** When calls were admitted, oldest first, as far as they still count. */
  readonly times: number[];
  open: number;
}

/**
 * Holds calls back so that all scripts of a run together stay below the rate limits of section 8 on an endpoint
 * that they share: a 429 that we bring about by accident spoils the situation a scenario wants.
 */
export class ClientRateLimiter {
  readonly #nowMs: () => number;
  readonly #meters = new Map<Operation, Meter>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Milliseconds until the operation may be called again as far as the rate goes; 0 for now; null: too many are open. */
  waitMs(op: Operation | null): number | null {
    const rate = op === null ? null : RATES[op];
    if (op === null || rate === null) return 0;
    const meter = this.#meterOf(op);
    if (rate.concurrency !== null && meter.open >= allowed(rate.concurrency)) return null;
    const oldest = meter.times[meter.times.length - allowed(rate.requests)];
    if (oldest === undefined) return 0;
    return Math.max(0, oldest + rate.windowMs + WINDOW_SLACK_MS - this.#nowMs());
  }

  /** Counts a call that is sent now, whether it was allowed or not. */
  begin(op: Operation | null): void {
    if (op === null) return;
    const meter = this.#meterOf(op);
    meter.open += 1;
    meter.times.push(this.#nowMs());
  }

  end(op: Operation | null): void {
    if (op !== null) this.#meterOf(op).open -= 1;
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

  /** The part of the operation's limit that calls so far have used up in the present window, from 0. */
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
 * The operations whose limits a script drives to their end on purpose. It wants the endpoint for itself then, and
 * would never see a 429 if it were held back.
 */
export function saturatedOperations(script: Script): readonly Operation[] {
  if (!script.exclusive) return [];
  const calls = new Map<Operation, number>();
  const atOnce = new Map<Operation, number>();
  for (const step of script.steps) {
    if (step.do === 'raw' || step.do === 'await' || step.do === 'workers' || step.do === 'pause') continue;
    const [op, count] = step.do === 'burst' ? [step.op, step.count] : [step.do, 1];
    calls.set(op, (calls.get(op) ?? 0) + count);
    atOnce.set(op, Math.max(atOnce.get(op) ?? 0, count));
  }
  return [...calls].flatMap(([op, count]) => {
    const rate = RATES[op];
    if (rate === null) return [];
    const crowds = rate.concurrency !== null && (atOnce.get(op) ?? 0) > allowed(rate.concurrency);
    return count > allowed(rate.requests) || crowds ? [op] : [];
  });
}

/**
 * When others may call the operation again after calls at these times, sorted; null when these leave enough to
 * others at any time.
 */
export function clearAfterMs(op: Operation, times: readonly number[]): number | null {
  const rate = RATES[op];
  const counts = rate === null ? undefined : times[times.length - allowed(rate.requests)];
  return rate === null || counts === undefined ? null : counts + rate.windowMs + WINDOW_SLACK_MS;
}

function allowed(limit: number): number {
  return limit <= USED_WHOLE_MAX ? limit : Math.floor(limit * SHARE);
}
