import type { CoreInput, CoreReply, CoreRequest, Effect, Service } from '../core/api.js';
import { createEventQueue } from '../time/event-queue.js';
import { createEndpointRegistry, type EndpointRegistry } from './endpoint-registry.js';
import type { HandlerRunner, WorkStep, WorkTimer } from './handlers/handler-runner.js';
import type { HostOptions } from './host-options.js';
import { createPendingWork } from './pending-work.js';
import type { HostView } from './host-view.js';
import type { Journal } from './store/journal.js';
import { createWaitingCalls, type WaitingCall } from './calls/waiting-calls.js';
import { createWebhookCalls, type WebhookCalls } from './webhooks/webhook-calls.js';

interface WorkTimerEntry {
  readonly callback: () => void;
  readonly step: WorkStep;
}

/**
 * Supplies what the core lacks: a clock, handlers, webhooks, and pending client calls. All due events happen
 * in time order, each at its own instant, even when the clock is read late.
 */
export class Host {
  readonly endpoints: EndpointRegistry;
  private readonly options: HostOptions;
  private service: Service;
  private journal: Journal | null;
  private runner: HandlerRunner;
  private workTimers = createEventQueue<WorkTimerEntry>();
  private readonly pendingWork = createPendingWork();
  private readonly waiting = createWaitingCalls(this.pendingWork);
  private readonly webhookCalls: WebhookCalls;
  private readonly effects: Effect[] = [];
  private lastCallId = 0;
  private currentCallId = 0;
  /** The answer to every call while the service cannot work; null in normal operation. */
  refusal: CoreReply | null = null;
  /** The answer to the current call, where an effect of that very call answered it. */
  private earlyReply: CoreReply | null = null;
  /** The instant being handled; behind the clock while the host catches up. */
  private instantMs = 0;
  /** When the core last settled without any input since; otherwise −1. */
  private settledMs = -1;
  /** True while inputs belong to `instantMs` instead of the present time. */
  private isInstantFixed = false;
  private carryingOut = false;

  constructor(options: HostOptions) {
    this.options = options;
    this.endpoints = createEndpointRegistry((input) => void this.applyNow(input));
    this.service = options.service;
    this.journal = options.journal ?? null;
    this.webhookCalls = createWebhookCalls(
      options,
      this.pendingWork,
      () => this.instantMs,
      (delivery, status) => {
        this.applyNow({ kind: 'webhook-ended', delivery, status });
        const againAtMs = this.service.webhookAgainAtMs(delivery);
        return againAtMs && againAtMs - this.instantMs;
      },
    );
    this.runner = this.newRunner();
  }

  private newRunner(): HandlerRunner {
    const runner: HandlerRunner = this.options.createRunner({
      after: (delayMs, callback, step) => this.scheduleWork(delayMs, { callback, step }),
      // A runner that was replaced can no longer report.
      report: (attempt, report) =>
        void (this.runner === runner && this.applyNow({ kind: 'worker', attempt, report })),
      act: (act) => void (this.runner === runner && this.applyNow(act)),
      attemptOf: (endpoint, worker, job) => {
        if (this.runner !== runner || this.refusal !== null) return null;
        if (!this.isInstantFixed) this.catchUp();
        return this.service.attemptOf(endpoint, worker, job);
      },
    });
    return runner;
  }

  /**
   * Announces a call from its header fields. Its number goes to `call` once the body was read, or to
   * `abandon`.
   */
  arrive(request: CoreRequest): number {
    const callId = ++this.lastCallId;
    this.applyNow({ kind: 'arrival', callId, request });
    this.endpoints.begun(callId, request.path);
    return callId;
  }

  /** How many bytes of the body are worth reading; null when the call is refused whatever its body. */
  bodyWanted(callId: number, request: CoreRequest): number | null {
    return this.refusal === null ? this.service.bodyWanted(callId, request) : 0;
  }

  /** The rest of an announced call will not come. No effect on a call that was passed on. */
  abandon(callId: number): void {
    this.endpoints.over(callId);
    this.applyNow({ kind: 'hang-up', callId });
  }

  /** Passes an API call to the core and gives its answer, now or once it is stored, or a pending call. */
  call(request: CoreRequest, callId = ++this.lastCallId): CoreReply | Promise<CoreReply> | WaitingCall {
    this.endpoints.over(callId);
    if (this.refusal !== null) return this.refusal;
    this.endpoints.countArrival(request.path);
    this.earlyReply = null;
    this.currentCallId = callId;
    const reply = this.applyNow({ kind: 'request', callId, request }) ?? this.earlyReply;
    if (reply === null || !this.hasUnsavedChanges()) return reply ?? this.wait(callId);
    return this.hold(reply);
  }

  /** Delays an answer found outside the core until the changes it reflects are stored. */
  whenPersisted(answer: CoreReply | WaitingCall): CoreReply | Promise<CoreReply> | WaitingCall {
    const waits = !('status' in answer);
    if (this.refusal === null) return waits || !this.hasUnsavedChanges() ? answer : this.hold(answer);
    if (waits) answer.hangUp();
    return this.refusal;
  }

  private hold(reply: CoreReply): Promise<CoreReply> {
    const { held, release } = this.waiting.hold(reply);
    this.journal?.defer(release);
    return held;
  }

  /** Handles all due events up to the clock's present time, in order. */
  catchUp(): void {
    this.handleDue();
    this.options.onNextDue?.(this.nextDueMs());
  }

  private handleDue(): void {
    if (this.refusal !== null) return;
    const nowMs = this.options.clock.nowMs();
    this.isInstantFixed = true;
    try {
      for (let dueMs = this.nextDueMs(); dueMs !== null && dueMs <= nowMs; dueMs = this.nextDueMs()) {
        this.instantMs = Math.max(this.instantMs, dueMs);
        this.apply({ kind: 'settle' });
        this.settledMs = this.instantMs;
        while ((this.workTimers.nextAtMs() ?? Infinity) <= this.instantMs)
          this.workTimers.pop()?.value.callback();
      }
      this.instantMs = Math.max(this.instantMs, nowMs);
    } finally {
      this.isInstantFixed = false;
    }
  }

  /** The service as of the present instant, to look at. */
  view(): HostView {
    if (!this.isInstantFixed) this.catchUp();
    return {
      nowMs: this.instantMs,
      service: this.service,
      steps: (max) => this.workTimers.first(max).map(({ atMs, value }) => ({ atMs, step: value.step })),
    };
  }

  /** The time of the next event: a deadline of the core or of a handler's sleep; null when nothing is due. */
  nextDueMs(): number | null {
    if (this.refusal !== null) return null;
    const deadlineMs = this.service.nextDeadlineMs();
    const workMs = this.workTimers.nextAtMs();
    if (deadlineMs === null) return workMs;
    // The core may name an instant too early; settling there changes nothing, so ask again a moment later.
    const coreMs = deadlineMs <= this.settledMs ? this.settledMs + 1 : deadlineMs;
    return workMs === null ? coreMs : Math.min(coreMs, workMs);
  }

  /** True while webhook calls, late answers or handlers still have work at this instant. */
  isBusy(): boolean {
    return this.pendingWork.size > 0 || this.runner.settling() !== null || this.hasUnsavedChanges();
  }

  /** Resolves when webhook calls have ended, answers were handed over, and handlers wait for the clock. */
  async settled(): Promise<void> {
    while (this.isBusy()) {
      await this.runner.settling();
      await this.pendingWork.settled();
      await this.journal?.settled();
    }
  }

  /** Resolves when all changes so far are stored; rejects when they cannot be. */
  async persisted(): Promise<void> {
    await this.journal?.settled();
    if (this.refusal !== null) throw new Error('the data folder cannot be written');
  }

  resume(): void {
    this.applyNow({ kind: 'resume' });
  }

  /** After `close`: continues with another service. */
  replaceService(service: Service, journal: Journal): void {
    this.service = service;
    this.journal = journal;
    this.runner = this.newRunner();
    this.workTimers = createEventQueue();
    this.refusal = null;
    this.resume();
  }

  /**
   * Stops handlers and answers pending calls with their jobs' present records, so that each client learns its
   * job's id. Resolves when webhook calls in progress have ended and answers were handed over.
   */
  async drain(): Promise<void> {
    this.runner.close();
    this.applyNow({ kind: 'answer-all' });
    await this.journal?.settled();
    await this.pendingWork.settled();
  }

  /** Stops handlers, drops webhook calls, and answers every pending and future call with `reply`. */
  close(reply: CoreReply): void {
    this.refusal = reply;
    this.effects.length = 0;
    this.runner.close();
    this.webhookCalls.dropAll();
    this.waiting.answerAll(reply);
  }

  private wait(callId: number): WaitingCall {
    return this.waiting.add(callId, () => void this.applyNow({ kind: 'hang-up', callId }));
  }

  private applyNow(input: CoreInput): CoreReply | null {
    return this.refusal === null ? this.atPresent(() => this.apply(input)) : null;
  }

  /** Runs `does` at the clock's present instant, after all events that were due before. */
  private atPresent<T>(does: () => T): T {
    if (this.isInstantFixed) return does();
    this.handleDue();
    this.isInstantFixed = true;
    try {
      return does();
    } finally {
      this.isInstantFixed = false;
      this.options.onNextDue?.(this.nextDueMs());
    }
  }

  private hasUnsavedChanges(): boolean {
    return this.journal !== null && this.journal.hasPending();
  }

  private apply(input: CoreInput): CoreReply | null {
    this.settledMs = -1;
    const { reply, effects } = this.service.apply(this.instantMs, input);
    this.journal?.markDirty();
    this.options.observer?.changed?.(this.instantMs, this.service);
    if (effects.length > 0) {
      if (this.hasUnsavedChanges()) this.journal?.defer(() => this.atPresent(() => this.release(effects)));
      else this.release(effects);
    }
    return reply;
  }

  private release(effects: readonly Effect[]): void {
    for (const effect of effects) this.effects.push(effect);
    if (!this.carryingOut) this.carryOutAll();
  }

  /** Effects are carried out in order; those caused by an effect come after those already queued. */
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
        this.options.observer?.started?.(effect.queuedForMs);
        return this.runner.start(effect);
      case 'stop':
        return this.runner.stop(effect.attempt);
      case 'job-request-ended':
        return this.runner.askEnded?.(effect.endpoint, effect.worker);
      case 'webhook':
        return this.webhookCalls.start(effect);
      case 'drop-webhook':
        return this.webhookCalls.drop(effect.delivery);
    }
  }

  private answer(callId: number, reply: CoreReply): void {
    if (!this.waiting.answer(callId, reply) && callId === this.currentCallId) this.earlyReply = reply;
  }

  private scheduleWork(delayMs: number, entry: WorkTimerEntry): WorkTimer {
    // A handler calls between the host's inputs, when `instantMs` is out of date.
    if (!this.isInstantFixed) this.catchUp();
    const handle = this.workTimers.schedule(this.instantMs + delayMs, 0, entry);
    if (!this.isInstantFixed) this.options.onNextDue?.(this.nextDueMs());
    return { cancel: () => void this.workTimers.cancel(handle) };
  }
}
