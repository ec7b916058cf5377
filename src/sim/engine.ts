/** Runs a simulation: one queue of events, and what each event does. */
import type { CoreInput, CoreReply, CoreRequest, Effect, Service } from '../core/api.js';
import type { Scaling } from '../core/workers/scaling-settings.js';
import { createVirtualClock } from '../time/clock.js';
import { createEventQueue } from '../time/event-queue.js';
import type { EventHandle } from '../time/event-queue.js';
import type { RandomStream } from '../time/random.js';
import { scriptedWorker } from '../worker/scripted-worker.js';
import { drawDelay } from './delay.js';
import type { Delay } from './delay.js';
import { EventLog } from './event-log.js';
import { FaultRules, opOfPath } from './faults.js';
import type { FaultAction } from './faults.js';
import { TIE_PRIORITIES, tieRanking } from './tie-order.js';
import type { TiePriority, TieRank } from './tie-order.js';
import type { ClientEvent, SimReply } from './client-events.js';
import type { Simulation, SimulationOptions } from './simulation.js';
import { WorkerRuns } from './worker-runs.js';

/** A call, from its sending until request and reply are no longer on the way. */
interface SimCall {
  readonly id: number;
  readonly request: CoreRequest;
  readonly fault: FaultAction;
  readonly lossEvents: EventHandle[];
  arrivedMs: number | null;
  /** The client has its reply, or has stopped waiting. */
  over: boolean;
}

type ScheduledEvent =
  | { readonly kind: 'timer' }
  | { readonly kind: 'report'; readonly attempt: number }
  | { readonly kind: 'begin'; readonly call: SimCall }
  | { readonly kind: 'rest'; readonly call: SimCall; readonly onTheWayMs: number }
  | { readonly kind: 'request'; readonly call: SimCall }
  | { readonly kind: 'hang-up'; readonly call: SimCall }
  | { readonly kind: 'webhook-ended'; readonly delivery: number; readonly status: number | null }
  | { readonly kind: 'reply'; readonly call: SimCall; readonly reply: SimReply }
  | { readonly kind: 'lost'; readonly call: SimCall; readonly why: 'reset' | 'timeout' | 'aborted' }
  | { readonly kind: 'webhook'; readonly effect: Extract<Effect, { kind: 'webhook' }> }
  | { readonly kind: 'wake' };

const PRIORITY_OF: { readonly [K in ScheduledEvent['kind']]: TiePriority } = {
  timer: 'timer',
  report: 'worker',
  begin: 'network',
  rest: 'client',
  request: 'network',
  'hang-up': 'network',
  'webhook-ended': 'network',
  reply: 'client',
  lost: 'client',
  webhook: 'client',
  wake: 'client',
};

export class Engine implements Simulation {
  private readonly service: Service;
  private readonly clock;
  private readonly queue = createEventQueue<ScheduledEvent>();
  private readonly log: EventLog;
  private readonly rank: TieRank;
  private readonly rules: FaultRules;
  private readonly runs: WorkerRuns;
  private readonly latency: { readonly requestMs: Delay; readonly replyMs: Delay; readonly webhookMs: Delay };
  private readonly random: RandomStream;
  private streams: Streams;
  private clientEvents: ClientEvent[] = [];
  /** Calls that have reached the service and are not yet answered. */
  private readonly waiting = new Map<number, SimCall>();
  /** Webhook calls in flight: the event that continues each of them; null while the client has to answer. */
  private readonly deliveries = new Map<number, EventHandle | null>();
  private timer: { readonly atMs: number; readonly handle: EventHandle } | null = null;
  private wakeTimer: EventHandle | null = null;

  constructor(options: SimulationOptions) {
    this.service = options.service;
    this.clock = createVirtualClock(options.startMs);
    this.log = new EventLog(options.observe);
    this.random = options.random;
    this.streams = streamsOf(options.random);
    this.rank = tieRanking(options.ties ?? TIE_PRIORITIES, () => this.streams.ties);
    this.rules = new FaultRules(options.faults ?? []);
    this.latency = { requestMs: 0, replyMs: 0, webhookMs: 0, ...options.latency };
    this.runs = new WorkerRuns({
      handler: options.workers?.handler ?? scriptedWorker,
      lateMs: options.workers?.lateMs ?? 0,
      random: () => this.streams.workers,
      schedule: (afterMs, attempt) => this.schedule(afterMs, { kind: 'report', attempt }),
      cancel: (handle) => this.queue.cancel(handle),
    });
  }

  nowMs(): number {
    return this.clock.nowMs();
  }

  nextEventAtMs(): number | null {
    return this.queue.nextAtMs();
  }

  get eventCount(): number {
    return this.log.count;
  }

  fingerprint(): string {
    return this.log.fingerprint();
  }

  step(): boolean {
    const event = this.queue.pop();
    if (event === undefined) return false;
    this.clock.advanceTo(event.atMs);
    this.happen(event.value);
    return true;
  }

  advanceTo(ms: number): void {
    for (let next = this.queue.nextAtMs(); next !== null && next <= ms; next = this.queue.nextAtMs())
      this.step();
    this.clock.advanceTo(ms);
  }

  takeEvents(): readonly ClientEvent[] {
    const taken = this.clientEvents;
    if (taken.length > 0) this.clientEvents = [];
    return taken;
  }

  send(callId: number, request: CoreRequest, timeoutMs?: number, heldMs = 0, hangsUpAfterMs?: number): void {
    const fault = this.rules.decide(opOfPath(request.path), this.streams.faults);
    const call: SimCall = { id: callId, request, fault, lossEvents: [], arrivedMs: null, over: false };
    this.note('client', 'send', callId, `${request.method} ${request.path} `, request.body ?? '');
    const onTheWayMs = drawDelay(this.latency.requestMs, this.streams.network);
    if (fault.do === 'hang-up') this.scheduleLoss(call, fault.afterMs, 'aborted');
    if (hangsUpAfterMs !== undefined) this.scheduleLoss(call, hangsUpAfterMs, 'aborted');
    if (timeoutMs !== undefined) this.scheduleLoss(call, timeoutMs, 'timeout');
    if (fault.do === 'drop-request') {
      if (fault.seen === 'reset') this.scheduleLoss(call, onTheWayMs, 'reset');
      return;
    }
    const extraMs = fault.do === 'delay' ? (fault.requestMs ?? 0) : 0;
    if (heldMs === 0) return void this.schedule(onTheWayMs + extraMs, { kind: 'request', call });
    this.schedule(onTheWayMs, { kind: 'begin', call });
    this.schedule(heldMs, { kind: 'rest', call, onTheWayMs: onTheWayMs + extraMs });
  }

  answerWebhook(delivery: number, status: number | null, afterMs = 0): void {
    if (this.deliveries.get(delivery) !== null) return;
    const onTheWayMs = drawDelay(this.latency.webhookMs, this.streams.network);
    const event: ScheduledEvent = { kind: 'webhook-ended', delivery, status };
    this.deliveries.set(delivery, this.schedule(afterMs + onTheWayMs, event));
  }

  wakeAt(ms: number | null): void {
    if (this.wakeTimer !== null) this.queue.cancel(this.wakeTimer);
    this.wakeTimer = ms === null ? null : this.schedule(Math.max(0, ms - this.nowMs()), { kind: 'wake' });
  }

  createEndpoint(endpoint: string, workers: number | Scaling, jobsPerWorker = 1): void {
    this.note('network', 'create-endpoint', typeof workers === 'number' ? workers : workers.max, endpoint);
    this.apply({ kind: 'create-endpoint', endpoint, workers, jobsPerWorker });
  }

  setWorkers(endpoint: string, workers: number): void {
    this.note('network', 'set-workers', workers, endpoint);
    this.apply({ kind: 'set-workers', endpoint, workers });
  }

  deleteEndpoint(endpoint: string): void {
    this.note('network', 'delete-endpoint', 0, endpoint);
    this.apply({ kind: 'delete-endpoint', endpoint });
  }

  restart(label: string): void {
    this.queue.clear();
    this.runs.clear();
    this.waiting.clear();
    this.deliveries.clear();
    this.wakeTimer = null;
    this.timer = null;
    this.clientEvents = [];
    this.rules.restart();
    this.streams = streamsOf(this.random.fork(label));
    this.note('network', 'restart', 0, label);
    this.keepTimer();
  }

  private happen(event: ScheduledEvent): void {
    switch (event.kind) {
      case 'timer':
        return this.settle();
      case 'report':
        return this.report(event.attempt);
      case 'begin':
        return this.begin(event.call);
      case 'rest':
        return this.sendRest(event.call, event.onTheWayMs);
      case 'request':
        return this.deliver(event.call);
      case 'hang-up':
        return this.hangUp(event.call);
      case 'webhook-ended':
        return this.endWebhook(event.delivery, event.status);
      case 'reply':
        return this.receive(event.call, event.reply);
      case 'lost':
        return this.lose(event.call, event.why);
      case 'webhook':
        return this.callWebhook(event.effect);
      case 'wake':
        this.wakeTimer = null;
        this.clientEvents.push({ kind: 'wake', atMs: this.nowMs() });
    }
  }

  private settle(): void {
    this.timer = null;
    this.note('timer', 'settle', 0, '');
    this.apply({ kind: 'settle' });
    const next = this.service.nextDeadlineMs();
    // Otherwise the simulation would never leave this instant.
    if (next !== null && next <= this.nowMs()) throw new Error(`the service left ${next} ms unsettled`);
  }

  private report(attempt: number): void {
    const report = this.runs.nextReport(attempt);
    if (report === undefined) return;
    this.note('worker', report.kind, attempt, '', 'output' in report ? JSON.stringify(report.output) : '');
    this.apply({ kind: 'worker', attempt, report });
  }

  /** The header fields of a call reach the service; its body is held back. */
  private begin(call: SimCall): void {
    this.note('network', 'begin', call.id, '');
    this.waiting.set(call.id, call);
    this.apply({ kind: 'arrival', callId: call.id, request: withoutBody(call.request) });
  }

  private sendRest(call: SimCall, onTheWayMs: number): void {
    if (call.over) return;
    this.note('client', 'rest', call.id, '');
    this.clientEvents.push({ kind: 'rest-sent', callId: call.id, atMs: this.nowMs() });
    this.schedule(onTheWayMs, { kind: 'request', call });
  }

  private deliver(call: SimCall): void {
    call.arrivedMs = this.nowMs();
    this.note('network', 'arrive', call.id, '');
    this.waiting.set(call.id, call);
    const reply = this.apply({ kind: 'request', callId: call.id, request: call.request });
    if (reply !== null) this.answer(call.id, reply);
    else if (call.over) this.hangUp(call);
    else this.clientEvents.push({ kind: 'arrived', callId: call.id, atMs: this.nowMs() });
  }

  private answer(callId: number, reply: CoreReply): void {
    const call = this.waiting.get(callId);
    if (call === undefined) return;
    this.waiting.delete(callId);
    const bodyText = reply.body === null ? '' : JSON.stringify(reply.body);
    this.note('network', 'answer', callId, `${reply.status} `, bodyText);
    const onTheWayMs = drawDelay(this.latency.replyMs, this.streams.network);
    const { fault } = call;
    if (fault.do === 'drop-reply') {
      if (fault.seen === 'reset') this.scheduleLoss(call, onTheWayMs, 'reset');
      return;
    }
    const extraMs = fault.do === 'delay' ? (fault.replyMs ?? 0) : 0;
    const { status, headers } = reply;
    this.schedule(onTheWayMs + extraMs, { kind: 'reply', call, reply: { status, headers, bodyText } });
  }

  private receive(call: SimCall, reply: SimReply): void {
    if (!this.endCall(call)) return;
    this.note('client', 'reply', call.id, '');
    this.clientEvents.push({
      kind: 'reply',
      callId: call.id,
      atMs: this.nowMs(),
      arrivedMs: call.arrivedMs!,
      reply,
    });
  }

  private lose(call: SimCall, why: 'reset' | 'timeout' | 'aborted'): void {
    if (!this.endCall(call)) return;
    this.note('client', 'lost', call.id, why);
    const { id: callId, arrivedMs } = call;
    this.clientEvents.push({ kind: 'lost', callId, atMs: this.nowMs(), arrivedMs, why });
    if (!this.waiting.has(callId)) return;
    const onTheWayMs = drawDelay(this.latency.requestMs, this.streams.network);
    this.schedule(onTheWayMs, { kind: 'hang-up', call });
  }

  /** The service learns that the client has disconnected. */
  private hangUp(call: SimCall): void {
    if (!this.waiting.delete(call.id)) return;
    this.note('network', 'hang-up', call.id, '');
    this.apply({ kind: 'hang-up', callId: call.id });
  }

  private callWebhook(effect: Extract<Effect, { kind: 'webhook' }>): void {
    const { delivery, attempt, url, method, headers } = effect;
    const bodyText = JSON.stringify(effect.body);
    this.note('client', 'webhook', delivery, `${attempt} ${url} `, bodyText);
    this.deliveries.set(delivery, null);
    const atMs = this.nowMs();
    this.clientEvents.push({ kind: 'webhook', delivery, attempt, atMs, url, method, headers, bodyText });
  }

  private endWebhook(delivery: number, status: number | null): void {
    this.deliveries.delete(delivery);
    this.note('network', 'webhook-ended', delivery, String(status));
    this.apply({ kind: 'webhook-ended', delivery, status });
  }

  private dropWebhook(delivery: number): void {
    const handle = this.deliveries.get(delivery);
    if (handle !== undefined && handle !== null) this.queue.cancel(handle);
    this.deliveries.delete(delivery);
  }

  private apply(input: CoreInput): CoreReply | null {
    const { reply, effects } = this.service.apply(this.nowMs(), input);
    for (const effect of effects) this.perform(effect);
    this.keepTimer();
    return reply;
  }

  private perform(effect: Effect): void {
    switch (effect.kind) {
      case 'reply':
        return this.answer(effect.callId, effect.reply);
      case 'start':
        this.note('worker', 'start', effect.attempt, effect.job);
        return this.runs.start(effect);
      case 'stop':
        this.note('worker', 'stop', effect.attempt, '');
        return this.runs.stop(effect.attempt);
      case 'webhook': {
        const onTheWayMs = drawDelay(this.latency.webhookMs, this.streams.network);
        const handle = this.schedule(onTheWayMs, { kind: 'webhook', effect });
        this.deliveries.set(effect.delivery, handle);
        return;
      }
      case 'drop-webhook':
        return this.dropWebhook(effect.delivery);
    }
  }

  /** Keeps exactly one event in the queue for the next timer of the service. */
  private keepTimer(): void {
    const next = this.service.nextDeadlineMs();
    if (next === (this.timer?.atMs ?? null)) return;
    if (this.timer !== null) this.queue.cancel(this.timer.handle);
    this.timer =
      next === null ? null : { atMs: next, handle: this.schedule(next - this.nowMs(), { kind: 'timer' }) };
  }

  private scheduleLoss(call: SimCall, afterMs: number, why: 'reset' | 'timeout' | 'aborted'): void {
    call.lossEvents.push(this.schedule(afterMs, { kind: 'lost', call, why }));
  }

  private endCall(call: SimCall): boolean {
    if (call.over) return false;
    call.over = true;
    for (const handle of call.lossEvents) this.queue.cancel(handle);
    return true;
  }

  private schedule(afterMs: number, event: ScheduledEvent): EventHandle {
    const atMs = this.nowMs() + Math.max(0, afterMs);
    return this.queue.schedule(atMs, this.rank(PRIORITY_OF[event.kind]), event);
  }

  private note(priority: TiePriority, event: string, id: number, detail: string, body?: string): void {
    this.log.record(this.nowMs(), priority, event, id, detail, body);
  }
}

/** What is known of a request whose body is held back. */
function withoutBody({ method, path, query, headers }: CoreRequest): CoreRequest {
  return { method, path, query, headers, body: null, bodyBytes: 0 };
}

interface Streams {
  readonly network: RandomStream;
  readonly faults: RandomStream;
  readonly workers: RandomStream;
  readonly ties: RandomStream;
}

/** One random stream per purpose, so that a change in one does not shift the others. */
function streamsOf(random: RandomStream): Streams {
  return {
    network: random.fork('network'),
    faults: random.fork('faults'),
    workers: random.fork('workers'),
    ties: random.fork('ties'),
  };
}
