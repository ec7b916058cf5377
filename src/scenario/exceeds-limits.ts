import { exactDuration } from '../util/duration.js';
import { RunproofError } from '../util/runproof-error.js';
import type { Limits } from './script.js';

/** Of what a scenario needs more than a target has: `real-time` where it is for that alone. @public */
export type Lack = 'waits' | 'workers' | 'real-time';

/** A scenario needs a longer wait or more workers than the target's limits allow. */
export class ExceedsLimits extends RunproofError {
  override readonly name = 'DoesNotFit';
  readonly lack: Lack | null;

  constructor(message: string, lack: Lack | null = null) {
    super('limits', message);
    this.lack = lack;
  }
}

/**
 * Declares in `draw` that a scenario is for real time only. With a virtual or controlled clock all calls come
 * at one instant, and the scenario `elsewhere` decides the same with fewer calls.
 *
 * @throws {RunproofError} `limits`
 */
export function assertRealTime(limits: Limits, elsewhere: string): void {
  if (limits.preferredWaitMaxMs === undefined)
    throw new ExceedsLimits(`covered by ${elsewhere} where the clock stands still`, 'real-time');
}

/**
 * Declares in `draw` that a scenario needs a single wait of `ms`. Where the limits are lower (a live target
 * with a short profile) the scenario is left out, with that reason.
 *
 * @throws {RunproofError} `limits`
 *
 * @public
 */
export function assertWithinLimits(limits: Limits, ms: number): void {
  if (ms > limits.maxWaitMs) {
    throw new ExceedsLimits(
      `needs a wait of ${exactDuration(ms)}, the profile allows ${exactDuration(limits.maxWaitMs)}`,
      'waits',
    );
  }
}
