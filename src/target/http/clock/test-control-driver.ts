/** Drives a script under test control. All times are those of the target's clock, zero at the start of the run. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { OutgoingCall } from '../../../runner/api.js';
import type { Operation } from '../../../spec/types.js';
import type { InFlightRequest } from '../../session/http-client.js';
import { ControlledDriver } from '../../session/controlled-driver.js';
import type { Control } from '../control.js';
import { allReleased } from './held-arrivals.js';
import type { RunClock } from './run-clock.js';
import {
  dueInstant,
  giveUpInstant,
  settledOrStalled,
  settledWithin,
  socketsRead,
  wayMs,
} from '../../session/in-flight.js';
import { ClockStepPolicy, WAITED_FOR_MS } from './clock-steps.js';
import type { ReplyTimes } from '../probes/reply-times.js';
import { ShownCalls } from '../shown-calls.js';
import type { ScriptSession } from '../../session/script-session.js';
import type { ArrivalTime, WebhookReceiver } from '../../session/webhook-receiver.js';

/** How long to wait for `received` to show a call, and how long to let it arrive where nothing is counted. */
const ARRIVAL_MS = 2_000;
const ARRIVAL_UNCOUNTED_MS = 30;
/** How long to look for a reply that is due, and after any step of the clock. */
const QUIET_LONG_MS = 400;
const QUIET_SHORT_MS = 1;
/** How often the clock is asked again until it shows what is to happen. */
const ASK_AGAIN_MS = 20;
/** A step of the clock that is too short to count as late. */
const SHORT_STEP_MS = 100;
/** Rounds at one instant with something to do, after which the clock is moved anyway. */
const BUSY_ROUNDS_MAX = 5_000;

export class TestControlDriver extends ControlledDriver {
  readonly #clock: RunClock;
  readonly #control: Control;
  readonly #receiver: WebhookReceiver | null;
  readonly #times: ReplyTimes;
  /** Calls whose `wait` was over when their reply was awaited until it was due. */
  readonly #awaited = new WeakSet<InFlightRequest>();
  readonly #shown = new ShownCalls();
  /** When calls were sent, in ms that really passed. */
  readonly #sentAtMs = new WeakMap<InFlightRequest, number>();
  /** In ms that really passed: since when neither a call nor a step of the clock can have caused a reply. */
  #stillSinceMs = 0;
  #steps: ClockStepPolicy;

  constructor(clock: RunClock, control: Control, receiver: WebhookReceiver | null, times: ReplyTimes) {
    super(BUSY_ROUNDS_MAX);
    this.#clock = clock;
    this.#control = control;
    this.#receiver = receiver;
    this.#times = times;
    this.#steps = new ClockStepPolicy(clock.nowMs);
  }

  get nowMs(): number {
    return this.#clock.nowMs;
  }

  async pause(ms: number): Promise<void> {
    await this.#clock.advanceTo(this.nowMs + ms, true);
  }

  protected begin(): void {
    this.#steps = new ClockStepPolicy(this.nowMs);
  }

  protected override disturbed(): void {
    this.#steps.disturbed(this.nowMs);
    this.#clock.disturbed();
  }

  protected arrival(): ArrivalTime {
    return this.#clock.arrival;
  }

  protected async setWorkers(endpoint: string, count: number): Promise<null> {
    await this.#control.setWorkers(endpoint, count);
    return null;
  }

  protected async leaveInstant(): Promise<boolean> {
    await this.#clock.advanceTo(this.nowMs + 1, false);
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
    await allReleased(requests, this.#times.countsCalls ? this.#control : null);
    const fromMs = performance.now();
    this.#stillSinceMs = fromMs;
    const ops = [...new Set(calls.map(({ op }) => op))];
    const isOf = (op: Operation | null) => (request: InFlightRequest) => request.call.op === op;
    const asked = async (those: readonly InFlightRequest[]): Promise<void> => {
      await Promise.all(
        ops.map((op) =>
          settledOrStalled(those.filter(isOf(op)), this.#times.stalls.stallMs(op) + wayMs(calls)),
        ),
      );
      if (those.some(isOpen)) await this.#echo();
    };
    await asked(requests);
    const again = ops.flatMap((op) => this.#askAgain(session, requests.filter(isOf(op)).filter(isOpen)));
    if (again.length > 0) await asked(again);
    const waiting = [...requests, ...again].filter(isOpen);
    for (const request of waiting) this.#stalled(session, request);
    const tookMs = performance.now() - fromMs;
    const areAnswered = waiting.length === 0 && again.length === 0;
    if (areAnswered) this.#times.slowestMs = Math.max(this.#times.slowestMs, tookMs);
    if (areAnswered && calls.length === 1) {
      this.#times.stalls.answered(tookMs - wayMs(calls));
      this.#times.replyLatency.observeOrdinary(tookMs - wayMs(calls));
    }
    session.completeSettled(this.nowMs);
  }

  /** Asks for what reads did not bring, where it may have been lost on its way. */
  #askAgain(session: ScriptSession, waiting: readonly InFlightRequest[]): readonly InFlightRequest[] {
    const isRepeatable = waiting.every(({ call }) => Object.keys(call.query).length === 0);
    if (waiting.length === 0 || !isRepeatable) return [];
    if (!this.#times.stalls.asksAgain(waiting[0]!.call.op, waiting.length)) return [];
    for (const request of waiting) this.#patient(request);
    return this.#timed(() => waiting.map((request) => session.askAgain(request, this.nowMs)));
  }

  /** What was waited for once, and never came, is not waited for again. */
  #stalled(session: ScriptSession, request: InFlightRequest): void {
    const { op } = request.call;
    this.#times.stalls.stalled(op);
    const openMs = this.#openMs(request);
    if (this.#times.stalls.givesUp(op)) this.#abandon(session, request);
    else if (openMs >= WAITED_FOR_MS) this.#patient(request);
  }

  /** Records for how long it was really waited for, and beside what that is long. */
  #patient(request: InFlightRequest): void {
    request.patienceMs = this.#openMs(request);
    request.slowestMs = Math.ceil(this.#times.slowestMs);
  }

  /** For how long it has really been open. */
  #openMs(request: InFlightRequest): number {
    return Math.floor(performance.now() - this.#sentAtMs.get(request)!);
  }

  /** Calls that may wait are known to have arrived before the clock moves, where the target counts them. */
  async #sendWaiting(session: ScriptSession, calls: readonly OutgoingCall[]): Promise<void> {
    const { endpoint, secondEndpoint } = session.allocation;
    const endpoints = [...new Set(calls.map((call) => call.endpoint))];
    const counted =
      this.#times.countsCalls && endpoints.every((id) => id === endpoint || id === secondEndpoint);
    const before = counted ? await this.#received(endpoints) : 0;
    const requests = this.#start(session, calls);
    if (!counted) {
      await settledWithin(requests, ARRIVAL_UNCOUNTED_MS + wayMs(calls));
      await this.#echo();
    } else if (await this.#haveArrived(endpoints, before, requests)) {
      for (const request of requests) if (request.result === null) session.arrived(request, this.nowMs);
    }
    for (const request of requests) if (request.call.hangsUp === true) hangUp(request);
    session.completeSettled(this.nowMs);
  }

  #start(session: ScriptSession, calls: readonly OutgoingCall[]): readonly InFlightRequest[] {
    return this.#timed(() => calls.map((call) => session.send(call, this.nowMs, null)));
  }

  #timed(send: () => readonly InFlightRequest[]): readonly InFlightRequest[] {
    const atMs = performance.now();
    this.#stillSinceMs = atMs;
    const requests = send();
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
    let askedMs: number;
    do {
      if (requests.every((request) => request.result !== null)) return true;
      askedMs = performance.now();
      const arrived = (await this.#received(endpoints)) - before;
      if (arrived > 0) this.#times.hasCountedCalls = true;
      if (arrived >= requests.length) return true;
      if (arrived > counted) deadline = performance.now() + patienceMs;
      counted = Math.max(counted, arrived);
      await sleep(1);
      // A target that answers late takes in late.
    } while (askedMs < deadline);
    // Who counts nothing is not asked again.
    if (!this.#times.hasCountedCalls) this.#times.countsCalls = false;
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
    if (!watches) return this.#clock.advanceTo(wakeMs ?? this.nowMs, true);
    const { isFarAway } = this.#times;
    const askNext = (): Promise<number | null> => this.#clock.nextEventMs();
    // Far away each round trip counts: where nothing is due now, nothing is left that needs no time.
    let nextMs = isFarAway || !this.#steps.unsettled ? await askNext() : null;
    if (this.#steps.unsettled) {
      // What needs no time happens now, and must not be taken for something that the next step brought.
      const isSettled = isFarAway && (nextMs === null || nextMs > this.nowMs);
      if (!isSettled) await this.#clock.advanceTo(this.nowMs, true);
      this.#steps.unsettled = false;
      if (await this.#collect(session, QUIET_SHORT_MS)) return this.#steps.observed(this.nowMs);
      if (!isSettled) nextMs = await askNext();
    }
    const fromMs = performance.now();
    const { inFlight } = session;
    for (;;) {
      const patienceMs = this.#shown.patienceMs(inFlight, this.nowMs, nextMs);
      if (performance.now() - fromMs >= patienceMs) break;
      // Webhooks are told by nothing that could be waited for.
      if (inFlight.size === 0) await sleep(ASK_AGAIN_MS);
      if (await this.#collect(session, ASK_AGAIN_MS)) return this.#steps.observed(this.nowMs);
      this.#clock.disturbed();
      nextMs = await askNext();
    }
    this.#shown.giveUp(inFlight, this.nowMs, nextMs);
    const instants = [
      wakeMs,
      nextMs === null ? null : this.#steps.stepTo(this.nowMs, nextMs),
      ...[...session.inFlight].flatMap((request) => [dueInstant(request), giveUpInstant(request)]),
    ].filter((instant) => instant !== null && instant > this.nowMs);
    const targetMs = Math.min(...(instants as number[]));
    if (!Number.isFinite(targetMs)) return;
    // A reply that is missed now is taken for one that the next step brought: harmless while steps are small.
    const isLong = targetMs - this.nowMs > SHORT_STEP_MS;
    if (isLong && (await this.#collect(session, this.#quietMs()))) return this.#steps.observed(this.nowMs);
    await this.#clock.advanceTo(targetMs, nextMs === null || nextMs >= targetMs);
    this.#stillSinceMs = performance.now();
    if (await this.#collect(session, QUIET_SHORT_MS, this.#dueNow(session))) this.#steps.observed(this.nowMs);
    await this.#giveUp(session);
  }

  /** How long to wait for replies before a long step. Far away, the wait for the next event is a part of it. */
  #quietMs(): number {
    const { replyLatency, isFarAway } = this.#times;
    const waitedMs = isFarAway ? performance.now() - this.#stillSinceMs : 0;
    return Math.max(QUIET_SHORT_MS, replyLatency.quietMs - waitedMs);
  }

  /** Calls whose reply is due now, by their `wait`; each is named once. */
  #dueNow(session: ScriptSession): readonly InFlightRequest[] {
    const due = [...session.inFlight].filter(
      (request) => request.call.mayWait && this.nowMs >= dueInstant(request) && !this.#awaited.has(request),
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
      await this.#receiver.idle(session.number, 1_000);
    }
    let fromMs = performance.now();
    const longMs = Math.max(QUIET_LONG_MS, this.#quietMs());
    const patienceMs = (): number => (due.some(({ result }) => result === null) ? longMs : quietMs);
    while (session.inFlight.size > 0 && (await this.#anySettles([...session.inFlight], patienceMs()))) {
      this.#times.replyLatency.observe(performance.now() - fromMs);
      fromMs = performance.now();
      seen = session.completeSettled(this.nowMs) || seen;
    }
    return seen;
  }

  /** Whether one of them is answered within this many real ms; far away also until an echo is back. */
  async #anySettles(requests: readonly InFlightRequest[], ms: number): Promise<boolean> {
    const echo = ms > QUIET_SHORT_MS ? this.#echo() : null;
    if (await settledWithin(requests, ms, 'any')) return true;
    await echo;
    return settledWithin(requests, 0, 'any');
  }

  /**
   * Over a network that is busy, time alone does not tell that no reply is under way: a call that is sent now, and
   * answered, does. That test control fails is told by the next call.
   */
  async #echo(): Promise<void> {
    if (this.#times.isFarAway) await this.#clock.echo().catch(() => undefined);
  }

  /** A call that the target's time does not bring to an end is really waited for, too, once for each operation. */
  async #giveUp(session: ScriptSession): Promise<void> {
    const overdue = [...session.inFlight].filter((request) => this.nowMs >= giveUpInstant(request));
    for (const request of overdue) {
      const { op } = request.call;
      if (!this.#times.stalls.isInVain(op))
        await settledWithin([request], Math.max(0, WAITED_FOR_MS - this.#openMs(request)));
      if (request.result !== null) continue;
      this.#times.stalls.waitedInVain(op);
      this.#abandon(session, request);
    }
  }

  #abandon(session: ScriptSession, request: InFlightRequest): void {
    this.#patient(request);
    request.abort();
    request.result = { reply: null, lost: 'timeout', detail: 'no reply long after it was due' };
    session.complete(request, this.nowMs, this.#times.stalls.givesUp(request.call.op));
  }
}

const isOpen = ({ result }: InFlightRequest): boolean => result === null;

/** Breaks the call off as its script says, if it has not been answered. */
function hangUp(request: InFlightRequest): void {
  if (request.result !== null) return;
  request.abort();
  request.result = { reply: null, lost: 'hung-up', detail: 'the script broke it off' };
}
