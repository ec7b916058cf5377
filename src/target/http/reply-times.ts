import { ReplyLatencyEstimator, StallDetector } from './clock-steps.js';
import type { Control } from './control.js';
import type { RunClock } from './run-clock.js';

/** What the calls of a run tell of how quick the target is. */
export class ReplyTimes {
  readonly stalls: StallDetector;
  readonly replyLatency = new ReplyLatencyEstimator();
  /** Whether test control counts the calls that have arrived; false once it did not. */
  countsCalls: boolean;
  readonly isFarAway: boolean;

  constructor(control: Control, clock: RunClock) {
    this.countsCalls = control.hasEndpoints;
    this.isFarAway = clock.isFarAway;
    this.stalls = new StallDetector(clock.isFarAway ? clock.roundTripMs : 0);
  }
}
