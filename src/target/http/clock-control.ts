import type { HistorySink, RunOptions, RunSummary } from '../port.js';
import type { Script } from '../../scenario/script.js';
import type { WebhookReceiver } from '../session/webhook-receiver.js';
import { runAtOnce } from './at-once.js';
import type { Control } from './control.js';
import { runControlled } from './controlled-run.js';
import { RunClock } from './run-clock.js';
import type { TargetContext } from './target-context.js';
import { ReplyTimes } from './reply-times.js';
import { TestControlDriver } from './test-control-driver.js';

/** A call of test control that takes this many real ms goes over a network. */
const FAR_AWAY_MS = 20;
/**
 * The quickest of the calls of this time, real ms, and of so many at least and at most, tells how long a round trip takes: a
 * busy machine delays most calls, and a network all of them.
 */
const MEASURED_MS = 1_000;
const ROUND_TRIPS = { least: 3, most: 30 };

/** Runs scripts on a target whose clock is moved by test control. */
export class ClockControl {
  /** Of the server. */
  readonly clock: RunClock;
  /** Drives one script after the other. */
  readonly driver: TestControlDriver;
  /** Round trips take longer than the target does. */
  readonly isFarAway: boolean;
  readonly #control: Control;
  readonly #receiver: WebhookReceiver | null;
  readonly #times: ReplyTimes;

  private constructor(
    clock: RunClock,
    control: Control,
    receiver: WebhookReceiver | null,
    roundTripMs: number,
  ) {
    this.clock = clock;
    this.isFarAway = roundTripMs >= FAR_AWAY_MS;
    this.#control = control;
    this.#receiver = receiver;
    this.#times = new ReplyTimes(control, this.isFarAway ? roundTripMs : null);
    this.driver = this.driverOf(clock);
  }

  /** Begins the run's time. */
  static async of(control: Control, receiver: WebhookReceiver | null): Promise<ClockControl> {
    const clock = new RunClock(control.clockCalls(null));
    let roundTripMs = Infinity;
    const untilMs = performance.now() + MEASURED_MS;
    for (let call = 0; call < ROUND_TRIPS.most && roundTripMs >= FAR_AWAY_MS; call += 1) {
      const fromMs = performance.now();
      if (call >= ROUND_TRIPS.least && fromMs >= untilMs) break;
      await clock.start();
      roundTripMs = Math.min(roundTripMs, performance.now() - fromMs);
    }
    return new ClockControl(clock, control, receiver, roundTripMs);
  }

  /** The clock of this name, on which an endpoint has to be before it is started. */
  clockOf(name: string): RunClock {
    return new RunClock(this.#control.clockCalls(name));
  }

  driverOf(clock: RunClock): TestControlDriver {
    return new TestControlDriver(clock, this.#control, this.#receiver, this.#times);
  }

  /** Scripts have clocks of their own. */
  playsAtOnce(ownEndpoints: boolean): boolean {
    return this.isFarAway && ownEndpoints && this.#control.hasEndpointClocks;
  }

  /**
   * Far away, round trips are what takes time, so scripts with clocks of their own play at once. Nearby, the causes of
   * all that happens are plainer if one script plays after the other.
   */
  run(
    context: TargetContext,
    scripts: readonly Script[],
    sink: HistorySink,
    options: RunOptions,
  ): Promise<RunSummary> {
    const isAtOnce =
      this.playsAtOnce(context.ownEndpoints) && scripts.length > 1 && options.concurrency !== 1;
    return isAtOnce
      ? runAtOnce(context, this, scripts, sink, options)
      : runControlled(context, this.driver, scripts, sink, options);
  }
}
