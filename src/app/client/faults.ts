/** Which call of a client meets which fault of the weather. */
import type { FaultEffect, WeatherFault } from '../../client/weather/weather.js';
import type { Operation } from '../../spec/index.js';

/**
 * The fault of the next call; null: none. It counts the calls that it is asked about.
 *
 * @param operation null: no operation of section 4, to which faults of all operations apply as well
 */
export type NextFault = (operation: Operation | null, nowMs: number) => FaultEffect | null;

export function faultsOf(faults: readonly WeatherFault[]): NextFault {
  const states = faults.map((fault) => ({ fault, seen: 0, firstMs: null as number | null }));
  return (operation, nowMs) => {
    let effect: FaultEffect | null = null;
    for (const state of states) {
      const { on, from = 1, calls = Infinity, forMs = Infinity, does } = state.fault;
      if (operation === null ? !on.includes('health') : !on.includes(operation)) continue;
      state.seen += 1;
      if (state.seen < from) continue;
      state.firstMs ??= nowMs;
      if (state.seen >= from + calls || nowMs - state.firstMs >= forMs) continue;
      effect ??= does;
    }
    return effect;
  };
}

/** What it does to a call, in words. */
export function faultText(effect: FaultEffect): string {
  switch (effect.kind) {
    case 'status': {
      const after = effect.retryAfterS === undefined ? '' : ` with Retry-After: ${effect.retryAfterS}`;
      return `answered ${effect.status}${after}${effect.edge === true ? ' by a gateway' : ''}`;
    }
    case 'request-lost':
      return 'the connection was reset before the call was handled';
    case 'reply-lost':
      return 'handled, and its reply was lost';
    case 'half-reply':
      return 'the reply ended in its middle';
    case 'late':
      return `the reply came ${effect.ms / 1_000} s late`;
    case 'slow':
      return `the reply took ${effect.ms / 1_000} s to arrive`;
    case 'closed-after':
      return 'the connection was closed after the reply';
  }
}
