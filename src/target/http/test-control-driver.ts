/**
 * Moves the clock of a target under test control, which stands still between calls of `advance`. All times are those
 * of that clock, zero at the start of the run.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { OutgoingCall } from '../../runner/api.js';
import type { Operation } from '../../spec/types.js';
import type { InFlightRequest } from '../session/http-client.js';
import { ControlledDriver } from '../session/controlled-driver.js';
import { ControlError, type Control } from './control.js';
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
/** A step of the target's clock that is too short to count as late. */
const SHORT_STEP_MS = 100;
/** Rounds at one instant with something to do, after which the clock is moved all the same. */
const BUSY_ROUNDS_MAX = 5_000;

export class TestControlDriver extends ControlledDriver {
  readonly #control: Control;
  readonly #receiver: WebhookReceiver | null;
  /** The target's time at the start of the run. */
  #zeroMs = 0;
  #nowMs = 0;
  /** While an advance is in progress: where it goes, and whether everything it causes happens just there. */
  #arrival: ArrivalTime = { earliestMs: 0, latestMs: 0 };
  readonly #stalls = new StallDetector();
  /** Calls whose `wait` was over when their reply was awaited until it was due. */
  readonly #awaited = new WeakSet<InFlightRequest>();
  readonly #replyLatency = new ReplyLatencyEstimator();
  /** When calls were sent, in ms that really passed. */
  readonly #sentAtMs = new WeakMap<InFlightRequest, number>();
  #countsCalls: boolean;
  #steps = new ClockStepPolicy(0);

  constructor(control: Control, receiver: WebhookReceiver | null) {
    super(BUSY_ROUNDS_MAX);
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

  protected begin(): void {
    this.#steps = new ClockStepPolicy(this.#nowMs);
  }

  protected override disturbed(): void {
    this.#steps.disturbed(this.#nowMs);
  }

  protected arrival(): ArrivalTime {
    return this.#arrival;
  }

  protected async setWorkers(endpoint: string, count: number): Promise<null> {
    await this.#control.setWorkers(endpoint, count);
    return null;
  }

  protected async leaveInstant(): Promise<boolean> {
    await this.#advanceTo(this.#nowMs + 1, false);
    return true;
  }

  protected async send(session: ScriptSession, calls: readonly OutgoingCall[]): Promise<void> {
    if (calls[0]?.mayWait === true) await this.#sendWaiting(session, calls);
    else await this.#sendOrdinary(session, calls);
  }

  /** Ordinary calls are over before the clock moves, save those that turn out to wait for time. */
  async #sendOrdinary(session: ScriptSession, calls: readonly OutgoingCall[]): Promise<void> {
    const requests = this.#start(session, calls);
    // What is held back here waits for nothing that happens there.
    await Promise.all(requests.flatMap(({ upload }) => upload?.rest ?? []));
    const fromMs = performance.now();
    const ops = [...new Set(calls.map(({ op }) => op))];
    const isOf = (op: Operation | null) => (request: InFlightRequest) => request.call.op === op;
    await Promise.all(
      ops.map((op) => settledOrStalled(requests.filter(isOf(op)), this.#stalls.stallMs(op) + wayMs(calls))),
    );
    const waiting = requests.filter((request) => request.result === null);
    for (const request of waiting) this.#stalled(session, request);
    if (waiting.length === 0 && calls.length === 1) {
      const tookMs = performance.now() - fromMs - wayMs(calls);
      this.#stalls.answered(tookMs);
      this.#replyLatency.observeOrdinary(tookMs);
    }
    session.completeSettled(this.#nowMs);
  }

  /** What was waited for once, and never came, is not waited for again. */
  #stalled(session: ScriptSession, request: InFlightRequest): void {
    const { op } = request.call;
    this.#stalls.stalled(op);
    const openMs = this.#openMs(request);
    if (this.#stalls.givesUp(op)) this.#abandon(session, request);
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
    const requests = this.#start(session, calls);
    if (!counted) await settledWithin(requests, ARRIVAL_UNCOUNTED_MS + wayMs(calls));
    else if (await this.#haveArrived(endpoints, before, requests)) {
      for (const request of requests) if (request.result === null) session.arrived(request, this.#nowMs);
    }
    session.completeSettled(this.#nowMs);
  }

  #start(session: ScriptSession, calls: readonly OutgoingCall[]): readonly InFlightRequest[] {
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

  protected async passTime(session: ScriptSession, wakeMs: number | null): Promise<boolean> {
    if (wakeMs === null && session.inFlight.size === 0) return false;
    await this.#goToNextInstant(session, wakeMs);
    return true;
  }

  async #goToNextInstant(session: ScriptSession, wakeMs: number | null): Promise<void> {
    const watches = session.expectsWebhooks || session.inFlight.size > 0;
    if (!watches) return this.#advanceTo(wakeMs ?? this.#nowMs, true);
    if (this.#steps.unsettled) {
      // What needs no time happens now, and must not be taken for something that the next step brought.
      await this.#advanceTo(this.#nowMs, true);
      this.#steps.unsettled = false;
      if (await this.#collect(session, QUIET_SHORT_MS)) return this.#steps.observed(this.#nowMs);
    }
    const next = (await this.#control.clock()).nextEventAtMs;
    const nextMs = next === null ? null : next - this.#zeroMs;
    if (nextMs === null && (await this.#collect(session, QUIET_LONG_MS)))
      return this.#steps.observed(this.#nowMs);
    const instants = [
      wakeMs,
      nextMs === null ? null : this.#steps.stepTo(this.#nowMs, nextMs),
      ...[...session.inFlight].flatMap((request) => [dueInstant(request), giveUpInstant(request)]),
    ].filter((instant) => instant !== null && instant > this.#nowMs);
    const targetMs = Math.min(...(instants as number[]));
    if (!Number.isFinite(targetMs)) return;
    // A reply that is missed now is taken for one that the next step brought: harmless while steps are small.
    const isLong = targetMs - this.#nowMs > SHORT_STEP_MS;
    if (isLong && (await this.#collect(session, this.#replyLatency.quietMs)))
      return this.#steps.observed(this.#nowMs);
    await this.#advanceTo(targetMs, nextMs === null || nextMs >= targetMs);
    if (await this.#collect(session, QUIET_SHORT_MS, this.#dueNow(session)))
      this.#steps.observed(this.#nowMs);
    await this.#giveUp(session);
  }

  /** Calls whose reply is due now, by their `wait`; each is named once. */
  #dueNow(session: ScriptSession): readonly InFlightRequest[] {
    const due = [...session.inFlight].filter(
      (request) => request.call.mayWait && this.#nowMs >= dueInstant(request) && !this.#awaited.has(request),
    );
    for (const request of due) this.#awaited.add(request);
    return due;
  }

  /** Processes the replies of this instant, and waits for those that are due; false when there were no replies. */
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
      this.#replyLatency.observe(performance.now() - fromMs);
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
      if (!this.#stalls.isInVain(op))
        await settledWithin([request], Math.max(0, WAITED_FOR_MS - this.#openMs(request)));
      if (request.result !== null) continue;
      this.#stalls.waitedInVain(op);
      this.#abandon(session, request);
    }
  }

  #abandon(session: ScriptSession, request: InFlightRequest): void {
    request.patienceMs = this.#openMs(request);
    request.abort();
    request.result = { reply: null, lost: 'timeout', detail: 'no reply long after it was due' };
    session.complete(request, this.#nowMs, this.#stalls.givesUp(request.call.op));
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
