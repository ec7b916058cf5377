import { ownBodyOf } from '../../history/body.js';
import type { HeldBack } from '../../history/events.js';
import type { CallOutcome, OutgoingCall, ScriptRunner, RunnerAction } from '../../runner/api.js';
import type { Script } from '../../scenario/script.js';
import type { ClientEvent } from '../../sim/client-events.js';
import type { Scaling, Simulation } from '../../sim/simulation.js';
import { callEventOf } from '../call-event.js';
import type { CreateScriptRunner, HistorySink } from '../port.js';
import { replyOf, toCoreRequest } from './core-request.js';
import { WebhookStub } from './webhook-stub.js';

/** What all scripts of a target share. */
export interface SimulatorRunContext {
  readonly simulation: Simulation;
  readonly sink: HistorySink;
  readonly createRunner: CreateScriptRunner;
  readonly auth: 'bare' | 'bearer';
  /** Null where a script has as many workers as it needs. */
  readonly scaling: (Omit<Scaling, 'max'> & { readonly jobsPerWorker?: number }) | null;
  /** Whether the client may know when its request reached the service, before there is a reply. */
  readonly arrivalsKnown: boolean;
  /** How long the client waits for an answer. */
  readonly timeoutMs: (call: OutgoingCall) => number;
  /** A script that makes more events than this is given up. */
  readonly eventsMax: number;
  /** Numbers calls over the target's life. */
  nextCall(): number;
  /** Counts sendings and ends of calls over the target's life. */
  nextTick(): number;
}

export type ScriptOutcome =
  | { readonly outcome: 'played' }
  | { readonly outcome: 'aborted'; readonly reason: string };

/** Runs one script on an endpoint of its own, and writes its events from `script` to `script-end`. */
export function runScript(context: SimulatorRunContext, script: Script, number: number): ScriptOutcome {
  return new ScriptRun(context, script, number).run();
}

interface OpenCall {
  readonly number: number;
  readonly call: OutgoingCall;
  readonly sentMs: number;
  readonly sentTick: number;
  arrivedMs: number | null;
  /** Where the end of its body is held back: what is known of that so far. */
  readonly held: { -readonly [Part in keyof HeldBack]: HeldBack[Part] } | null;
}

/** After so long a call has arrived that its script breaks off, in virtual ms. */
const HANGS_UP_MS = 500;

/** How long ends of bodies are held back, and then the ends of those before, in virtual ms. */
const HELD_MS = 2_500;
const ROUND_MS = 400;

class ScriptRun {
  private readonly context: SimulatorRunContext;
  private readonly script: Script;
  private readonly number: number;
  private readonly endpoint: string;
  /** The second endpoint, where the script needs one. */
  private readonly secondEndpoint: string | null;
  private readonly simulation: Simulation;
  private readonly webhooks: WebhookStub;
  private readonly runner: ScriptRunner;
  private readonly open = new Map<number, OpenCall>();
  private alarmMs: number | null = null;

  constructor(context: SimulatorRunContext, script: Script, number: number) {
    this.context = context;
    this.script = script;
    this.number = number;
    this.simulation = context.simulation;
    this.endpoint = `sim-${number}`;
    this.secondEndpoint = script.secondEndpoint ? `sim-${number}-neighbour` : null;
    this.webhooks = new WebhookStub(number);
    this.runner = context.createRunner(script, {
      endpoint: this.endpoint,
      startMs: this.simulation.nowMs(),
      auth: context.auth,
      otherKeys: ['unpermitted', 'other-user'],
      webhookUrl: (token) => this.webhooks.urlOf(token),
      ...(this.secondEndpoint !== null ? { secondEndpoint: this.secondEndpoint } : {}),
      sampleInput: null,
    });
  }

  run(): ScriptOutcome {
    this.begin();
    const lastEvent = this.simulation.eventCount + this.context.eventsMax;
    this.act();
    while (!this.runner.done) {
      if (this.simulation.eventCount > lastEvent) {
        return this.end({ outcome: 'aborted', reason: `more than ${this.context.eventsMax} events` });
      }
      if (!this.simulation.step()) {
        return this.end({ outcome: 'aborted', reason: 'nothing is left that could move it on' });
      }
      this.closeWebhooks(this.webhooks.ended(this.simulation.nowMs()));
      const occurrences = this.simulation.takeEvents();
      if (occurrences.length === 0) continue;
      for (const occurrence of occurrences) this.learn(occurrence);
      this.act();
    }
    return this.end({ outcome: 'played' });
  }

  private begin(): void {
    const { scenario, title, workers, seed } = this.script;
    this.simulation.restart(`${scenario}#${seed}`);
    this.create(this.endpoint, workers);
    if (this.secondEndpoint !== null) this.create(this.secondEndpoint, workers);
    this.context.sink.append({
      kind: 'script',
      script: this.number,
      scenario,
      title,
      endpoint: this.endpoint,
      fresh: true,
      workers: this.context.scaling === null ? workers : null,
      ...(this.secondEndpoint !== null ? { secondEndpoint: this.secondEndpoint } : {}),
      atMs: this.simulation.nowMs(),
    });
  }

  private create(endpoint: string, workers: number): void {
    const { scaling } = this.context;
    if (scaling === null) return this.simulation.createEndpoint(endpoint, workers);
    const { jobsPerWorker, min, ...times } = scaling;
    const between = { ...times, min: Math.min(min, workers), max: workers };
    this.simulation.createEndpoint(endpoint, between, jobsPerWorker);
  }

  private end(outcome: ScriptOutcome): ScriptOutcome {
    const atMs = this.simulation.nowMs();
    this.closeWebhooks(this.webhooks.close(atMs));
    for (const open of this.open.values()) {
      this.write(open, this.outcomeOf(open, open.arrivedMs, null, null, 'aborted'));
    }
    this.simulation.deleteEndpoint(this.endpoint);
    if (this.secondEndpoint !== null) this.simulation.deleteEndpoint(this.secondEndpoint);
    const reason = outcome.outcome === 'aborted' ? outcome.reason : null;
    const over = { script: this.number, atMs, outcome: outcome.outcome, reason };
    this.context.sink.append({ kind: 'script-end', ...over });
    return outcome;
  }

  /** Does what is due at this instant, then sets the alarm for what is due next. */
  private act(): void {
    const nowMs = this.simulation.nowMs();
    let again = true;
    while (again) {
      again = false;
      for (const action of this.runner.due(nowMs)) again = this.perform(action) || again;
    }
    const wakeMs = this.runner.nextWakeMs();
    if (wakeMs === this.alarmMs) return;
    this.alarmMs = wakeMs;
    this.simulation.wakeAt(wakeMs);
  }

  /** True when the runner has news by it and has to be asked again. */
  private perform(action: RunnerAction): boolean {
    switch (action.kind) {
      case 'call':
        this.send(action.call);
        return false;
      case 'expect-webhook':
        this.webhooks.expect(action.token, action.answers);
        return false;
      case 'expect-storage':
        this.webhooks.expectStorage(action.token);
        return false;
      case 'workers':
        this.changeWorkers(action.lane, action.count);
        return true;
    }
  }

  private send(call: OutgoingCall): void {
    const number = this.context.nextCall();
    const sentMs = this.simulation.nowMs();
    const sentTick = this.context.nextTick();
    const untilMs = sentMs + HELD_MS;
    const held = call.held && {
      fromTick: sentTick,
      untilTick: null,
      overTick: Infinity,
      untilMs,
      togetherMs: 0,
    };
    this.open.set(number, { number, call, sentMs, sentTick, arrivedMs: null, held: held ?? null });
    const timeoutMs = this.context.timeoutMs(call);
    const round = call.held && Math.floor((call.call - call.held.first) / call.held.atATime);
    const heldMs = round === undefined ? 0 : HELD_MS + round * ROUND_MS;
    const hangsUpAfterMs = call.hangsUp === true ? HANGS_UP_MS : undefined;
    this.simulation.send(number, toCoreRequest(call), timeoutMs + heldMs, heldMs, hangsUpAfterMs);
  }

  private changeWorkers(lane: string, workers: number): void {
    const atMs = this.simulation.nowMs();
    this.simulation.setWorkers(this.endpoint, workers);
    this.context.sink.append({
      kind: 'workers',
      script: this.number,
      endpoint: this.endpoint,
      workers,
      sentMs: atMs,
      receivedMs: atMs,
    });
    this.runner.workersChanged(lane, atMs);
  }

  private learn(occurrence: ClientEvent): void {
    switch (occurrence.kind) {
      case 'rest-sent': {
        const held = this.open.get(occurrence.callId)?.held;
        if (held) Object.assign(held, { untilTick: this.context.nextTick(), togetherMs: HELD_MS });
        return;
      }
      case 'arrived':
        return this.arrived(occurrence.callId, occurrence.atMs);
      case 'reply':
      case 'lost':
        return this.ended(occurrence);
      case 'webhook': {
        const end = this.webhooks.receive(occurrence);
        this.simulation.answerWebhook(occurrence.delivery, end.status, end.afterMs);
        return this.closeWebhooks(this.webhooks.ended(this.simulation.nowMs()));
      }
      case 'wake':
        this.alarmMs = null;
    }
  }

  private arrived(callId: number, atMs: number): void {
    const open = this.open.get(callId);
    if (open === undefined) return;
    open.arrivedMs = atMs;
    if (this.context.arrivalsKnown) this.runner.arrived(open.call.call, atMs);
  }

  private ended(event: Extract<ClientEvent, { readonly kind: 'reply' | 'lost' }>): void {
    const open = this.open.get(event.callId);
    if (open === undefined) return;
    this.open.delete(event.callId);
    const outcome =
      event.kind === 'reply'
        ? this.outcomeOf(open, event.arrivedMs, event.atMs, replyOf(event.reply), null)
        : this.outcomeOf(
            open,
            event.arrivedMs,
            null,
            null,
            isBrokenOff(open, event.why) ? 'hung-up' : event.why,
          );
    this.write(open, outcome);
    this.runner.replied(open.call.call, outcome);
  }

  private outcomeOf(
    { sentMs }: OpenCall,
    arrivedMs: number | null,
    receivedMs: number | null,
    reply: CallOutcome['reply'],
    lost: string | null,
  ): CallOutcome {
    return { sentMs, arrivedByMs: this.context.arrivalsKnown ? arrivedMs : null, receivedMs, reply, lost };
  }

  private closeWebhooks(events: ReturnType<WebhookStub['ended']>): void {
    for (const event of events) this.context.sink.append(event);
  }

  private write(open: OpenCall, { sentMs, arrivedByMs, receivedMs, reply, lost }: CallOutcome): void {
    const { call, held, number, sentTick } = open;
    const endedTick = this.context.nextTick();
    const event = callEventOf(call, this.number, {
      ...{ call: number, auth: call.auth, body: call.keptBody ?? ownBodyOf(call.bodyText) },
      ...{ sentTick, endedTick, sentMs, arrivedByMs, receivedMs, reply, lost },
      ...(lost === 'hung-up' ? { gaveUpMs: this.simulation.nowMs() } : {}),
    });
    this.context.sink.append(held === null ? event : { ...event, held: { ...held, overTick: endedTick } });
  }
}

function isBrokenOff({ call }: OpenCall, why: string): boolean {
  return call.hangsUp === true && why === 'aborted';
}
