import type { OutgoingCall, RunnerAction } from '../../runner/api.js';
import type { ScriptSession } from './script-session.js';
import type { ArrivalTime } from './webhook-receiver.js';
import { whyAborted } from './why-aborted.js';

/** Rounds at one instant without anything to do, after which the clock is moved anyway. */
const IDLE_ROUNDS_MAX = 3;

/**
 * Runs scripts under a clock that stands still until it is moved, one script after the other: all scripts share the
 * clock. What happens at an instant is completed before time passes. Subclasses say how calls are sent and how the
 * clock is moved.
 */
export abstract class ControlledDriver {
  /** Rounds at one instant with something to do, after which the clock is moved anyway. */
  readonly #busyRoundsMax: number;

  protected constructor(busyRoundsMax: number) {
    this.#busyRoundsMax = busyRoundsMax;
  }

  /** The clock's time, in ms since the start of the run. */
  abstract get nowMs(): number;

  /** Lets time pass outside of any script. */
  abstract pause(ms: number): Promise<void>;

  /** Runs the script to its end; resolves with the reason if it had to be given up, else null. */
  async run(session: ScriptSession, signal: AbortSignal | undefined): Promise<string | null> {
    this.begin();
    let busyRounds = 0;
    let idleRounds = 0;
    for (;;) {
      if (signal?.aborted) return whyAborted(signal);
      const expired = this.expired();
      if (expired !== null) return expired;
      const roundMs = this.nowMs;
      const actions = session.runner.due(roundMs);
      const isBusy = actions.length > 0;
      if (isBusy) this.disturbed();
      const refusal = await this.#perform(session, actions);
      if (refusal !== null) return refusal;
      if (session.runner.done) return null;
      const wakeMs = isBusy ? roundMs : session.runner.nextWakeMs();
      const staysHere = wakeMs !== null && wakeMs <= roundMs;
      if (isBusy) busyRounds += 1;
      else if (staysHere) idleRounds += 1;
      const isTooLong = busyRounds > this.#busyRoundsMax || idleRounds > IDLE_ROUNDS_MAX;
      const canGoOn = isTooLong
        ? await this.leaveInstant(session)
        : staysHere || (await this.passTime(session, wakeMs));
      if (!canGoOn) return 'nothing is left that could move it on';
      if (this.nowMs !== roundMs) busyRounds = idleRounds = 0;
    }
  }

  /** A script begins. */
  protected abstract begin(): void;

  /** Why the script is given up now, if its time limit is exceeded; else null. */
  protected expired(): string | null {
    return null;
  }

  /** Actions are about to be performed at this instant. */
  protected disturbed(): void {}

  /** When something that arrives now has arrived. */
  protected abstract arrival(): ArrivalTime;

  /** Sends calls together: either all of them may wait for time to pass, or none. */
  protected abstract send(session: ScriptSession, calls: readonly OutgoingCall[]): Promise<void>;

  /** Resolves with the reason if the number of workers cannot be changed, else null. */
  protected abstract setWorkers(endpoint: string, count: number): Promise<string | null>;

  /**
   * Goes to the next instant at which something may happen; false if nothing can.
   *
   * @param wakeMs when the script continues by itself; null for never
   */
  protected abstract passTime(session: ScriptSession, wakeMs: number | null): Promise<boolean>;

  /** Moves the clock on, although there may be more to do at this instant; false if nothing can happen any more. */
  protected abstract leaveInstant(session: ScriptSession): Promise<boolean>;

  /** Performs actions in order; consecutive calls of one kind are sent together. */
  async #perform(session: ScriptSession, actions: readonly RunnerAction[]): Promise<string | null> {
    let group: OutgoingCall[] = [];
    const sendGroup = async (): Promise<void> => {
      const calls = group;
      group = [];
      if (calls.length > 0) await this.send(session, calls);
    };
    for (const action of actions) {
      if (action.kind === 'call') {
        if (group[0] !== undefined && group[0].mayWait !== action.call.mayWait) await sendGroup();
        group.push(action.call);
        continue;
      }
      await sendGroup();
      if (action.kind === 'expect-webhook') {
        session.expectWebhook(action.token, action.answers, () => this.arrival());
      } else if (action.kind === 'expect-storage') {
        session.expectStorage(action.token, () => this.arrival());
      } else {
        const sentMs = this.nowMs;
        const refusal = await this.setWorkers(session.allocation.endpoint, action.count);
        if (refusal !== null) return refusal;
        session.workersChanged(action.lane, action.count, sentMs, this.nowMs);
      }
    }
    await sendGroup();
    return null;
  }
}
