import type { Service } from '../core/api.js';
import { rulesFor } from '../core/rules.js';
import type { Dialect, Rules } from '../core/rules.js';
import { createService } from '../core/service.js';
import type { Edition } from '../spec/types.js';
import type { RandomStream } from '../time/random.js';
import { drawDelay } from './delay.js';
import type { Delay } from './delay.js';

/** Which service stands in a simulation. */
export interface SimulatedServiceOptions {
  readonly keys: readonly string[];
  /** Keys without permission for any endpoint. Default: none. */
  readonly unpermittedKeys?: readonly string[];
  /** Default `document`. */
  readonly edition?: Edition;
  /** How the open questions are read; those left out as by default. */
  readonly dialect?: Dialect;
  /** Instead of the rules of edition and dialect, e.g. with a known fault. */
  readonly rules?: Rules;
  /** How late its own deadlines strike, as a sweeper's that comes by now and then. They never strike early. */
  readonly timersLateMs?: Delay;
  /** How long a free worker and a waiting job take to find each other. */
  readonly dispatchMs?: Delay;
  /** How much longer than its endpoint says a worker takes to start, each for itself. */
  readonly coldStartsLateMs?: Delay;
}

/**
 * The service with its own lateness.
 * @param random asked for the stream at every draw, so that it can be changed under way
 */
export function createSimulatedService(
  options: SimulatedServiceOptions,
  random: () => RandomStream,
): Service {
  const given = options.rules ?? rulesFor(options.dialect ?? {}, options.edition ?? 'document');
  const rules = late(given, options, random);
  const { keys, unpermittedKeys = [] } = options;
  return createService({ keys, unpermittedKeys, rules });
}

function late(rules: Rules, options: SimulatedServiceOptions, random: () => RandomStream): Rules {
  const { timersLateMs = 0, dispatchMs = 0, coldStartsLateMs = 0 } = options;
  if (timersLateMs === 0 && dispatchMs === 0 && coldStartsLateMs === 0) return rules;
  return {
    ...rules,
    // How late a job is taken is the other delay's business.
    firesAtMs: (timer, dueMs) => {
      const atMs = rules.firesAtMs(timer, dueMs);
      return timer === 'dispatch' || !Number.isFinite(atMs) ? atMs : atMs + drawDelay(timersLateMs, random());
    },
    dispatchDelayMs: () => rules.dispatchDelayMs() + drawDelay(dispatchMs, random()),
    // Workers that are there from the beginning need no start.
    coldStartMs: (askedMs) =>
      rules.coldStartMs(askedMs) + (askedMs === 0 ? 0 : drawDelay(coldStartsLateMs, random())),
  };
}
