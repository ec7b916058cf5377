/**
 * Runs scripts on a handler in this process, one after the other: all of them share the process's timers.
 * Time stands still until nothing is left to happen at an instant, then goes to the next timer or wake-up.
 */
import type { OutgoingCall, RunnerAction } from '../../runner/api.js';
import type { InFlightRequest } from '../session/http-client.js';
import { giveUpInstant } from '../session/in-flight.js';
import type { ScriptSession } from '../session/script-session.js';
import { drainPromises, realNowMs, realTurn } from './fake-time.js';
import type { FakeTime } from './fake-time.js';
import type { HandlerInstance } from './handler.js';
import { StallTimeout } from './stall-timeout.js';
import type { WebhookTraffic } from './webhook-traffic.js';

/** Rounds at one instant, with and without something to do, after which the clock is moved all the same. */
const ROUNDS_MAX = 2_000;
const IDLE_ROUNDS_MAX = 3;
/** Real ms for which the clock waits for a webhook call that neither ends nor arrives. */
const TRAFFIC_MAX_MS = 2_000;
/** Timers in a row of which nothing came, before they are given one turn each. */
const IDLE_TIMERS_MAX = 200;
/** Timers between two turns of the event loop where nobody looks. */
const TIMERS_PER_TURN = 64;

export interface HandlerDriverOptions {
  readonly traffic: WebhookTraffic;
  /** Real ms that a script may take. */
  readonly scriptTimeoutMs: number;
  /** Awaited at every instant before time goes on. */
  readonly settle: (() => unknown) | null;
}

export class HandlerDriver {
  readonly #options: HandlerDriverOptions;
  readonly #patience = new StallTimeout();
  #time: FakeTime;
  #idleTimers = 0;

  constructor(time: FakeTime, options: HandlerDriverOptions) {
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

  /** Plays the script to its end; resolves with the reason when it had to be given up. */
  async runs(
    session: ScriptSession,
    instance: HandlerInstance,
    signal: AbortSignal | undefined,
  ): Promise<string | null> {
    const deadlineMs = realNowMs() + this.#options.scriptTimeoutMs;
    let busyRounds = 0;
    let idleRounds = 0;
    for (;;) {
      if (signal?.aborted) return 'interrupted';
      if (realNowMs() > deadlineMs) {
        return `it took more than ${this.#options.scriptTimeoutMs} ms of real time`;
      }
      const roundMs = this.nowMs;
      const actions = session.runner.due(roundMs);
      const refusal = await this.#perform(session, instance, actions);
      if (refusal !== null) return refusal;
      if (session.runner.done) return null;
      if (actions.length > 0 && busyRounds < ROUNDS_MAX) {
        busyRounds += 1;
        continue;
      }
      const wakeMs = session.runner.nextWakeMs();
      if (wakeMs !== null && wakeMs <= roundMs && idleRounds < IDLE_ROUNDS_MAX) {
        idleRounds += 1;
        continue;
      }
      const targetMs = this.#nextInstant(session, wakeMs);
      if (targetMs === null) return 'nothing is left that could move it on';
      await this.#passTime(session, targetMs, deadlineMs);
      busyRounds = idleRounds = 0;
    }
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
    const stallsMs = realNowMs() + this.#patience.stallMs(['']);
    while (!over && realNowMs() < deadlineMs) {
      await this.#turn();
      const next = this.#time.nextAtMs();
      if (!over && next !== null && realNowMs() > stallsMs) this.#time.moveTo(Math.max(next, this.nowMs));
    }
    return settled;
  }

  /** Carries out what is due, in order; neighbours of one kind leave together. */
  async #perform(
    session: ScriptSession,
    instance: HandlerInstance,
    actions: readonly RunnerAction[],
  ): Promise<string | null> {
    let group: OutgoingCall[] = [];
    for (const action of actions) {
      if (action.kind === 'call') {
        if (group.length > 0 && group[0]?.mayWait !== action.call.mayWait) {
          await this.#send(session, group);
          group = [];
        }
        group.push(action.call);
        continue;
      }
      await this.#send(session, group);
      group = [];
      if (action.kind === 'expect-webhook') {
        session.expectWebhook(action.token, action.answers, () => this.#instant());
      } else if (action.kind === 'expect-storage') {
        session.expectStorage(action.token, () => this.#instant());
      } else {
        if (instance.setWorkers === undefined) return 'the handler has no setWorkers';
        const sentMs = this.nowMs;
        await this.finish(instance.setWorkers(action.count, session.allocation.endpoint));
        session.workersChanged(action.lane, action.count, sentMs, this.nowMs);
      }
    }
    await this.#send(session, group);
    return null;
  }

  #instant(): { earliestMs: number; latestMs: number } {
    return { earliestMs: this.nowMs, latestMs: this.nowMs };
  }

  async #send(session: ScriptSession, calls: readonly OutgoingCall[]): Promise<void> {
    if (calls.length === 0) return;
    this.#idleTimers = 0;
    const requests = calls.map((call) => session.send(call, this.nowMs, null));
    if (calls[0]?.mayWait === true) await this.#quiet(session, this.#patience.turns);
    else await this.#answered(session, requests);
    session.completeSettled(this.nowMs);
    // The handler was called; what it has not answered while time stood still waits for time.
    for (const request of requests) if (request.result === null) session.arrived(request, this.nowMs);
  }

  /** Ordinary calls are over before the clock moves, save those that turn out to wait for time. */
  async #answered(session: ScriptSession, requests: readonly InFlightRequest[]): Promise<void> {
    const kinds = requests.map(({ call }) => call.op ?? call.method);
    const stallMs = this.#patience.stallMs(kinds);
    let newsMs = realNowMs();
    let open = Infinity;
    for (let turns = 0; ; turns += 1) {
      const left = requests.filter((request) => request.result === null);
      if (left.length === 0) return this.#patience.answeredAfter(turns);
      if (left.length < open) newsMs = realNowMs();
      open = left.length;
      if (turns > this.#patience.turns && realNowMs() - newsMs > stallMs) {
        for (const { call } of left) this.#patience.stalled(call.op ?? call.method);
        return;
      }
      await this.#turn();
      session.completeSettled(this.nowMs);
    }
  }

  /** Resolves when so many turns in a row have brought nothing, and no webhook call is on its way. */
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

  async #passTime(session: ScriptSession, targetMs: number, deadlineMs: number): Promise<void> {
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
      await this.#quiet(session, this.#idleTimers > IDLE_TIMERS_MAX ? 1 : this.#patience.turns);
      this.#giveUp(session);
      return;
    }
    await this.#moveBlindly(targetMs, deadlineMs);
    await this.#quiet(session, this.#patience.turns);
  }

  /** Fires timer by timer, each at its own instant, with what their promises lead to. */
  async #moveBlindly(targetMs: number, deadlineMs: number): Promise<void> {
    for (let timers = 1; ; timers += 1) {
      const next = this.#time.nextAtMs();
      if (next === null || next > targetMs) break;
      this.#time.moveTo(Math.max(next, this.nowMs));
      if (this.#patience.turns > 8 || timers % TIMERS_PER_TURN === 0) await realTurn();
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
