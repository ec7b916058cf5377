import type { CoreInput, CoreReply, CoreRequest, Effect, Service } from '../core/api.js';
import type { EndpointView } from '../core/view.js';
import type { Clock } from '../time/clock.js';
import { createEventQueue } from '../time/event-queue.js';
import { createEndpointBook, type EndpointBook } from './endpoint-book.js';
import type { CreateRunner, HandlerRunner, WorkTimer } from './handlers/handler-runner.js';
import { createOutstanding } from './outstanding.js';
import type { Onlooker } from './onlooker.js';
import type { WebhookCall, WebhookCaller } from './webhook-caller.js';

export interface HostOptions {
  readonly service: Service;
  readonly clock: Clock;
  readonly createRunner: CreateRunner;
  readonly webhooks: WebhookCaller;
  readonly onlooker?: Onlooker;
  /** Told after every change when the next thing is due, so that a real clock can wake the host. */
  readonly onNextDue?: (atMs: number | null) => void;
}

/** A call that the service answers later. */
export interface WaitingCall {
  readonly reply: Promise<CoreReply>;
  /** The answer has been handed to the client, or cannot be any more. */
  done(): void;
  /** The client went away before it was answered. */
  hangUp(): void;
}

/**
 * Gives the core what it has not: a clock, handlers, webhooks, and clients that wait. Everything that is due
 * happens in time order, each at its own instant, also where the clock is already further when it is read.
 */
export class Host {
  readonly endpoints: EndpointBook;
  private readonly options: HostOptions;
  private readonly runner: HandlerRunner;
  private readonly workTimers = createEventQueue<() => void>();
  private readonly waiting = new Map<number, (reply: CoreReply) => void>();
  private readonly webhookCalls = new Map<number, WebhookCall>();
  private readonly outstanding = createOutstanding();
  private readonly effects: Effect[] = [];
  private lastCallId = 0;
  /** The answer to the newest call, when the call itself brought it about by an effect. */
  private earlyReply: CoreReply | null = null;
  /** The instant being handled; it lies behind the clock while the host catches up. */
  private instantMs = 0;
  /** The instant at which the core last settled and nothing happened since; −1 otherwise. */
  private settledMs = -1;
  /** True while the instant is given: what happens now happens at `instantMs`. */
  private inside = false;
  private carryingOut = false;

  constructor(options: HostOptions) {
    this.options = options;
    this.endpoints = createEndpointBook((input) => void this.happen(input));
    this.runner = options.createRunner({
      after: (delayMs, callback) => this.scheduleWork(delayMs, callback),
      report: (attempt, report) => void this.happen({ kind: 'worker', attempt, report }),
      act: (act) => void this.happen(act),
      attemptOf: (endpoint, worker, job) => {
        if (!this.inside) this.catchUp();
        return options.service.attemptOf(endpoint, worker, job);
      },
    });
  }

  /** Passes an API call to the core. The answer is there at once, or it is a call that waits. */
  call(request: CoreRequest): CoreReply | WaitingCall {
    const callId = ++this.lastCallId;
    this.endpoints.countArrival(request.path);
    this.earlyReply = null;
    const reply = this.happen({ kind: 'request', callId, request }) ?? this.earlyReply;
    return reply ?? this.wait(callId);
  }

  /** Handles what is due up to the clock's present time, in order. */
  catchUp(): void {
    const nowMs = this.options.clock.nowMs();
    this.inside = true;
    try {
      for (let dueMs = this.nextDueMs(); dueMs !== null && dueMs <= nowMs; dueMs = this.nextDueMs()) {
        this.instantMs = Math.max(this.instantMs, dueMs);
        this.apply({ kind: 'settle' });
        this.settledMs = this.instantMs;
        while ((this.workTimers.nextAtMs() ?? Infinity) <= this.instantMs) this.workTimers.pop()?.value();
      }
      this.instantMs = Math.max(this.instantMs, nowMs);
    } finally {
      this.inside = false;
    }
    this.options.onNextDue?.(this.nextDueMs());
  }

  /** What is there at present, and when that is. */
  look(jobsMax: number): { readonly nowMs: number; readonly endpoints: readonly EndpointView[] } {
    if (!this.inside) this.catchUp();
    return { nowMs: this.instantMs, endpoints: this.options.service.look(jobsMax) };
  }

  /** The earliest instant that something stands in the calendar for: a deadline of the core, a handler's sleep. */
  nextDueMs(): number | null {
    const deadlineMs = this.options.service.nextDeadlineMs();
    const workMs = this.workTimers.nextAtMs();
    if (deadlineMs === null) return workMs;
    // The core may name an instant too early; settling there changes nothing, so look again a moment later.
    const coreMs = deadlineMs <= this.settledMs ? this.settledMs + 1 : deadlineMs;
    return workMs === null ? coreMs : Math.min(coreMs, workMs);
  }

  /** True while webhook calls, late answers or handlers still have something to do at this instant. */
  isBusy(): boolean {
    return this.outstanding.size > 0 || this.runner.settling() !== null;
  }

  /** Resolves when webhook calls have ended, answers were handed over, and handlers wait for the clock. */
  async quiet(): Promise<void> {
    while (this.isBusy()) {
      await this.runner.settling();
      await this.outstanding.settled();
    }
  }

  /**
   * Stops handlers and answers whoever waits with the record as it stands: so he knows his job's id. Resolves when
   * the webhook calls under way have ended and the answers were handed over.
   */
  async drain(): Promise<void> {
    this.runner.close();
    this.happen({ kind: 'answer-all' });
    await this.outstanding.settled();
  }

  /** Stops handlers, drops webhook calls, and answers every waiting call with `reply`. */
  close(reply: CoreReply): void {
    this.runner.close();
    for (const call of this.webhookCalls.values()) call.abort();
    this.webhookCalls.clear();
    for (const answer of this.waiting.values()) answer(reply);
    this.waiting.clear();
  }

  private wait(callId: number): WaitingCall {
    let answer: (reply: CoreReply) => void;
    let done: () => void;
    const reply = new Promise<CoreReply>((resolve) => (answer = resolve));
    const handedOver = new Promise<void>((resolve) => (done = resolve));
    this.waiting.set(callId, (late) => {
      // From now on the instant stays open until the client has its answer.
      this.outstanding.add(handedOver);
      answer(late);
    });
    return {
      reply,
      done: () => done(),
      hangUp: () => {
        done();
        if (this.waiting.delete(callId)) this.happen({ kind: 'hang-up', callId });
      },
    };
  }

  private happen(input: CoreInput): CoreReply | null {
    if (this.inside) return this.apply(input);
    this.catchUp();
    this.inside = true;
    try {
      return this.apply(input);
    } finally {
      this.inside = false;
      this.options.onNextDue?.(this.nextDueMs());
    }
  }

  private apply(input: CoreInput): CoreReply | null {
    this.settledMs = -1;
    const output = this.options.service.apply(this.instantMs, input);
    for (const effect of output.effects) this.effects.push(effect);
    if (!this.carryingOut && this.effects.length > 0) this.carryOutAll();
    return output.reply;
  }

  /** In the order of happening; what an effect causes comes after the effects that were there before. */
  private carryOutAll(): void {
    this.carryingOut = true;
    try {
      for (let next = 0; next < this.effects.length; next++) this.carryOut(this.effects[next]!);
    } finally {
      this.effects.length = 0;
      this.carryingOut = false;
    }
  }

  private carryOut(effect: Effect): void {
    switch (effect.kind) {
      case 'reply':
        return this.answer(effect.callId, effect.reply);
      case 'start':
        this.options.onlooker?.started?.(effect.queuedForMs);
        return this.runner.start(effect);
      case 'stop':
        return this.runner.stop(effect.attempt);
      case 'ask-ended':
        return this.runner.askEnded?.(effect.endpoint, effect.worker);
      case 'webhook':
        return this.callWebhook(effect);
      case 'drop-webhook':
        this.webhookCalls.get(effect.delivery)?.abort();
        this.webhookCalls.delete(effect.delivery);
        return;
    }
  }

  private answer(callId: number, reply: CoreReply): void {
    const answer = this.waiting.get(callId);
    if (answer !== undefined) {
      this.waiting.delete(callId);
      answer(reply);
    } else if (callId === this.lastCallId) {
      this.earlyReply = reply;
    }
  }

  private callWebhook(effect: Extract<Effect, { readonly kind: 'webhook' }>): void {
    const { delivery } = effect;
    const call = this.options.webhooks.call(effect);
    this.webhookCalls.set(delivery, call);
    this.outstanding.add(
      call.ended.then((status) => {
        // A dropped call ends too, and nobody asks how.
        if (this.webhookCalls.get(delivery) !== call) return;
        this.webhookCalls.delete(delivery);
        this.options.onlooker?.webhookEnded?.(status);
        this.happen({ kind: 'webhook-ended', delivery, status });
      }),
    );
  }

  private scheduleWork(delayMs: number, callback: () => void): WorkTimer {
    // A handler that runs by itself asks between the host's inputs, when the instant is an old one.
    if (!this.inside) this.catchUp();
    const handle = this.workTimers.schedule(this.instantMs + delayMs, 0, callback);
    if (!this.inside) this.options.onNextDue?.(this.nextDueMs());
    return { cancel: () => void this.workTimers.cancel(handle) };
  }
}
