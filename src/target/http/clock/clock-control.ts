import type { HistorySink, RunOptions, RunSummary } from '../../port.js';
import type { Script } from '../../../scenario/script.js';
import type { WebhookReceiver } from '../../session/webhook-receiver.js';
import { runAtOnce } from './at-once.js';
import type { Control } from '../control.js';
import { runControlled } from './controlled-run.js';
import { RunClock } from './run-clock.js';
import type { TargetContext } from '../target-context.js';
import { ReplyTimes } from '../probes/reply-times.js';
import { TestControlDriver } from './test-control-driver.js';

/** Test control of which the quickest call takes this many real ms is called over a network. */
const FAR_AWAY_MS = 20;
/** Nearby, a call takes so many real ms in the middle only where the machine is busy: it delays most, and a network all. */
const BUSY_MS = 10;
/** So many calls are timed; where none is quick, more of them, for so many real ms. */
const TIMED = { least: 10, most: 30, withinMs: 1_000 };
/** Scripts that play at once on a busy machine: most of their time they wait for it, and more of them make it busier. */
const AT_ONCE_WHEN_BUSY = 8;

/** Runs scripts on a target whose clock is moved by test control. */
export class ClockControl {
  /** Of the server. */
  readonly clock: RunClock;
  /** Drives one script after the other. */
  readonly driver: TestControlDriver;
  /** Round trips take longer than the target does, over a network. */
  readonly isFarAway: boolean;
  /** They do so, over a network or on a busy machine. */
  readonly isSlow: boolean;
  readonly #control: Control;
  readonly #receiver: WebhookReceiver | null;
  readonly #times: ReplyTimes;

  private constructor(
    clock: RunClock,
    control: Control,
    receiver: WebhookReceiver | null,
    tookMs: readonly number[],
    isElsewhere: boolean,
  ) {
    this.clock = clock;
    const [quickestMs, usualMs] = [tookMs[0]!, tookMs[Math.floor(tookMs.length / 2)]!];
    this.isFarAway = quickestMs >= FAR_AWAY_MS;
    this.isSlow = this.isFarAway || usualMs >= BUSY_MS;
    this.#control = control;
    this.#receiver = receiver;
    const roundTripMs = this.isFarAway ? quickestMs : this.isSlow ? usualMs : null;
    this.#times = new ReplyTimes(control, roundTripMs, isElsewhere);
    this.driver = this.driverOf(clock);
  }

  /**
   * Begins the run's time.
   *
   * @param isElsewhere calls take another way than test control
   * @throws {TargetError} where the clock moves by itself
   */
  static async of(
    control: Control,
    receiver: WebhookReceiver | null,
    isElsewhere = false,
  ): Promise<ClockControl> {
    const clock = new RunClock(control.clockCalls(null));
    const tookMs: number[] = [];
    const begunMs = performance.now();
    const wantsMore = (): boolean =>
      tookMs.length < TIMED.least ||
      (tookMs.length < TIMED.most &&
        Math.min(...tookMs) >= FAR_AWAY_MS &&
        performance.now() - begunMs < TIMED.withinMs);
    while (wantsMore()) {
      const fromMs = performance.now();
      await (tookMs.length === 0 ? clock.start() : clock.echo());
      tookMs.push(performance.now() - fromMs);
    }
    tookMs.sort((one, other) => one - other);
    return new ClockControl(clock, control, receiver, tookMs, isElsewhere);
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
    return this.isSlow && ownEndpoints && this.#control.hasEndpointClocks;
  }

  /**
   * Where round trips are what takes time, scripts with clocks of their own play at once, a few on a busy machine.
   * Otherwise the causes of all that happens are plainer if one script plays after the other.
   */
  async run(
    context: TargetContext,
    scripts: readonly Script[],
    sink: HistorySink,
    options: RunOptions,
  ): Promise<RunSummary> {
    const isAtOnce =
      this.playsAtOnce(context.ownEndpoints) && scripts.length > 1 && options.concurrency !== 1;
    await this.clock.catchUp();
    const concurrency = options.concurrency ?? (this.isFarAway ? undefined : AT_ONCE_WHEN_BUSY);
    return isAtOnce
      ? runAtOnce(context, this, scripts, sink, { ...options, concurrency })
      : runControlled(context, this.driver, scripts, sink, options);
  }
}
