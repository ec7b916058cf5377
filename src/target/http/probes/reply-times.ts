import { ReplyLatencyEstimator, StallDetector } from '../clock/clock-steps.js';
import type { Control } from '../control.js';

/** What the calls of a run tell of how quick the target is. */
export class ReplyTimes {
  readonly stalls: StallDetector;
  readonly replyLatency: ReplyLatencyEstimator;
  /** Whether test control counts the calls that have arrived; false once it did not. */
  countsCalls: boolean;
  /** It has counted a call: if it does not count another one, that one has not arrived. */
  hasCountedCalls = false;
  readonly isFarAway: boolean;
  /** The longest, in real ms, that a call took which was answered at once. */
  slowestMs = 0;

  /**
   * @param roundTripMs real ms that a call takes over a network, or on a busy machine; null where it is quick
   * @param isElsewhere calls take another way than test control
   */
  constructor(control: Control, roundTripMs: number | null, isElsewhere: boolean) {
    this.replyLatency = new ReplyLatencyEstimator(isElsewhere);
    this.countsCalls = control.hasEndpoints;
    this.isFarAway = roundTripMs !== null;
    this.stalls = new StallDetector(roundTripMs ?? 0);
  }
}
