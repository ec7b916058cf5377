/** What a history shows of each job, call by call: no more than a client could know. */
import { isJobStatus, LIVE_STATUSES } from '../spec/states.js';
import type { CallEvent, HistoryEvent, Json, ScriptEvent, WebhookEvent } from '../history/events.js';
import { RUN_RETENTION_MS, RUNSYNC_RETENTION_MS, TTL_DEFAULT_MS } from '../spec/limits.js';
import { segmentAt } from '../util/path.js';
import type { ModelState } from './endpoint-model.js';

/** How long the observed state of a waiting or running job is taken to hold; other states last. */
const FRESH_MS = 1_000;

/**
 * The state in which a call found its job. `none`: it has no job; `unseen`: the state is unknown;
 * `elsewhere`: another endpoint.
 */
export type ObservedState = ModelState | 'none' | 'unseen' | 'elsewhere';

export interface TracedCall {
  readonly event: CallEvent;
  readonly state: ObservedState;
  /** `ok`, the status code of a refusal, or `lost`. */
  readonly outcome: string;
  /** The state that the reply reports; null without one. */
  readonly reportedState: ModelState | null;
  readonly job: TracedJob | null;
}

/** A state that a `/status` call showed. */
export interface Observation {
  readonly atMs: number;
  readonly state: ModelState;
}

export interface TracedJob {
  readonly synchronous: boolean;
  readonly submittedMs: number;
  readonly ttlMs: number;
  readonly retentionMs: number;
  readonly calls: TracedCall[];
  readonly observations: Observation[];
  lastObserved: ModelState | null;
  lastObservedMs: number;
}

export interface ScriptTrace {
  readonly calls: readonly TracedCall[];
  readonly jobs: readonly TracedJob[];
  readonly webhooks: readonly WebhookEvent[];
}

const LIVE: readonly (ModelState | null)[] = LIVE_STATUSES;

/** The trace of each script of a history, by script number. */
export function tracesOf(events: readonly HistoryEvent[]): ReadonlyMap<number, ScriptTrace> {
  const builders = new Map<number, TraceBuilder>();
  for (const event of events) {
    if (event.kind === 'script') builders.set(event.script, new TraceBuilder(event));
    else if (event.kind === 'call') builders.get(event.script)?.call(event);
    else if (event.kind === 'webhook') builders.get(event.script)?.webhooks.push(event);
  }
  return builders;
}

class TraceBuilder implements ScriptTrace {
  readonly calls: TracedCall[] = [];
  readonly webhooks: WebhookEvent[] = [];
  private readonly endpoint: string;
  private readonly byId = new Map<string, TracedJob>();
  /** Its values, once they are asked for; null again when there is another job. */
  private listed: readonly TracedJob[] | null = null;

  constructor({ endpoint }: ScriptEvent) {
    this.endpoint = endpoint;
  }

  get jobs(): readonly TracedJob[] {
    return (this.listed ??= [...this.byId.values()]);
  }

  call(event: CallEvent): void {
    const outcome = outcomeOf(event);
    const job = this.byId.get(idInPath(event.request.path)) ?? null;
    const reportedState = stateReportedBy(event);
    const call = { event, state: this.observedStateAt(event, job), outcome, reportedState, job };
    this.calls.push(call);
    if (job !== null) {
      addTo(job, call);
      if (event.endpoint === this.endpoint && event.op !== null && outcome !== 'lost' && outcome !== '401')
        learn(job, call);
    }
    const submits = event.op === 'run' || event.op === 'runsync';
    if (submits && outcome === 'ok' && event.endpoint === this.endpoint) this.submitted(call);
  }

  private submitted(call: TracedCall): void {
    const { event } = call;
    const value = event.reply?.body.as === 'json' ? event.reply.body.value : null;
    const id = member(value, 'id');
    if (typeof id !== 'string') return;
    const body = event.request.body.as === 'json' ? event.request.body.value : null;
    const ttl = member(member(body, 'policy'), 'ttl');
    const synchronous = event.op === 'runsync';
    const job: TracedJob = {
      synchronous,
      submittedMs: event.sentMs,
      ttlMs: typeof ttl === 'number' ? ttl : TTL_DEFAULT_MS,
      retentionMs: synchronous ? RUNSYNC_RETENTION_MS : RUN_RETENTION_MS,
      calls: [],
      observations: [],
      lastObserved: null,
      lastObservedMs: event.receivedMs ?? event.sentMs,
    };
    // A reply that shows the job's end is an observation; that a new job is queued may no longer be true.
    if (call.reportedState !== null && !LIVE.includes(call.reportedState))
      job.lastObserved = call.reportedState;
    addTo(job, call);
    this.byId.set(id, job);
    this.listed = null;
  }

  private observedStateAt(event: CallEvent, job: TracedJob | null): ObservedState {
    if (event.endpoint !== this.endpoint) return 'elsewhere';
    if (job === null)
      return this.jobs.some((other) => stateAt(other, event.sentMs) === 'IN_QUEUE') ? 'IN_QUEUE' : 'none';
    return stateAt(job, event.sentMs);
  }
}

function stateAt(job: TracedJob, atMs: number): ObservedState {
  if (job.lastObserved === null || (LIVE.includes(job.lastObserved) && atMs - job.lastObservedMs > FRESH_MS))
    return 'unseen';
  return job.lastObserved;
}

function addTo(job: TracedJob, call: TracedCall): void {
  job.calls.push(call);
  if (call.event.op !== 'status') return;
  const state = call.outcome === '404' ? 'GONE' : call.reportedState;
  if (state !== null) job.observations.push({ atMs: call.event.sentMs, state });
}

function learn(job: TracedJob, { event, reportedState, outcome }: TracedCall): void {
  if (event.op === 'retry' && outcome === 'ok') job.lastObserved = null;
  else if (event.op === 'status' && outcome === '404') job.lastObserved = 'GONE';
  else if (reportedState !== null && (event.op === 'status' || event.op === 'cancel'))
    job.lastObserved = reportedState;
  else return;
  job.lastObservedMs = event.receivedMs ?? event.sentMs;
}

function outcomeOf({ reply }: CallEvent): string {
  if (reply === null) return 'lost';
  return reply.status >= 200 && reply.status < 300 ? 'ok' : String(reply.status);
}

function stateReportedBy({ reply }: CallEvent): ModelState | null {
  const value = reply?.body.as === 'json' && reply.status < 300 ? reply.body.value : null;
  const status = member(value, 'status');
  return isJobStatus(status) ? status : null;
}

function idInPath(path: string): string {
  const segment = segmentAt(path, 4);
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

export function member(value: Json | undefined, name: string): Json | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
  return (value as { readonly [key: string]: Json })[name];
}
