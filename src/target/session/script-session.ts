import { bodyOf } from '../../history/body.js';
import type { Body, CallEvent, HistoryEvent } from '../../history/events.js';
import { canBeNamed, segmentOf } from '../../history/job-path.js';
import type { OutgoingCall, ScriptRunner } from '../../runner/api.js';
import type { Script } from '../../scenario/script.js';
import type { CreateScriptRunner, HistorySink } from '../port.js';
import type { HttpClient, InFlightRequest } from './http-client.js';
import { idIn, isSubmission, tellsOfAnEnd } from './job-record.js';
import type { EventLoopLagMonitor } from './event-loop-lag.js';
import type { CreatedJobs } from './created-jobs.js';
import { METHOD_OF } from '../../spec/operations.js';
import type { Operation } from '../../spec/types.js';
import { onItsClock, type Latency } from '../../schedule/latency.js';
import { plannedMs } from '../../scenario/planned-work.js';
import type { ArrivalTime, WebhookReceiver } from './webhook-receiver.js';
import { ObservedWorkers } from './observed-workers.js';
import type { StuckJobs } from './stuck-jobs.js';

/** What all scripts of a run share. */
export interface RunContext {
  readonly client: HttpClient;
  /** Null when the target cannot reach this machine. */
  readonly receiver: WebhookReceiver | null;
  readonly sink: HistorySink;
  readonly createRunner: CreateScriptRunner;
  readonly auth: 'bare' | 'bearer';
  /** Input for jobs of a worker that follows no plans; null where it does. */
  readonly sampleInput: unknown;
  readonly createdJobs: CreatedJobs | null;
  /** Real milliseconds that an ordinary call may take. */
  readonly timeoutMs: number;
  /** How quickly the target responded before the run. */
  readonly latency: Latency;
  /** The longest wait of any script of the run, in ms. */
  readonly maxWaitMs: number;
  /** How many calls a script is planned to make; null where that does not matter. */
  readonly callsPlanned: ((script: Script) => number) | null;
  /** Null where the clock stands still while the harness is late. */
  readonly lag: EventLoopLagMonitor | null;
}

/** The endpoints on which a script runs. */
export interface EndpointAllocation {
  readonly endpoint: string;
  /** Null where the script uses none or the target has none. */
  readonly secondEndpoint: string | null;
  readonly fresh: boolean;
  readonly workers: number | null;
}

/** How much later than planned a job that started at once has certainly ended, in real ms. */
const END_SLACK_MS = 1_500;

/** An address without a listener, for scripts that name a webhook where there is no receiver. */
/** With so many calls of a script under way at once, what answers late is under the load of this run. */
const LOAD_CALLS = 20;
/** In real ms: later than that. */
const LOAD_ANSWERED_MS = 500;
/** They may wait for a job, or for its results. */
const MAY_WAIT: readonly (Operation | null)[] = ['runsync', 'stream', 'openai'];
const NO_RECEIVER = 'http://127.0.0.1:9/webhook';

/** One script being run: its runner, its requests in flight, its events. The caller passes the time. */
export class ScriptSession {
  readonly script: Script;
  readonly number: number;
  readonly allocation: EndpointAllocation;
  readonly runner: ScriptRunner;
  /** Requests that have not ended, in order of sending. */
  readonly inFlight = new Set<InFlightRequest>();
  expectsWebhooks = false;
  readonly #context: RunContext;
  /** Jobs whose end a webhook has reported; the runner does not learn of it. */
  readonly #notified = new Set<string>();
  readonly #created: string[] = [];
  /** Jobs that the runner does not know: no call can name them, or no operation of the document created them. */
  readonly #unnamed = new Set<string>();
  /** When jobs whose plan ends by itself will have ended, if a worker was free for them. */
  readonly #probableEndMs = new Map<string, number>();
  readonly #labels = new Map<string, string | null>();
  #ended = false;
  readonly #workers: ObservedWorkers;
  /** Calls that were given up; a late reply may still name a job. */
  readonly #givenUp: InFlightRequest[] = [];
  readonly #lagMark: number;
  readonly #sentMarks = new WeakMap<InFlightRequest, number>();
  /** Calls that were sent while many others were under way. */
  readonly #inLoad = new WeakSet<InFlightRequest>();

  constructor(
    context: RunContext,
    script: Script,
    number: number,
    allocation: EndpointAllocation,
    startMs: number,
  ) {
    this.#context = context;
    this.#workers = new ObservedWorkers(context);
    this.#lagMark = context.lag?.mark() ?? 0;
    this.script = script;
    this.number = number;
    this.allocation = allocation;
    this.#append({
      kind: 'script',
      script: number,
      scenario: script.scenario,
      title: script.title,
      endpoint: allocation.endpoint,
      ...(allocation.secondEndpoint !== null ? { secondEndpoint: allocation.secondEndpoint } : {}),
      fresh: allocation.fresh,
      workers: allocation.workers,
      atMs: startMs,
    });
    this.runner = context.createRunner(script, {
      endpoint: allocation.endpoint,
      ...(allocation.secondEndpoint !== null ? { secondEndpoint: allocation.secondEndpoint } : {}),
      startMs,
      auth: context.auth,
      otherKeys: context.client.otherKeys,
      webhookUrl: (token) => context.receiver?.urlOf(number, token) ?? NO_RECEIVER,
      sampleInput: context.sampleInput,
      ...(context.callsPlanned === null ? {} : { callsPlanned: context.callsPlanned(script) }),
    });
  }

  /** @param clock returns the target's time, if it passes by itself */
  send(
    call: OutgoingCall,
    nowMs: number,
    timeoutMs: number | null,
    clock?: () => number,
    fresh = false,
  ): InFlightRequest {
    const mark = this.#context.lag?.mark() ?? 0;
    const request = this.#context.client.send(call, nowMs, timeoutMs, clock, fresh);
    this.#sentMarks.set(request, mark);
    if (this.inFlight.size >= LOAD_CALLS && !MAY_WAIT.includes(call.op)) this.#inLoad.add(request);
    if (call.op === 'retry') {
      this.#notified.clear();
      this.#probableEndMs.clear();
      this.stuckJobs.retried();
    }
    this.inFlight.add(request);
    return request;
  }

  /** Gives up a read and asks the same again, on a connection of its own: the runner learns of that answer alone. */
  askAgain(request: InFlightRequest, nowMs: number): InFlightRequest {
    request.abort();
    request.result = { reply: null, lost: 'timeout', detail: 'no reply: asked again' };
    request.askedAgain = true;
    this.inFlight.delete(request);
    this.#append(this.#context.client.eventOf(request, this.number, nowMs));
    return this.send(request.call, nowMs, null, undefined, true);
  }

  /** Asks for the target's health or the state of a job, of which the runner does not learn: the history shows it. */
  ask(
    op: 'health' | 'status',
    job: string | null,
    nowMs: number,
    timeoutMs: number,
    clock: () => number,
  ): InFlightRequest {
    const { endpoint } = this.allocation;
    const call: OutgoingCall = {
      call: -1,
      lane: 'main',
      op,
      label: job === null ? null : (this.#labels.get(job) ?? null),
      endpoint,
      method: METHOD_OF[op],
      path: `/v2/${endpoint}/${op}${job === null ? '' : `/${segmentOf(job)}`}`,
      query: {},
      auth: this.#context.auth,
      contentType: null,
      bodyText: null,
      illegal: null,
      mayWait: false,
    };
    return this.send(call, nowMs, timeoutMs, clock);
  }

  /** The latest instant at which the target is known to have lived: an answered call was sent then. */
  get livedMs(): number {
    return this.#context.client.answeredSentMs;
  }

  /** The call is known to have reached the target by `byMs`, without a reply so far. */
  arrived(request: InFlightRequest, byMs: number): void {
    if (request.arrivedByMs !== null) return;
    request.arrivedByMs = byMs;
    this.runner.arrived(request.call.call, byMs);
  }

  isUnreachable(nowMs: number): boolean {
    return this.#context.client.isUnreachable(nowMs);
  }

  /** Writes down a call that has ended by `endedMs`, and tells the runner; `inVain`: calls of this operation are never answered. */
  complete(request: InFlightRequest, endedMs: number, inVain = false): void {
    if (!this.inFlight.delete(request)) return;
    const { lag } = this.#context;
    const mark = this.#sentMarks.get(request)!;
    if (lag !== null && this.#inLoad.has(request) && lag.mark() - mark > LOAD_ANSWERED_MS) lag.heldUp(mark);
    const harnessLagMs = lag?.lostSinceMs(mark) ?? 0;
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

  /** Completes the calls that have a result, in order of sending; true if there was one. */
  completeSettled(endedMs: number): boolean {
    const settled = [...this.inFlight].filter((request) => request.result !== null);
    for (const request of settled) this.complete(request, endedMs);
    return settled.length > 0;
  }

  /** How much later than it happened something may have been noticed that is noticed now, in ms. */
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

  /** Jobs that are not known to have ended. */
  jobsToEnd(): readonly string[] {
    return [...this.runner.openJobs(), ...[...this.#unnamed].filter((id) => !this.#notified.has(id))];
  }

  /** A worker was seen to take a job of the script. */
  get hasJobStarted(): boolean {
    return this.#workers.hasJobStarted;
  }

  /** The script has waited long for its jobs, and no worker has taken any. */
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
   * Gives up calls that may wait for longer than any script of the run does: once they have lasted that long, and at
   * once where no worker takes their jobs. A missing reply then says nothing about the target.
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

  /** Jobs named by late answers to abandoned calls; aborts the rest. */
  lateJobs(): readonly string[] {
    return this.#givenUp.flatMap((request) => {
      request.abort();
      const body = bodyOf(request.result?.reply?.text ?? null);
      this.#enterIntoLedger(request, body);
      const id = idIn(body);
      return id === null || tellsOfAnEnd(body) ? [] : [id];
    });
  }

  get stuckJobs(): StuckJobs {
    return this.#workers.stuckJobs;
  }

  /** A job of the script was seen to end. */
  get hasJobEnded(): boolean {
    return this.#workers.hasJobEnded;
  }

  /** When a job of the script will probably have ended next; null for never. */
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

  /** Gives up open calls, then records the end of the script. */
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
    const besideMs = onItsClock(this.#context.latency, END_SLACK_MS) + this.#context.latency.dispatchMs;
    this.stuckJobs.submitted(id, planMs);
    if (planMs < Infinity) this.#probableEndMs.set(id, request.sentMs + planMs + besideMs);
    this.#created.push(id);
    this.#labels.set(id, request.call.label);
    const isUnknown = request.call.op === null || !canBeNamed(id);
    if (isUnknown && !tellsOfAnEnd(body)) this.#unnamed.add(id);
    this.#context.createdJobs?.created(this.allocation.endpoint, id);
  }
}
