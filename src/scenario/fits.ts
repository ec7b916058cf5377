import type { Limits } from './script.js';

/** A scenario's smallest wait, or what it needs of the endpoint, is more than the target can bear. */
export class DoesNotFit extends Error {
  override readonly name = 'DoesNotFit';
}

/**
 * Says in `draw` that a scenario cannot do without a single wait of `ms`. Where the limits are narrower
 * (a live target under a short profile) the scenario is left out, with that reason.
 *
 * @throws {DoesNotFit}
 */
export function fits(limits: Limits, ms: number): void {
  if (ms > limits.maxWaitMs) {
    throw new DoesNotFit(`needs a wait of ${ms} ms, the profile allows ${limits.maxWaitMs} ms`);
  }
}
