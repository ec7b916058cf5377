/** Plays scripts in real time: each is a loop of its own that sleeps until its player wants something. */
import { setTimeout as sleep } from 'node:timers/promises';
import { TARGET_GONE } from '../../history/events.js';
import type { OutgoingCall, PlayerAction } from '../../runner/api.js';
import type { Operation } from '../../spec/types.js';
import type { Clock } from '../../time/clock.js';
import type { RateAllowance } from '../../schedule/rate-limiter.js';
import { Bell } from './wake-signal.js';
import { expectedWaitMs } from '../session/http-client.js';
import type { Control } from './control.js';
import { heldMaxMs } from '../session/held-uploads.js';
import type { ScriptSession } from '../session/script-session.js';
import type { ArrivalTime } from '../session/webhook-receiver.js';
import type { Lease } from '../../schedule/worker-slots.js';

/** How often a call asks again whether others have left it room. */
const CONCURRENCY_RETRY_MS = 20;

export interface RealPumpOptions {
  readonly clock: Clock;
  /** Null where the number of workers cannot be changed. */
  readonly control: Control | null;
  /** Null where every script has an endpoint of its own. */
  readonly allowance: RateAllowance | null;
  readonly timeoutMs: number;
}

/** How a script stands to the others on its endpoint. */
export interface Manners {
  readonly lease: Lease | null;
  /** Operations whose calls are not held back, because it drives their limits to their end. */
  readonly driven: readonly Operation[];
}

export class RealClockPump {
  readonly #options: RealPumpOptions;

  constructor(options: RealPumpOptions) {
    this.#options = options;
  }

  get nowMs(): number {
    return this.#options.clock.nowMs();
  }

  /** Whatever has happened has happened by then: the clock rounds down. */
  get byNowMs(): number {
    return this.#options.clock.nowMs() + 1;
  }

  /** Plays the script to its end; resolves with the reason when it had to be given up. */
  async play(
    session: ScriptSession,
    manners: Manners,
    signal: AbortSignal | undefined,
  ): Promise<string | null> {
    const play = new RealPlay(this, this.#options, session, manners, signal);
    signal?.addEventListener('abort', play.bell.ring);
    try {
      return await play.toTheEnd();
    } finally {
      signal?.removeEventListener('abort', play.bell.ring);
    }
  }
}

class RealPlay {
  readonly bell = new Bell();
  readonly #pump: RealClockPump;
  readonly #options: RealPumpOptions;
  readonly #session: ScriptSession;
  readonly #manners: Manners;
  readonly #signal: AbortSignal | undefined;
  /** Calls and changes that are under way or held back. */
  #busy = 0;
  #submitted = false;
  #submitting = 0;
  #problem: string | null = null;
  #sawWork = false;

  constructor(
    pump: RealClockPump,
    options: RealPumpOptions,
    session: ScriptSession,
    manners: Manners,
    signal: AbortSignal | undefined,
  ) {
    this.#pump = pump;
    this.#options = options;
    this.#session = session;
    this.#manners = manners;
    this.#signal = signal;
  }

  async toTheEnd(): Promise<string | null> {
    const { player } = this.#session;
    for (;;) {
      if (this.#signal?.aborted) return 'interrupted';
      if (this.#problem !== null) return this.#problem;
      if (this.#session.isDeserted) return TARGET_GONE;
      this.#giveUp();
      const actions = player.due(this.#pump.nowMs);
      for (const action of actions) this.#perform(action);
      if (player.done) return null;
      this.#leaveWorkersWhereIdle();
      const wakeMs = player.nextWakeMs();
      if (wakeMs === null && this.#busy === 0 && actions.length === 0) {
        return 'nothing is left that could move it on';
      }
      if (wakeMs === null || wakeMs > this.#pump.nowMs) {
        const { nowMs } = this.#pump;
        const instants = [
          wakeMs,
          this.#session.nextProbableEndMs(nowMs),
          this.#session.nextTooLongMs(nowMs),
        ].filter((at) => at !== null);
        await this.bell.wait(instants.length === 0 ? null : Math.min(...instants) - this.#pump.nowMs);
      } else if (actions.length === 0) await sleep(1);
    }
  }

  #perform(action: PlayerAction): void {
    if (action.kind === 'expect-webhook') {
      this.#session.expectWebhook(action.token, action.answers, () => this.#arrival(), this.bell.ring);
    } else if (action.kind === 'expect-storage') {
      this.#session.expectStorage(action.token, () => this.#arrival());
    } else if (action.kind === 'workers') {
      void this.#whileBusy(() => this.#changeWorkers(action.lane, action.count));
    } else {
      void this.#whileBusy(() => this.#carry(action.call));
    }
  }

  async #whileBusy(work: () => Promise<void>): Promise<void> {
    this.#busy += 1;
    try {
      await work();
    } catch (error) {
      this.#problem ??= error instanceof Error ? error.message : String(error);
    } finally {
      this.#busy -= 1;
      this.bell.ring();
    }
  }

  async #carry(call: OutgoingCall): Promise<void> {
    const { timeoutMs } = this.#options;
    // Limits hold for each endpoint, so what is sent to another one counts for nothing here.
    const allowance = call.endpoint === this.#session.place.endpoint ? this.#options.allowance : null;
    const submits = call.op === 'run' || call.op === 'runsync' || call.op === 'retry';
    if (submits) this.#submitting += 1;
    if (call.op === null || !this.#manners.driven.includes(call.op))
      await this.#waitForAllowance(call, allowance);
    if (this.#signal?.aborted || this.#problem !== null) return;
    if (submits) this.#manners.lease?.take();
    allowance?.begin(call.op);
    const patienceMs = timeoutMs + expectedWaitMs(call) + (call.held ? heldMaxMs(call.held) : 0);
    const flight = this.#session.send(call, this.#pump.nowMs, patienceMs, () => this.#pump.nowMs);
    // From now on it can wait for too long, and has to be looked after.
    if (call.mayWait) this.bell.ring();
    await flight.settled;
    allowance?.end(call.op);
    this.#session.complete(flight, this.#pump.byNowMs);
    if (!submits) return;
    this.#submitting -= 1;
    this.#submitted = true;
  }

  async #waitForAllowance(call: OutgoingCall, allowance: RateAllowance | null): Promise<void> {
    for (;;) {
      const waitMs = allowance === null ? 0 : allowance.waitMs(call.op);
      if (waitMs === 0 || this.#signal?.aborted) return;
      await sleep(waitMs === null ? CONCURRENCY_RETRY_MS : Math.min(waitMs, 1_000));
    }
  }

  async #changeWorkers(lane: string, count: number): Promise<void> {
    const { control } = this.#options;
    if (control === null) throw new Error('the number of workers cannot be changed here');
    const sentMs = this.#pump.nowMs;
    await control.setWorkers(this.#session.place.endpoint, count);
    this.#session.workersChanged(lane, count, sentMs, this.#pump.byNowMs);
  }

  #giveUp(): void {
    const { lease } = this.#manners;
    const { nowMs, byNowMs } = this.#pump;
    this.#session.giveUp(nowMs, byNowMs, (sinceMs) => lease === null || !lease.workedSince(sinceMs));
  }

  #leaveWorkersWhereIdle(): void {
    const { lease } = this.#manners;
    if (this.#session.hasBegun && !this.#sawWork) {
      this.#sawWork = true;
      lease?.works(this.#pump.nowMs);
    } else if (this.#session.waitsInVain(this.#pump.nowMs)) lease?.stuck();
    if (!this.#submitted || this.#submitting > 0) return;
    if (!this.#session.mayOccupyWorkers(this.#pump.nowMs)) lease?.give();
  }

  #arrival(): ArrivalTime {
    const nowMs = this.#pump.nowMs;
    return { earliestMs: nowMs - this.#session.lateNowMs, latestMs: nowMs };
  }
}
