import { bodyOf } from '../../history/body.js';
import type { Body, CallEvent, HistoryEvent } from '../../history/events.js';
import { canBeNamed } from '../../history/job-path.js';
import type { OutgoingCall, Player } from '../../runner/api.js';
import type { Script } from '../../scenario/script.js';
import type { CreatePlayer, HistorySink } from '../port.js';
import type { Carrier, Flight } from './http-client.js';
import { idIn, isSubmission, tellsOfAnEnd } from './job-record.js';
import type { LagWatch } from './event-loop-lag.js';
import type { CreatedJobs } from '../http/options.js';
import type { Pace } from '../../schedule/latency.js';
import { plannedMs } from '../../scenario/planned-work.js';
import type { ArrivalTime, WebhookReceiver } from './webhook-receiver.js';
import { WorkersSeen } from './observed-workers.js';

/** What all scripts of a target share, whatever its clock. */
export interface Stage {
  readonly carrier: Carrier;
  /** Null when the target cannot reach us. */
  readonly receiver: WebhookReceiver | null;
  readonly sink: HistorySink;
  readonly createPlayer: CreatePlayer;
  readonly auth: 'bare' | 'bearer';
  /** Input for jobs of a worker that follows no plans; null where it does. */
  readonly sampleInput: unknown;
  readonly createdJobs: CreatedJobs | null;
  /** Real milliseconds that an ordinary call may take. */
  readonly timeoutMs: number;
  /** How quick the target was found to be: what ends of jobs take beside their plans. */
  readonly pace: Pace;
  /** The longest that a script of the run wants to wait, ms. */
  readonly maxWaitMs: number;
  /** Null where the clock stands still while the harness is late. */
  readonly lag: LagWatch | null;
}

/** Where a script plays. */
export interface SessionPlace {
  readonly endpoint: string;
  /** The second endpoint, of a script that wants one and a target that has one. */
  readonly neighbour: string | null;
  readonly fresh: boolean;
  readonly workers: number | null;
}

/** More calls in a row than can be refused while the target is there. */
const REFUSED_MAX = 25;

/** How much later than planned a job that began at once has surely ended. */
const END_SLACK_MS = 1_500;

/** An address that nobody answers at, for scripts that name a webhook where none can come. */
const NO_RECEIVER = 'http://127.0.0.1:9/webhook';

/** One script being played: its player, its calls on their way, its events. It knows no clock of its own. */
export class ScriptSession {
  readonly script: Script;
  readonly number: number;
  readonly place: SessionPlace;
  readonly player: Player;
  /** Calls without an end, in order of sending. */
  readonly flights = new Set<Flight>();
  expectsWebhooks = false;
  readonly #stage: Stage;
  /** Jobs whose end a webhook has told, which the player does not hear. */
  readonly #notified = new Set<string>();
  readonly #created: string[] = [];
  /** Jobs that the player does not know: no call can name them, or they were made at an address of no operation. */
  readonly #unnamed = new Set<string>();
  /** When jobs whose plan comes to an end by itself will be over, if a worker was free for them. */
  readonly #probableEndMs = new Map<string, number>();
  #ended = false;
  readonly #workers: WorkersSeen;
  /** Calls that nobody waits for any more, whose answers would tell of jobs. */
  readonly #givenUp: Flight[] = [];
  readonly #lagMark: number;
  readonly #sentMarks = new WeakMap<Flight, number>();

  constructor(stage: Stage, script: Script, number: number, place: SessionPlace, startMs: number) {
    this.#stage = stage;
    this.#workers = new WorkersSeen(stage);
    this.#lagMark = stage.lag?.mark() ?? 0;
    this.script = script;
    this.number = number;
    this.place = place;
    this.#append({
      kind: 'script',
      script: number,
      scenario: script.scenario,
      title: script.title,
      endpoint: place.endpoint,
      ...(place.neighbour !== null ? { neighbour: place.neighbour } : {}),
      fresh: place.fresh,
      workers: place.workers,
      atMs: startMs,
    });
    this.player = stage.createPlayer(script, {
      endpoint: place.endpoint,
      ...(place.neighbour !== null ? { neighbour: place.neighbour } : {}),
      startMs,
      auth: stage.auth,
      otherKeys: stage.carrier.otherKeys,
      webhookUrl: (token) => stage.receiver?.urlOf(number, token) ?? NO_RECEIVER,
      sampleInput: stage.sampleInput,
    });
  }

  /** `clock` tells the target's time, where it goes on by itself. */
  send(call: OutgoingCall, nowMs: number, timeoutMs: number | null, clock?: () => number): Flight {
    const mark = this.#stage.lag?.mark() ?? 0;
    const flight = this.#stage.carrier.send(call, nowMs, timeoutMs, clock);
    this.#sentMarks.set(flight, mark);
    if (call.op === 'retry') {
      this.#notified.clear();
      this.#probableEndMs.clear();
    }
    this.flights.add(flight);
    return flight;
  }

  /** The call is known to have reached the target by then, while its reply is outstanding. */
  arrived(flight: Flight, byMs: number): void {
    if (flight.arrivedByMs !== null) return;
    flight.arrivedByMs = byMs;
    this.player.arrived(flight.call.call, byMs);
  }

  /** Nothing answers at the target's address any more. */
  get isDeserted(): boolean {
    return this.#stage.carrier.refusedInARow >= REFUSED_MAX;
  }

  /** Writes down a call that has ended by `endedMs`, and tells the player; `inVain`: no other call like it is answered. */
  complete(flight: Flight, endedMs: number, inVain = false): void {
    if (!this.flights.delete(flight)) return;
    const harnessLagMs = this.#stage.lag?.lostSinceMs(this.#sentMarks.get(flight)!) ?? 0;
    const event: CallEvent = {
      ...this.#stage.carrier.eventOf(flight, this.number, endedMs),
      ...(harnessLagMs === 0 ? {} : { harnessLagMs }),
    };
    this.#append(event);
    this.#enterIntoLedger(flight, event.reply?.body);
    this.#workers.see(event);
    const { sentMs, arrivedByMs, receivedMs, reply, lost } = event;
    this.player.replied(flight.call.call, { sentMs, arrivedByMs, receivedMs, reply, lost, inVain });
  }

  /** Completes the calls that have a result, in order of sending; true when there was one. */
  completeSettled(endedMs: number): boolean {
    const settled = [...this.flights].filter((flight) => flight.result !== null);
    for (const flight of settled) this.complete(flight, endedMs);
    return settled.length > 0;
  }

  /** By how much later than it came a thing may have been noticed that is noticed now. */
  get lateNowMs(): number {
    return this.#stage.lag?.justNowMs ?? 0;
  }

  expectWebhook(
    token: string,
    answers: Parameters<WebhookReceiver['expect']>[2],
    time: () => ArrivalTime,
    onArrival: () => void = () => undefined,
  ): void {
    this.expectsWebhooks = this.#stage.receiver !== null;
    this.#stage.receiver?.expect(this.number, token, answers, time, (event) => {
      this.#append(event);
      const id = idIn(event.body);
      if (id !== null) this.#notified.add(id);
      this.#workers.hasBegun = true;
      onArrival();
    });
  }

  expectStorage(token: string, time: () => ArrivalTime): void {
    this.expectsWebhooks = this.#stage.receiver !== null;
    this.#stage.receiver?.expectStorage(this.number, token, time, (event) => this.#append(event));
  }

  /** Some job of it is not known to have ended, and its plan says that it may still run. */
  mayOccupyWorkers(nowMs: number): boolean {
    return this.player
      .openJobs()
      .some((id) => !this.#notified.has(id) && nowMs < (this.#probableEndMs.get(id) ?? Infinity));
  }

  /** The jobs that are not known to have ended. */
  jobsToEnd(): readonly string[] {
    return [...this.player.openJobs(), ...[...this.#unnamed].filter((id) => !this.#notified.has(id))];
  }

  /** Some job of it was seen to be taken by a worker. */
  get hasBegun(): boolean {
    return this.#workers.hasBegun;
  }

  /** It has waited for a good while for its jobs, and no worker has taken any of them. */
  waitsInVain(nowMs: number): boolean {
    return this.#workers.waitsInVain(nowMs, this.flights);
  }

  /** The next instant at which it is too long for one of its calls, if it is not answered before; null for none. */
  nextTooLongMs(nowMs: number): number | null {
    const coming = [...this.flights]
      .flatMap((flight) => [this.#workers.tooLongFromMs(flight), this.#workers.inVainFromMs(flight)])
      .filter((atMs) => atMs > nowMs && atMs < Infinity);
    return coming.length === 0 ? null : Math.min(...coming);
  }

  /**
   * Gives up calls that the target may hold for longer than the run waits for anything: once they have lasted so
   * long, and at once where no worker takes their jobs. That they were not answered says nothing of the target.
   *
   * @param isStuck whether no worker was seen at work since then
   */
  giveUp(nowMs: number, byNowMs: number, isStuck: (sinceMs: number) => boolean): void {
    for (const flight of [...this.flights]) {
      const tooLongMs = this.#workers.tooLongFromMs(flight);
      const inVain = this.#workers.inVainFromMs(flight) <= nowMs && isStuck(flight.sentMs);
      if (tooLongMs === Infinity || (tooLongMs > nowMs && !inVain)) continue;
      this.#givenUp.push(flight);
      this.complete(flight, byNowMs);
    }
  }

  /** Jobs that late answers to calls that were given up have told of by now. The other answers are waited for no more. */
  lateJobs(): readonly string[] {
    return this.#givenUp.flatMap((flight) => {
      flight.abort();
      const body = bodyOf(flight.result?.reply?.text ?? null);
      this.#enterIntoLedger(flight, body);
      const id = idIn(body);
      return id === null || tellsOfAnEnd(body) ? [] : [id];
    });
  }

  /** The next instant at which a job of it will probably have ended, seen or not. */
  nextProbableEndMs(nowMs: number): number | null {
    const coming = [...this.#probableEndMs.values()].filter((at) => at > nowMs);
    return coming.length === 0 ? null : Math.min(...coming);
  }

  workersChanged(lane: string, workers: number, sentMs: number, receivedMs: number): void {
    this.#append({
      kind: 'workers',
      script: this.number,
      endpoint: this.place.endpoint,
      workers,
      sentMs,
      receivedMs,
    });
    this.player.workersChanged(lane, receivedMs);
  }

  /** Writes the end. Calls still open are given up first. */
  async end(atMs: () => number, reason: string | null): Promise<void> {
    for (const flight of this.flights) flight.abort();
    await Promise.all([...this.flights].map((flight) => flight.settled));
    const endMs = atMs();
    for (const flight of [...this.flights]) this.complete(flight, endMs);
    await this.#stage.receiver?.release(this.number);
    const outcome = reason === null ? 'played' : 'aborted';
    const harnessLagMs = this.#stage.lag?.sinceMs(this.#lagMark) ?? 0;
    const harnessLags = this.#stage.lag?.stretchesSince(this.#lagMark) ?? [];
    const leaves = this.place.fresh ? [] : this.jobsToEnd();
    this.#append({
      kind: 'script-end',
      script: this.number,
      atMs: endMs,
      outcome,
      reason,
      ...(leaves.length === 0 ? {} : { leaves }),
      ...(harnessLagMs === 0 ? {} : { harnessLagMs, harnessLags }),
    });
    this.#ended = true;
  }

  /** Writes into the ledger that all of its jobs have ended, save those that could not be. */
  closeLedger(left: readonly string[]): void {
    for (const id of this.#created.splice(0))
      if (!left.includes(id)) this.#stage.createdJobs?.ended(this.place.endpoint, id);
  }

  #append(event: HistoryEvent): void {
    if (!this.#ended) this.#stage.sink.append(event);
  }

  #enterIntoLedger(flight: Flight, body: Body | undefined): void {
    const id = isSubmission(flight.call, body) ? idIn(body) : null;
    if (id === null) return;
    const planMs = plannedMs(flight.call.bodyText) ?? Infinity;
    const besideMs = END_SLACK_MS + this.#stage.pace.dispatchMs;
    if (planMs < Infinity) this.#probableEndMs.set(id, flight.sentMs + planMs + besideMs);
    this.#created.push(id);
    const isUnknown = flight.call.op === null || !canBeNamed(id);
    if (isUnknown && !tellsOfAnEnd(body)) this.#unnamed.add(id);
    this.#stage.createdJobs?.created(this.place.endpoint, id);
  }
}
