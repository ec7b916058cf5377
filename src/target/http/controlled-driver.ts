/**
 * Runs scripts on a target whose clock stands still between calls of `advance`, one after the other: the clock
 * is one for all, so scripts side by side would cost the same advances and share each other's instants.
 *
 * All times are those of the controlled clock, zero at the start of the run.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { OutgoingCall, RunnerAction } from '../../runner/api.js';
import type { Operation } from '../../spec/types.js';
import type { InFlightRequest } from '../session/http-client.js';
import { ControlError } from './control.js';
import type { Control } from './control.js';
import {
  dueInstant,
  giveUpInstant,
  settledOrStalled,
  settledWithin,
  socketsRead,
  wayMs,
} from '../session/in-flight.js';
import { ClockStepPolicy, StallDetector, ReplyLatencyEstimator, WAITED_FOR_MS } from './clock-steps.js';
import type { ScriptSession } from '../session/script-session.js';
import type { ArrivalTime, WebhookReceiver } from '../session/webhook-receiver.js';

/** How long to wait for `received` to show a call, and how long to let it arrive where nothing is counted. */
const ARRIVAL_MS = 2_000;
const ARRIVAL_UNCOUNTED_MS = 30;
/** How long to look for a reply where everything says that it must be out, and after any step of the clock. */
const QUIET_LONG_MS = 400;
const QUIET_SHORT_MS = 1;
/** A step of the target's clock that nobody would call late. */
const SHORT_STEP_MS = 100;
/** Rounds at one instant, with and without something to do, after which the clock is moved all the same. */
const BUSY_ROUNDS_MAX = 5_000;
const IDLE_ROUNDS_MAX = 3;

export class ControlledDriver {
  readonly #control: Control;
  readonly #receiver: WebhookReceiver | null;
  /** The target's time at the start of the run. */
  #zeroMs = 0;
  #nowMs = 0;
  /** While an advance is in progress: where it goes, and whether everything it causes happens just there. */
  #arrival: ArrivalTime = { earliestMs: 0, latestMs: 0 };
  readonly #patience = new StallDetector();
  /** Calls whose `wait` was over when their reply was looked for with patience. */
  readonly #lookedFor = new WeakSet<InFlightRequest>();
  readonly #reactions = new ReplyLatencyEstimator();
  /** When calls were sent, in ms that really passed. */
  readonly #sentAtMs = new WeakMap<InFlightRequest, number>();
  #countsCalls: boolean;

  constructor(control: Control, receiver: WebhookReceiver | null) {
    this.#control = control;
    this.#receiver = receiver;
    this.#countsCalls = control.hasEndpoints;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** Makes the present instant the zero of the run's time. */
  async start(): Promise<void> {
    this.#zeroMs = (await this.#control.clock()).nowMs;
    this.#setNow(0);
  }

  /** Lets time pass outside of any script. */
  async pause(ms: number): Promise<void> {
    await this.#advanceTo(this.#nowMs + ms, true);
  }

  /** Plays the script to its end; resolves with the reason when it had to be given up. */
  async run(session: ScriptSession, signal: AbortSignal | undefined): Promise<string | null> {
    const pace = new ClockStepPolicy(this.#nowMs);
    let busyRounds = 0;
    let idleRounds = 0;
    for (;;) {
      if (signal?.aborted) return 'interrupted';
      const roundMs = this.#nowMs;
      const actions = session.runner.due(roundMs);
      if (actions.length > 0) pace.disturbed(roundMs);
      await this.#perform(session, actions);
      if (session.runner.done) return null;
      if (actions.length > 0) busyRounds += 1;
      else {
        const wakeMs = session.runner.nextWakeMs();
        if (wakeMs === null && session.inFlight.size === 0) return 'nothing is left that could move it on';
        if (wakeMs === null || wakeMs > roundMs) await this.#passTime(session, wakeMs, pace);
        else idleRounds += 1;
      }
      if (busyRounds > BUSY_ROUNDS_MAX || idleRounds > IDLE_ROUNDS_MAX)
        await this.#advanceTo(roundMs + 1, false);
      if (this.#nowMs !== roundMs) busyRounds = idleRounds = 0;
    }
  }

  /** Carries out what is due, in order; neighbours of one kind leave together. */
  async #perform(session: ScriptSession, actions: readonly RunnerAction[]): Promise<void> {
    let group: OutgoingCall[] = [];
    for (const action of actions) {
      if (action.kind === 'call') {
        if (group.length > 0 && group[0]?.mayWait !== action.call.mayWait) {
          await this.#sendGroup(session, group);
          group = [];
        }
        group.push(action.call);
        continue;
      }
      await this.#sendGroup(session, group);
      group = [];
      if (action.kind === 'expect-webhook') {
        session.expectWebhook(action.token, action.answers, () => this.#arrival);
      } else if (action.kind === 'expect-storage') {
        session.expectStorage(action.token, () => this.#arrival);
      } else {
        await this.#control.setWorkers(session.allocation.endpoint, action.count);
        session.workersChanged(action.lane, action.count, this.#nowMs, this.#nowMs);
      }
    }
    await this.#sendGroup(session, group);
  }

  async #sendGroup(session: ScriptSession, calls: readonly OutgoingCall[]): Promise<void> {
    if (calls.length === 0) return;
    if (calls[0]?.mayWait === true) await this.#sendWaiting(session, calls);
    else await this.#sendOrdinary(session, calls);
  }

  /** Ordinary calls are over before the clock moves, save those that turn out to wait for time. */
  async #sendOrdinary(session: ScriptSession, calls: readonly OutgoingCall[]): Promise<void> {
    const requests = this.#send(session, calls);
    // What is held back here waits for nothing that happens there.
    await Promise.all(requests.flatMap(({ upload }) => upload?.rest ?? []));
    const fromMs = performance.now();
    const ops = [...new Set(calls.map(({ op }) => op))];
    const isOf = (op: Operation | null) => (request: InFlightRequest) => request.call.op === op;
    await Promise.all(
      ops.map((op) => settledOrStalled(requests.filter(isOf(op)), this.#patience.stallMs(op) + wayMs(calls))),
    );
    const waiting = requests.filter((request) => request.result === null);
    for (const request of waiting) this.#stalled(session, request);
    if (waiting.length === 0 && calls.length === 1)
      this.#patience.answered(performance.now() - fromMs - wayMs(calls));
    session.completeSettled(this.#nowMs);
  }

  /** What was waited for once, and never came, is not waited for again. */
  #stalled(session: ScriptSession, request: InFlightRequest): void {
    const { op } = request.call;
    this.#patience.stalled(op);
    const openMs = this.#openMs(request);
    if (this.#patience.givesUp(op)) this.#abandon(session, request);
    else if (openMs >= WAITED_FOR_MS) request.patienceMs = openMs;
  }

  /** For how long it has really been open. */
  #openMs(request: InFlightRequest): number {
    return Math.floor(performance.now() - this.#sentAtMs.get(request)!);
  }

  /** Calls that may wait are known to have arrived before the clock moves, where the target counts them. */
  async #sendWaiting(session: ScriptSession, calls: readonly OutgoingCall[]): Promise<void> {
    const { endpoint, secondEndpoint } = session.allocation;
    const endpoints = [...new Set(calls.map((call) => call.endpoint))];
    const counted = this.#countsCalls && endpoints.every((id) => id === endpoint || id === secondEndpoint);
    const before = counted ? await this.#received(endpoints) : 0;
    const requests = this.#send(session, calls);
    if (!counted) await settledWithin(requests, ARRIVAL_UNCOUNTED_MS + wayMs(calls));
    else if (await this.#haveArrived(endpoints, before, requests)) {
      for (const request of requests) if (request.result === null) session.arrived(request, this.#nowMs);
    }
    session.completeSettled(this.#nowMs);
  }

  #send(session: ScriptSession, calls: readonly OutgoingCall[]): readonly InFlightRequest[] {
    const atMs = performance.now();
    const requests = calls.map((call) => session.send(call, this.#nowMs, null));
    for (const request of requests) this.#sentAtMs.set(request, atMs);
    return requests;
  }

  async #haveArrived(
    endpoints: readonly string[],
    before: number,
    requests: readonly InFlightRequest[],
  ): Promise<boolean> {
    const patienceMs = ARRIVAL_MS + wayMs(requests.map((request) => request.call));
    let counted = 0;
    let deadline = performance.now() + patienceMs;
    do {
      if (requests.every((request) => request.result !== null)) return true;
      const arrived = (await this.#received(endpoints)) - before;
      if (arrived >= requests.length) return true;
      if (arrived > counted) deadline = performance.now() + patienceMs;
      counted = Math.max(counted, arrived);
      await sleep(1);
    } while (performance.now() < deadline);
    // Who counts nothing is not asked again.
    if (counted === 0) this.#countsCalls = false;
    return false;
  }

  async #received(endpoints: readonly string[]): Promise<number> {
    let sum = 0;
    for (const endpoint of endpoints) sum += await this.#control.received(endpoint);
    return sum;
  }

  /** Nothing can be done at this instant any more: goes to the next one at which something may be. */
  async #passTime(session: ScriptSession, wakeMs: number | null, pace: ClockStepPolicy): Promise<void> {
    const watches = session.expectsWebhooks || session.inFlight.size > 0;
    if (!watches) return this.#advanceTo(wakeMs ?? this.#nowMs, true);
    if (pace.unsettled) {
      // What needs no time happens now, and must not be taken for something that the next step brought.
      await this.#advanceTo(this.#nowMs, true);
      pace.unsettled = false;
      if (await this.#collect(session, QUIET_SHORT_MS)) return pace.observed(this.#nowMs);
    }
    const next = (await this.#control.clock()).nextEventAtMs;
    const nextMs = next === null ? null : next - this.#zeroMs;
    if (nextMs === null && (await this.#collect(session, QUIET_LONG_MS))) return pace.observed(this.#nowMs);
    const instants = [
      wakeMs,
      nextMs === null ? null : pace.stepTo(this.#nowMs, nextMs),
      ...[...session.inFlight].flatMap((request) => [dueInstant(request), giveUpInstant(request)]),
    ].filter((instant) => instant !== null && instant > this.#nowMs);
    const targetMs = Math.min(...(instants as number[]));
    if (!Number.isFinite(targetMs)) return;
    // A reply that is missed now is taken for one that the next step brought: harmless while steps are small.
    const isLong = targetMs - this.#nowMs > SHORT_STEP_MS;
    if (isLong && (await this.#collect(session, this.#reactions.quietMs))) return pace.observed(this.#nowMs);
    await this.#advanceTo(targetMs, nextMs === null || nextMs >= targetMs);
    if (await this.#collect(session, QUIET_SHORT_MS, this.#dueNow(session))) pace.observed(this.#nowMs);
    await this.#giveUp(session);
  }

  /** Calls whose reply is due now, by their `wait`; each is named once. */
  #dueNow(session: ScriptSession): readonly InFlightRequest[] {
    const due = [...session.inFlight].filter(
      (request) =>
        request.call.mayWait && this.#nowMs >= dueInstant(request) && !this.#lookedFor.has(request),
    );
    for (const request of due) this.#lookedFor.add(request);
    return due;
  }

  /** Takes in what this instant has brought, with patience for what is due; false when there were no replies. */
  async #collect(
    session: ScriptSession,
    quietMs: number,
    due: readonly InFlightRequest[] = [],
  ): Promise<boolean> {
    let seen = false;
    if (session.expectsWebhooks && this.#receiver !== null) {
      // Its calls have ended when `advance` is answered.
      await socketsRead();
      await this.#receiver.idle(1_000);
    }
    let fromMs = performance.now();
    const patienceMs = (): number => (due.some(({ result }) => result === null) ? QUIET_LONG_MS : quietMs);
    while (session.inFlight.size > 0 && (await settledWithin([...session.inFlight], patienceMs(), 'any'))) {
      this.#reactions.observe(performance.now() - fromMs);
      fromMs = performance.now();
      seen = session.completeSettled(this.#nowMs) || seen;
    }
    return seen;
  }

  /** A call that the target's time does not bring to an end is really waited for, too, once for each operation. */
  async #giveUp(session: ScriptSession): Promise<void> {
    const overdue = [...session.inFlight].filter((request) => this.#nowMs >= giveUpInstant(request));
    for (const request of overdue) {
      const { op } = request.call;
      if (!this.#patience.isInVain(op))
        await settledWithin([request], Math.max(0, WAITED_FOR_MS - this.#openMs(request)));
      if (request.result !== null) continue;
      this.#patience.waitedInVain(op);
      this.#abandon(session, request);
    }
  }

  #abandon(session: ScriptSession, request: InFlightRequest): void {
    request.patienceMs = this.#openMs(request);
    request.abort();
    request.result = { reply: null, lost: 'timeout', detail: 'no reply long after it was due' };
    session.complete(request, this.#nowMs, this.#patience.givesUp(request.call.op));
  }

  async #advanceTo(targetMs: number, exact: boolean): Promise<void> {
    this.#arrival = { earliestMs: exact ? targetMs : this.#nowMs, latestMs: targetMs };
    let reached = this.#nowMs;
    for (let tries = 0; tries < 3; tries += 1) {
      reached = (await this.#control.advance(targetMs - reached)) - this.#zeroMs;
      if (reached >= targetMs) break;
    }
    if (reached < targetMs) {
      throw new ControlError(
        `the clock does not advance: it shows ${reached} ms and was sent to ${targetMs} ms`,
      );
    }
    this.#setNow(reached);
  }

  #setNow(nowMs: number): void {
    this.#nowMs = nowMs;
    this.#arrival = { earliestMs: nowMs, latestMs: nowMs };
  }
}
