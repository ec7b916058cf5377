/**
 * One controlled clock for scripts that play side by side, each on endpoints of its own. The clock moves when every
 * script waits for it, to the earliest instant that one of them waits for; one answer of test control serves all who ask
 * for the next event at the same moment. It has no timers.
 */
import type { ArrivalTime } from '../session/webhook-receiver.js';
import type { RunClock, ScriptClock } from './run-clock.js';
import type { Turns } from './turns.js';

interface Waiting<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

interface Sleeper extends Waiting<void> {
  readonly targetMs: number;
}

export class SharedClock {
  readonly #clock: Pick<RunClock, 'nowMs' | 'arrival' | 'nextEventMs' | 'disturbed' | 'advanceTo'>;
  readonly #turns: Turns;
  /** Scripts that have something to do at this instant. */
  #busy = 0;
  #asking: Waiting<number | null>[] = [];
  #sleeping: Sleeper[] = [];
  #isMoving = false;
  #isInterrupted = false;

  constructor(
    clock: Pick<RunClock, 'nowMs' | 'arrival' | 'nextEventMs' | 'disturbed' | 'advanceTo'>,
    turns: Turns,
  ) {
    this.#clock = clock;
    this.#turns = turns;
  }

  get nowMs(): number {
    return this.#clock.nowMs;
  }

  get arrival(): ArrivalTime {
    return this.#clock.arrival;
  }

  /**
   * Adds a script, before which the clock does not move until it waits or leaves.
   *
   * @param weight the turns that it takes up while it is busy
   */
  join(weight: number): SharedClockMember {
    this.#busy += 1;
    return new SharedClockMember(this, this.#turns, weight);
  }

  leave(): void {
    this.#busy -= 1;
    this.#moveIfAllWait();
  }

  /** From now on no script waits: each finds that the run is over. */
  interrupt(): void {
    this.#isInterrupted = true;
    this.#wake(this.#sleeping.splice(0), undefined);
    this.#wake(this.#asking.splice(0), null);
  }

  nextEventMs(): Promise<number | null> {
    return this.#wait(this.#asking, null, (waiting) => waiting);
  }

  disturbed(): void {
    this.#clock.disturbed();
  }

  sleepUntil(targetMs: number): Promise<void> {
    return this.#wait(this.#sleeping, undefined, (waiting) => ({ ...waiting, targetMs }));
  }

  async #wait<T, Entry>(list: Entry[], interrupted: T, entryOf: (waiting: Waiting<T>) => Entry): Promise<T> {
    if (this.#isInterrupted) return interrupted;
    return new Promise<T>((resolve, reject) => {
      list.push(entryOf({ resolve, reject }));
      this.#busy -= 1;
      this.#moveIfAllWait();
    });
  }

  #moveIfAllWait(): void {
    if (this.#busy > 0 || this.#isMoving || this.#isInterrupted) return;
    if (this.#asking.length + this.#sleeping.length === 0) return;
    this.#isMoving = true;
    void (this.#asking.length > 0 ? this.#answer() : this.#move())
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#isMoving = false;
        this.#moveIfAllWait();
      });
  }

  async #answer(): Promise<void> {
    const nextMs = await this.#clock.nextEventMs();
    this.#wake(this.#asking.splice(0), nextMs);
  }

  async #move(): Promise<void> {
    const targetMs = this.#sleeping.reduce((least, sleeper) => Math.min(least, sleeper.targetMs), Infinity);
    // For some of the scripts this is exact, for others it is not: each knows it of itself.
    await this.#clock.advanceTo(Math.max(this.#clock.nowMs, targetMs), false);
    const { nowMs } = this.#clock;
    const isDue = (sleeper: Sleeper): boolean => sleeper.targetMs <= nowMs;
    const due = this.#sleeping.filter(isDue);
    this.#sleeping = this.#sleeping.filter((sleeper) => !isDue(sleeper));
    this.#wake(due, undefined);
  }

  #wake<T>(waiting: readonly Waiting<T>[], value: T): void {
    this.#busy += waiting.length;
    for (const { resolve } of waiting) resolve(value);
  }

  /** Test control has failed: no script can go on. */
  #fail(error: unknown): void {
    const waiting = [...this.#asking.splice(0), ...this.#sleeping.splice(0)];
    this.#busy += waiting.length;
    for (const { reject } of waiting) reject(error);
  }
}

/** The shared clock as one of the scripts sees it. Of the scripts that are due, so many at a time have their turn. */
export class SharedClockMember implements ScriptClock {
  readonly #shared: SharedClock;
  readonly #turns: Turns;
  readonly #weight: number;
  /** Nothing happens on the script's endpoints before this instant; null where that is not known. */
  #exactUntilMs: number | null = null;
  #sinceMs: number;

  constructor(shared: SharedClock, turns: Turns, weight: number) {
    this.#shared = shared;
    this.#turns = turns;
    this.#weight = weight;
    this.#sinceMs = shared.nowMs;
  }

  get nowMs(): number {
    return this.#shared.nowMs;
  }

  get arrival(): ArrivalTime {
    const { earliestMs, latestMs } = this.#shared.arrival;
    if (this.#exactUntilMs === null) return { earliestMs: Math.max(this.#sinceMs, earliestMs), latestMs };
    return { earliestMs: Math.min(this.#exactUntilMs, latestMs), latestMs };
  }

  /** The script takes its first turn. */
  begin(): Promise<void> {
    return this.#turns.take(this.#weight);
  }

  /** The script has ended. */
  leave(): void {
    this.#turns.giveBack(this.#weight);
    this.#shared.leave();
  }

  disturbed(): void {
    this.#shared.disturbed();
  }

  nextEventMs(): Promise<number | null> {
    return this.#whileOthersWork(() => this.#shared.nextEventMs());
  }

  async advanceTo(targetMs: number, exact: boolean): Promise<void> {
    this.#exactUntilMs = exact ? targetMs : null;
    await this.#whileOthersWork(() => this.#shared.sleepUntil(targetMs));
    this.#exactUntilMs = null;
    this.#sinceMs = this.nowMs;
  }

  async #whileOthersWork<T>(wait: () => Promise<T>): Promise<T> {
    this.#turns.giveBack(this.#weight);
    try {
      return await wait();
    } finally {
      await this.#turns.take(this.#weight);
    }
  }
}
