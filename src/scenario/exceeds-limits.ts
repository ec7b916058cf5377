import type { Limits } from './script.js';

/** A scenario's smallest wait, or what it needs of the endpoint, is more than the target can bear. */
export class ExceedsLimits extends Error {
  override readonly name = 'DoesNotFit';
}

/**
 * Says in `draw` that a scenario is for real time alone. Where the clock is virtual or controlled all calls come at one
 * instant, and the scenario `elsewhere` tells as much with fewer of them.
 *
 * @throws {ExceedsLimits}
 */
export function assertRealTime(limits: Limits, elsewhere: string): void {
  if (limits.preferredWaitMaxMs === undefined)
    throw new ExceedsLimits(`where all calls come at one instant ${elsewhere} tells it as well`);
}

/**
 * Says in `draw` that a scenario cannot do without a single wait of `ms`. Where the limits are narrower
 * (a live target under a short profile) the scenario is left out, with that reason.
 *
 * @throws {ExceedsLimits}
 */
export function assertWithinLimits(limits: Limits, ms: number): void {
  if (ms > limits.maxWaitMs) {
    throw new ExceedsLimits(`needs a wait of ${ms} ms, the profile allows ${limits.maxWaitMs} ms`);
  }
}
