import type { Service } from '../core/api.js';
import { rulesFor } from '../core/rules.js';
import type { Dialect, Rules } from '../core/rules.js';
import { createService } from '../core/service.js';
import type { Edition } from '../spec/types.js';
import type { RandomStream } from '../time/random.js';
import { drawDelay } from './delay.js';
import type { Delay } from './delay.js';

/** The service that a simulation runs. @internal */
export interface SimulatedServiceOptions {
  readonly keys: readonly string[];
  /** Keys without permission for any endpoint. Default: none. */
  readonly unpermittedKeys?: readonly string[] | undefined;
  /** Default `document`. */
  readonly edition?: Edition | undefined;
  /** Readings of open questions. Default: those of the edition. */
  readonly dialect?: Dialect | undefined;
  /** Used instead of the rules of edition and dialect, for example with a known fault. */
  readonly rules?: Rules | undefined;
  /** How late its timers fire, as in a service that checks them periodically. They never fire early. */
  readonly timersLateMs?: Delay | undefined;
  /** How long it takes to assign a waiting job to a free worker. */
  readonly dispatchMs?: Delay | undefined;
  /** How much longer than configured each worker takes to start. */
  readonly coldStartsLateMs?: Delay | undefined;
}

/**
 * Makes the service of a simulation, with its delays.
 * @param random called for each draw, so that the stream can be replaced during the simulation
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
    // The delay of a dispatch is `dispatchMs`.
    firesAtMs: (timer, dueMs) => {
      const atMs = rules.firesAtMs(timer, dueMs);
      return timer === 'dispatch' || !Number.isFinite(atMs) ? atMs : atMs + drawDelay(timersLateMs, random());
    },
    dispatchDelayMs: () => rules.dispatchDelayMs() + drawDelay(dispatchMs, random()),
    // Workers without a cold start are there at once.
    coldStartMs: (askedMs) =>
      rules.coldStartMs(askedMs) + (askedMs === 0 ? 0 : drawDelay(coldStartsLateMs, random())),
  };
}
