/** All that happened on one endpoint, from its first script's beginning to its last one's end. */
import type {
  CallEvent,
  HistoryEvent,
  RunEvent,
  ScriptEndEvent,
  ScriptEvent,
  WebhookEvent,
  WorkersEvent,
} from '../history/events.js';

export interface Session {
  readonly run: RunEvent;
  readonly endpoint: string;
  /** The instant of the run's clock that all its times count from, ms. */
  readonly originMs: number;
  /** False for an id that no script was given: there is no such endpoint. */
  readonly exists: boolean;
  /** Workers at the beginning; null when unknown. */
  readonly workersAtFirst: number | null;
  /** Created or emptied for the scripts that use it. */
  readonly fresh: boolean;
  readonly scripts: Map<number, ScriptEvent>;
  readonly ends: Map<number, ScriptEndEvent>;
  /** In order of their ends. */
  readonly calls: CallEvent[];
  /** Of all endpoints of its scripts: an address tells the job. */
  readonly webhooks: WebhookEvent[];
  readonly workers: WorkersEvent[];
}

/**
 * The endpoint was made for its script, by test control or by the simulator: nobody else uses it, and its workers are known and
 * there from the beginning.
 */
export function isMadeForTests(session: Session): boolean {
  return (
    session.fresh &&
    session.workersAtFirst !== null &&
    session.run.capabilities.includes('worker-count-known')
  );
}

/** A deployed service: gateways between it and the client, workers that know nothing of each other. */
export function isBehindNetwork(session: Session): boolean {
  return session.run.clock === 'real' && !isMadeForTests(session);
}

/** Sessions of endpoints that the same scripts have used. */
export type Batch = readonly Session[];

/**
 * Cuts a history into sessions; each batch is handed over as soon as nothing can be added to it, so that only
 * what is under way is kept in memory.
 */
export function* batchesOf(run: RunEvent, events: Iterable<HistoryEvent>): Generator<Batch> {
  const groups = new Map<number, Group>();
  const shared = new Map<string, Group>();
  for (const event of events) {
    if (event.kind === 'run') continue;
    if (event.kind === 'script') {
      const group = (event.fresh ? undefined : shared.get(event.endpoint)) ?? new Group(run);
      if (!event.fresh) shared.set(event.endpoint, group);
      group.begin(event);
      groups.set(event.script, group);
      continue;
    }
    const group = groups.get(event.script);
    if (group === undefined) continue;
    if (event.kind !== 'script-end') {
      group.add(event);
      continue;
    }
    group.end(event);
    groups.delete(event.script);
    // On an endpoint that was made for its script nothing can follow; a shared one is kept to the end.
    if (group.fresh) yield group.batch();
  }
  for (const group of new Set([...groups.values(), ...shared.values()])) yield group.batch();
}

class Group {
  fresh = true;
  /** Times of a session count from its first script's beginning: that is what people read in a proof. */
  private originMs = 0;
  private readonly run: RunEvent;
  private readonly sessions = new Map<string, Session>();
  private readonly scripts = new Map<number, ScriptEvent>();
  private readonly ends = new Map<number, ScriptEndEvent>();
  private readonly webhooks: WebhookEvent[] = [];

  constructor(run: RunEvent) {
    this.run = run;
  }

  begin(script: ScriptEvent): void {
    this.fresh &&= script.fresh;
    if (this.scripts.size === 0) this.originMs = script.atMs;
    this.scripts.set(script.script, { ...script, atMs: script.atMs - this.originMs });
    this.session(script.endpoint, script);
    if (script.neighbour !== undefined) this.session(script.neighbour, script);
  }

  add(event: CallEvent | WebhookEvent | WorkersEvent): void {
    const { originMs } = this;
    if (event.kind === 'webhook') this.webhooks.push(webhookSince(event, originMs));
    else if (event.kind === 'call') this.session(event.endpoint, null).calls.push(callSince(event, originMs));
    else {
      const [sentMs, receivedMs] = [event.sentMs - originMs, event.receivedMs - originMs];
      this.session(event.endpoint, null).workers.push({ ...event, sentMs, receivedMs });
    }
  }

  end(event: ScriptEndEvent): void {
    this.ends.set(event.script, { ...event, atMs: event.atMs - this.originMs });
  }

  batch(): Batch {
    const lagMs = Math.max(0, ...[...this.ends.values()].map(({ harnessLagMs }) => harnessLagMs ?? 0));
    if (lagMs === 0) return [...this.sessions.values()];
    // What the harness noticed late need not have been late.
    const run = { ...this.run, graceMs: this.run.graceMs + lagMs, earlyMs: this.run.earlyMs + lagMs };
    return [...this.sessions.values()].map((session) => ({ ...session, run }));
  }

  private session(endpoint: string, script: ScriptEvent | null): Session {
    let session = this.sessions.get(endpoint);
    if (session === undefined) {
      session = {
        run: this.run,
        endpoint,
        originMs: this.originMs,
        exists: script !== null,
        workersAtFirst: script?.workers ?? null,
        fresh: script?.fresh ?? false,
        scripts: this.scripts,
        ends: this.ends,
        calls: [],
        webhooks: this.webhooks,
        workers: [],
      };
      this.sessions.set(endpoint, session);
    }
    return session;
  }
}

function callSince(call: CallEvent, originMs: number): CallEvent {
  if (originMs === 0) return call;
  return {
    ...call,
    sentMs: call.sentMs - originMs,
    arrivedByMs: call.arrivedByMs === null ? null : call.arrivedByMs - originMs,
    receivedMs: call.receivedMs === null ? null : call.receivedMs - originMs,
    ...(call.gaveUpMs === undefined ? {} : { gaveUpMs: call.gaveUpMs - originMs }),
  };
}

function webhookSince(webhook: WebhookEvent, originMs: number): WebhookEvent {
  return {
    ...webhook,
    arrivedMs: webhook.arrivedMs - originMs,
    endedMs: webhook.endedMs - originMs,
    ...(webhook.sinceMs === undefined ? {} : { sinceMs: webhook.sinceMs - originMs }),
  };
}
