import { bodyOf } from '../../history/body.js';
import type { Body, CallEvent, HistoryEvent } from '../../history/events.js';
import { canBeNamed } from '../../history/job-path.js';
import type { OutgoingCall, ScriptRunner } from '../../runner/api.js';
import type { Script } from '../../scenario/script.js';
import type { CreateScriptRunner, HistorySink } from '../port.js';
import type { HttpClient, InFlightRequest } from './http-client.js';
import { idIn, isSubmission, tellsOfAnEnd } from './job-record.js';
import type { EventLoopLagMonitor } from './event-loop-lag.js';
import type { CreatedJobs } from './created-jobs.js';
import type { Latency } from '../../schedule/latency.js';
import { plannedMs } from '../../scenario/planned-work.js';
import type { ArrivalTime, WebhookReceiver } from './webhook-receiver.js';
import { ObservedWorkers } from './observed-workers.js';

/** What all scripts of a target share, whatever its clock. */
export interface RunContext {
  readonly client: HttpClient;
  /** Null when the target cannot reach us. */
  readonly receiver: WebhookReceiver | null;
  readonly sink: HistorySink;
  readonly createRunner: CreateScriptRunner;
  readonly auth: 'bare' | 'bearer';
  /** Input for jobs of a worker that follows no plans; null where it does. */
  readonly sampleInput: unknown;
  readonly createdJobs: CreatedJobs | null;
  /** Real milliseconds that an ordinary call may take. */
  readonly timeoutMs: number;
  /** How quick the target was found to be: what ends of jobs take beside their plans. */
  readonly latency: Latency;
  /** The longest that a script of the run wants to wait, ms. */
  readonly maxWaitMs: number;
  /** Null where the clock stands still while the harness is late. */
  readonly lag: EventLoopLagMonitor | null;
}

/** Where a script plays. */
export interface EndpointAllocation {
  readonly endpoint: string;
  /** The second endpoint, of a script that wants one and a target that has one. */
  readonly secondEndpoint: string | null;
  readonly fresh: boolean;
  readonly workers: number | null;
}

/** More calls in a row than can be refused while the target is there. */
const REFUSED_MAX = 25;

/** How much later than planned a job that began at once has surely ended. */
const END_SLACK_MS = 1_500;

/** An address that nobody answers at, for scripts that name a webhook where none can come. */
const NO_RECEIVER = 'http://127.0.0.1:9/webhook';

/** One script being played: its runner, its calls on their way, its events. It knows no clock of its own. */
export class ScriptSession {
  readonly script: Script;
  readonly number: number;
  readonly allocation: EndpointAllocation;
  readonly runner: ScriptRunner;
  /** Calls without an end, in order of sending. */
  readonly inFlight = new Set<InFlightRequest>();
  expectsWebhooks = false;
  readonly #context: RunContext;
  /** Jobs whose end a webhook has told, which the runner does not hear. */
  readonly #notified = new Set<string>();
  readonly #created: string[] = [];
  /** Jobs that the runner does not know: no call can name them, or they were made at an address of no operation. */
  readonly #unnamed = new Set<string>();
  /** When jobs whose plan comes to an end by itself will be over, if a worker was free for them. */
  readonly #probableEndMs = new Map<string, number>();
  #ended = false;
  readonly #workers: ObservedWorkers;
  /** Calls that nobody waits for any more, whose answers would tell of jobs. */
  readonly #givenUp: InFlightRequest[] = [];
  readonly #lagMark: number;
  readonly #sentMarks = new WeakMap<InFlightRequest, number>();

  constructor(
    stage: RunContext,
    script: Script,
    number: number,
    allocation: EndpointAllocation,
    startMs: number,
  ) {
    this.#context = stage;
    this.#workers = new ObservedWorkers(stage);
    this.#lagMark = stage.lag?.mark() ?? 0;
    this.script = script;
    this.number = number;
    this.allocation = allocation;
    this.#append({
      kind: 'script',
      script: number,
      scenario: script.scenario,
      title: script.title,
      endpoint: allocation.endpoint,
      ...(allocation.secondEndpoint !== null ? { neighbour: allocation.secondEndpoint } : {}),
      fresh: allocation.fresh,
      workers: allocation.workers,
      atMs: startMs,
    });
    this.runner = stage.createRunner(script, {
      endpoint: allocation.endpoint,
      ...(allocation.secondEndpoint !== null ? { secondEndpoint: allocation.secondEndpoint } : {}),
      startMs,
      auth: stage.auth,
      otherKeys: stage.client.otherKeys,
      webhookUrl: (token) => stage.receiver?.urlOf(number, token) ?? NO_RECEIVER,
      sampleInput: stage.sampleInput,
    });
  }

  /** `clock` tells the target's time, where it goes on by itself. */
  send(call: OutgoingCall, nowMs: number, timeoutMs: number | null, clock?: () => number): InFlightRequest {
    const mark = this.#context.lag?.mark() ?? 0;
    const request = this.#context.client.send(call, nowMs, timeoutMs, clock);
    this.#sentMarks.set(request, mark);
    if (call.op === 'retry') {
      this.#notified.clear();
      this.#probableEndMs.clear();
    }
    this.inFlight.add(request);
    return request;
  }

  /** The call is known to have reached the target by then, while its reply is outstanding. */
  arrived(request: InFlightRequest, byMs: number): void {
    if (request.arrivedByMs !== null) return;
    request.arrivedByMs = byMs;
    this.runner.arrived(request.call.call, byMs);
  }

  /** Nothing answers at the target's address any more. */
  get isUnreachable(): boolean {
    return this.#context.client.refusedInARow >= REFUSED_MAX;
  }

  /** Writes down a call that has ended by `endedMs`, and tells the runner; `inVain`: no other call like it is answered. */
  complete(request: InFlightRequest, endedMs: number, inVain = false): void {
    if (!this.inFlight.delete(request)) return;
    const harnessLagMs = this.#context.lag?.lostSinceMs(this.#sentMarks.get(request)!) ?? 0;
    const event: CallEvent = {
      ...this.#context.client.eventOf(request, this.number, endedMs),
      ...(harnessLagMs === 0 ? {} : { harnessLagMs }),
    };
    this.#append(event);
    this.#enterIntoLedger(request, event.reply?.body);
    this.#workers.see(event);
    const { sentMs, arrivedByMs, receivedMs, reply, lost } = event;
    this.runner.replied(request.call.call, { sentMs, arrivedByMs, receivedMs, reply, lost, inVain });
  }

  /** Completes the calls that have a result, in order of sending; true when there was one. */
  completeSettled(endedMs: number): boolean {
    const settled = [...this.inFlight].filter((request) => request.result !== null);
    for (const request of settled) this.complete(request, endedMs);
    return settled.length > 0;
  }

  /** By how much later than it came a thing may have been noticed that is noticed now. */
  get lateNowMs(): number {
    return this.#context.lag?.justNowMs ?? 0;
  }

  expectWebhook(
    token: string,
    answers: Parameters<WebhookReceiver['expect']>[2],
    time: () => ArrivalTime,
    onArrival: () => void = () => undefined,
  ): void {
    this.expectsWebhooks = this.#context.receiver !== null;
    this.#context.receiver?.expect(this.number, token, answers, time, (event) => {
      this.#append(event);
      const id = idIn(event.body);
      if (id !== null) this.#notified.add(id);
      this.#workers.hasJobStarted = true;
      onArrival();
    });
  }

  expectStorage(token: string, time: () => ArrivalTime): void {
    this.expectsWebhooks = this.#context.receiver !== null;
    this.#context.receiver?.expectStorage(this.number, token, time, (event) => this.#append(event));
  }

  /** Some job of it is not known to have ended, and its plan says that it may still run. */
  mayOccupyWorkers(nowMs: number): boolean {
    return this.runner
      .openJobs()
      .some((id) => !this.#notified.has(id) && nowMs < (this.#probableEndMs.get(id) ?? Infinity));
  }

  /** The jobs that are not known to have ended. */
  jobsToEnd(): readonly string[] {
    return [...this.runner.openJobs(), ...[...this.#unnamed].filter((id) => !this.#notified.has(id))];
  }

  /** Some job of it was seen to be taken by a worker. */
  get hasJobStarted(): boolean {
    return this.#workers.hasJobStarted;
  }

  /** It has waited for a good while for its jobs, and no worker has taken any of them. */
  isStarved(nowMs: number): boolean {
    return this.#workers.isStarved(nowMs, this.inFlight);
  }

  /** The next instant at which it is too long for one of its calls, if it is not answered before; null for none. */
  nextTooLongMs(nowMs: number): number | null {
    const coming = [...this.inFlight]
      .flatMap((request) => [this.#workers.tooLongFromMs(request), this.#workers.inVainFromMs(request)])
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
    for (const request of [...this.inFlight]) {
      const tooLongMs = this.#workers.tooLongFromMs(request);
      const inVain = this.#workers.inVainFromMs(request) <= nowMs && isStuck(request.sentMs);
      if (tooLongMs === Infinity || (tooLongMs > nowMs && !inVain)) continue;
      this.#givenUp.push(request);
      this.complete(request, byNowMs);
    }
  }

  /** Jobs that late answers to calls that were given up have told of by now. The other answers are waited for no more. */
  lateJobs(): readonly string[] {
    return this.#givenUp.flatMap((request) => {
      request.abort();
      const body = bodyOf(request.result?.reply?.text ?? null);
      this.#enterIntoLedger(request, body);
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
      endpoint: this.allocation.endpoint,
      workers,
      sentMs,
      receivedMs,
    });
    this.runner.workersChanged(lane, receivedMs);
  }

  /** Writes the end. Calls still open are given up first. */
  async end(atMs: () => number, reason: string | null): Promise<void> {
    for (const request of this.inFlight) request.abort();
    await Promise.all([...this.inFlight].map((request) => request.settled));
    const endMs = atMs();
    for (const request of [...this.inFlight]) this.complete(request, endMs);
    await this.#context.receiver?.release(this.number);
    const outcome = reason === null ? 'played' : 'aborted';
    const harnessLagMs = this.#context.lag?.sinceMs(this.#lagMark) ?? 0;
    const harnessLags = this.#context.lag?.stretchesSince(this.#lagMark) ?? [];
    const leaves = this.allocation.fresh ? [] : this.jobsToEnd();
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
      if (!left.includes(id)) this.#context.createdJobs?.ended(this.allocation.endpoint, id);
  }

  #append(event: HistoryEvent): void {
    if (!this.#ended) this.#context.sink.append(event);
  }

  #enterIntoLedger(request: InFlightRequest, body: Body | undefined): void {
    const id = isSubmission(request.call, body) ? idIn(body) : null;
    if (id === null) return;
    const planMs = plannedMs(request.call.bodyText) ?? Infinity;
    const besideMs = END_SLACK_MS + this.#context.latency.dispatchMs;
    if (planMs < Infinity) this.#probableEndMs.set(id, request.sentMs + planMs + besideMs);
    this.#created.push(id);
    const isUnknown = request.call.op === null || !canBeNamed(id);
    if (isUnknown && !tellsOfAnEnd(body)) this.#unnamed.add(id);
    this.#context.createdJobs?.created(this.allocation.endpoint, id);
  }
}
