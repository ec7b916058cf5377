import type { HistorySink, RunOptions, RunSummary } from '../port.js';
import type { Script } from '../../scenario/script.js';
import type { WebhookReceiver } from '../session/webhook-receiver.js';
import type { Control } from './control.js';
import { runControlled } from './controlled-run.js';
import { SLOT_MS } from '../session/slots.js';
import { RunClock, type ScriptClock } from './run-clock.js';
import { runSideBySide } from './side-by-side.js';
import type { TargetContext } from './target-context.js';
import { ReplyTimes } from './reply-times.js';
import { TestControlDriver } from './test-control-driver.js';

/** Runs scripts on a target whose clock is moved by test control. */
export class ClockControl {
  readonly clock: RunClock;
  /** Drives one script after the other. */
  readonly driver: TestControlDriver;
  readonly #control: Control;
  readonly #receiver: WebhookReceiver | null;
  readonly #times: ReplyTimes;

  private constructor(clock: RunClock, control: Control, receiver: WebhookReceiver | null) {
    this.clock = clock;
    this.#control = control;
    this.#receiver = receiver;
    this.#times = new ReplyTimes(control, clock);
    this.driver = this.driverOf(clock);
  }

  /** Begins the run's time. */
  static async of(control: Control, receiver: WebhookReceiver | null): Promise<ClockControl> {
    const clock = new RunClock(control);
    await clock.start();
    return new ClockControl(clock, control, receiver);
  }

  /** @param scripts how many scripts share the clock */
  driverOf(clock: ScriptClock, scripts = 1): TestControlDriver {
    return new TestControlDriver(clock, this.#control, this.#receiver, this.#times, scripts);
  }

  /** How far apart the instants are at which scripts act, in ms. */
  slotMs(ownEndpoints: boolean): number {
    return this.#canShare(ownEndpoints) ? SLOT_MS : 1;
  }

  #canShare(ownEndpoints: boolean): boolean {
    return this.clock.isFarAway && ownEndpoints;
  }

  /**
   * Far away, round trips are what takes time, so scripts with endpoints of their own share them. Nearby, the causes of
   * all that happens are plainer if one script plays after the other.
   */
  run(
    context: TargetContext,
    scripts: readonly Script[],
    sink: HistorySink,
    options: RunOptions,
  ): Promise<RunSummary> {
    context.client.isFarAway = this.clock.isFarAway;
    const isShared = this.#canShare(context.ownEndpoints) && scripts.length > 1 && options.concurrency !== 1;
    return isShared
      ? runSideBySide(context, this, scripts, sink, options)
      : runControlled(context, this.driver, scripts, sink, options);
  }
}
