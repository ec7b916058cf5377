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
  readonly scripts: Map<number, ScriptEvent>;
  readonly ends: Map<number, ScriptEndEvent>;
  /** In order of their ends. Calls that address another endpoint are among them. */
  readonly calls: CallEvent[];
  readonly webhooks: WebhookEvent[];
  readonly workers: WorkersEvent[];
}

/** Cuts a history into sessions; each is handed over as soon as nothing can be added to it. */
export function* sessionsOf(run: RunEvent, events: Iterable<HistoryEvent>): Generator<Session> {
  const byEndpoint = new Map<string, Session>();
  const byScript = new Map<number, Session>();
  const open = new Map<Session, number>();
  for (const event of events) {
    if (event.kind === 'run') continue;
    if (event.kind === 'script') {
      let session = byEndpoint.get(event.endpoint);
      if (session === undefined) byEndpoint.set(event.endpoint, (session = emptySession(run, event.endpoint)));
      session.scripts.set(event.script, event);
      byScript.set(event.script, session);
      open.set(session, (open.get(session) ?? 0) + 1);
      continue;
    }
    const session = byScript.get(event.script);
    if (session === undefined) continue;
    if (event.kind === 'call') session.calls.push(event);
    else if (event.kind === 'webhook') session.webhooks.push(event);
    else if (event.kind === 'workers') session.workers.push(event);
    else {
      session.ends.set(event.script, event);
      const left = (open.get(session) ?? 1) - 1;
      open.set(session, left);
      // On an endpoint that was made for its script nothing can follow; a shared one is kept to the end.
      if (left === 0 && [...session.scripts.values()].every((script) => script.fresh)) {
        for (const script of session.scripts.keys()) byScript.delete(script);
        byEndpoint.delete(session.endpoint);
        open.delete(session);
        yield session;
      }
    }
  }
  yield* byEndpoint.values();
}

function emptySession(run: RunEvent, endpoint: string): Session {
  return { run, endpoint, scripts: new Map(), ends: new Map(), calls: [], webhooks: [], workers: [] };
}
