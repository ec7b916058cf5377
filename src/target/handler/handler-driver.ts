/**
 * Moves the fake timers of this process for a handler in it. Time stands still until nothing is left to happen at an
 * instant, then goes to the next timer or wake-up.
 */
import type { OutgoingCall } from '../../runner/api.js';
import type { InFlightRequest } from '../session/http-client.js';
import { ControlledDriver } from '../session/controlled-driver.js';
import { giveUpInstant } from '../session/in-flight.js';
import type { ScriptSession } from '../session/script-session.js';
import type { ArrivalTime } from '../session/webhook-receiver.js';
import { drainPromises, realNowMs, realTurn } from './fake-time.js';
import type { FakeTime } from './fake-time.js';
import type { HandlerInstance } from './handler.js';
import { StallTimeout } from './stall-timeout.js';
import type { WebhookTraffic } from './webhook-traffic.js';

/** Rounds at one instant with something to do, after which the clock is moved anyway. */
const ROUNDS_MAX = 2_000;
/** Real ms for which the clock waits for a webhook call that neither ends nor arrives. */
const TRAFFIC_MAX_MS = 2_000;
/** Timers in a row of which nothing came, before they are given one turn each. */
const IDLE_TIMERS_MAX = 200;
/** Timers between two turns of the event loop when nothing is observed in between. */
const TIMERS_PER_TURN = 64;

export interface HandlerDriverOptions {
  readonly traffic: WebhookTraffic;
  /** Real ms that a script may take. */
  readonly scriptTimeoutMs: number;
  /** Awaited at every instant before time goes on. */
  readonly settle: (() => unknown) | null;
}

export class HandlerDriver extends ControlledDriver {
  /** The implementation that the present script meets. */
  instance: HandlerInstance | null = null;
  readonly #options: HandlerDriverOptions;
  readonly #stalls = new StallTimeout();
  #time: FakeTime;
  #idleTimers = 0;
  /** Real time at which the present script is given up. */
  #deadlineMs = 0;

  constructor(time: FakeTime, options: HandlerDriverOptions) {
    super(ROUNDS_MAX);
    this.#time = time;
    this.#options = options;
  }

  get nowMs(): number {
    return this.#time.nowMs;
  }

  /** From now on this clock counts. */
  use(time: FakeTime): void {
    this.#time = time;
  }

  protected begin(): void {
    this.#deadlineMs = realNowMs() + this.#options.scriptTimeoutMs;
  }

  protected override expired(): string | null {
    const { scriptTimeoutMs } = this.#options;
    return realNowMs() > this.#deadlineMs ? `it took more than ${scriptTimeoutMs} ms of real time` : null;
  }

  protected async setWorkers(endpoint: string, count: number): Promise<string | null> {
    if (this.instance?.setWorkers === undefined) return 'the handler has no setWorkers';
    await this.finish(this.instance.setWorkers(count, endpoint));
    return null;
  }

  protected arrival(): ArrivalTime {
    return { earliestMs: this.nowMs, latestMs: this.nowMs };
  }

  /** Lets time pass outside of any script. */
  async pause(ms: number): Promise<void> {
    await this.#moveBlindly(this.nowMs + ms, realNowMs() + this.#options.scriptTimeoutMs);
  }

  /** Waits for work of the handler's own, moving the clock where it waits for time. */
  async finish<T>(work: T | Promise<T>): Promise<T> {
    let over = false;
    const settled = Promise.resolve(work).finally(() => {
      over = true;
    });
    settled.catch(() => undefined);
    const deadlineMs = realNowMs() + this.#options.scriptTimeoutMs;
    const stallsMs = realNowMs() + this.#stalls.stallMs(['']);
    while (!over && realNowMs() < deadlineMs) {
      await this.#turn();
      const next = this.#time.nextAtMs();
      if (!over && next !== null && realNowMs() > stallsMs) this.#time.moveTo(Math.max(next, this.nowMs));
    }
    return settled;
  }

  protected async send(session: ScriptSession, calls: readonly OutgoingCall[]): Promise<void> {
    this.#idleTimers = 0;
    const requests = calls.map((call) => session.send(call, this.nowMs, null));
    if (calls[0]?.mayWait === true) await this.#quiet(session, this.#stalls.turns);
    else await this.#answered(session, requests);
    session.completeSettled(this.nowMs);
    // The handler was called; what it has not answered while time stood still waits for time.
    for (const request of requests) if (request.result === null) session.arrived(request, this.nowMs);
  }

  /** Ordinary calls are over before the clock moves, save those that turn out to wait for time. */
  async #answered(session: ScriptSession, requests: readonly InFlightRequest[]): Promise<void> {
    const kinds = requests.map(({ call }) => call.op ?? call.method);
    const stallMs = this.#stalls.stallMs(kinds);
    let newsMs = realNowMs();
    let open = Infinity;
    for (let turns = 0; ; turns += 1) {
      const left = requests.filter((request) => request.result === null);
      if (left.length === 0) return this.#stalls.answeredAfter(turns);
      if (left.length < open) newsMs = realNowMs();
      open = left.length;
      if (turns > this.#stalls.turns && realNowMs() - newsMs > stallMs) {
        for (const { call } of left) this.#stalls.stalled(call.op ?? call.method);
        return;
      }
      await this.#turn();
      session.completeSettled(this.nowMs);
    }
  }

  /** Resolves when this many turns in a row have brought nothing, and no webhook call is in flight. */
  async #quiet(session: ScriptSession, turns: number): Promise<void> {
    const trafficMs = realNowMs() + TRAFFIC_MAX_MS;
    const { traffic, settle } = this.#options;
    for (let still = 0; still < turns; still += 1) {
      await this.#turn();
      if (session.completeSettled(this.nowMs)) {
        this.#idleTimers = 0;
        still = -1;
      }
      if (!session.expectsWebhooks || !traffic.isMoving) continue;
      this.#idleTimers = 0;
      still = -1;
      if (realNowMs() > trafficMs) traffic.forget();
      if (realNowMs() > trafficMs + TRAFFIC_MAX_MS) return;
    }
    await settle?.();
  }

  /** The event loop goes round once, and timers of this very instant fire. */
  async #turn(): Promise<void> {
    const next = this.#time.nextAtMs();
    if (next !== null && next <= this.nowMs) this.#time.moveTo(this.nowMs);
    await realTurn();
  }

  /** The next instant at which anything can happen that the script would see; null when nothing ever will. */
  #nextInstant(session: ScriptSession, wakeMs: number | null): number | null {
    const watches = session.expectsWebhooks || session.inFlight.size > 0;
    const instants = [
      wakeMs,
      watches ? this.#time.nextAtMs() : null,
      ...[...session.inFlight].map(giveUpInstant),
    ].filter((instant) => instant !== null);
    return instants.length === 0 ? null : Math.max(this.nowMs + 1, Math.min(...instants));
  }

  protected async leaveInstant(session: ScriptSession): Promise<boolean> {
    return this.passTime(session, session.runner.nextWakeMs());
  }

  protected async passTime(session: ScriptSession, wakeMs: number | null): Promise<boolean> {
    const targetMs = this.#nextInstant(session, wakeMs);
    if (targetMs === null) return false;
    await this.#goTo(session, targetMs);
    return true;
  }

  async #goTo(session: ScriptSession, targetMs: number): Promise<void> {
    const watches = session.expectsWebhooks || session.inFlight.size > 0;
    if (watches) {
      // A handler without timers of its own calls webhooks while it answers something else.
      const { traffic } = this.#options;
      if (session.expectsWebhooks && traffic.isMoving) {
        await this.#quiet(session, 1);
        if (!traffic.isMoving) return;
      }
      this.#time.moveTo(targetMs);
      this.#idleTimers += 1;
      await this.#quiet(session, this.#idleTimers > IDLE_TIMERS_MAX ? 1 : this.#stalls.turns);
      this.#giveUp(session);
      return;
    }
    await this.#moveBlindly(targetMs, this.#deadlineMs);
    await this.#quiet(session, this.#stalls.turns);
  }

  /** Fires timer by timer, each at its own instant, with what their promises lead to. */
  async #moveBlindly(targetMs: number, deadlineMs: number): Promise<void> {
    for (let timers = 1; ; timers += 1) {
      const next = this.#time.nextAtMs();
      if (next === null || next > targetMs) break;
      this.#time.moveTo(Math.max(next, this.nowMs));
      if (this.#stalls.turns > 8 || timers % TIMERS_PER_TURN === 0) await realTurn();
      else await drainPromises();
      // Chained timers of no length would hold the clock here for ever.
      if (timers % ROUNDS_MAX === 0) {
        if (this.#time.nextAtMs() === this.nowMs) this.#time.moveTo(this.nowMs + 1);
        if (realNowMs() > deadlineMs) return;
      }
    }
    this.#time.moveTo(targetMs);
  }

  #giveUp(session: ScriptSession): void {
    for (const request of [...session.inFlight]) {
      if (this.nowMs < giveUpInstant(request)) continue;
      request.abort();
      request.result = { reply: null, lost: 'timeout', detail: 'no reply long after it was due' };
      session.complete(request, this.nowMs);
    }
  }
}
