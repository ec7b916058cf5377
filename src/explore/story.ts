/** What a history tells of each job, call by call: no more than a client could know. */
import { isJobStatus, LIVE_STATUSES } from '../spec/states.js';
import type { CallEvent, HistoryEvent, Json, ScriptEvent, WebhookEvent } from '../history/events.js';
import { RUN_RETENTION_MS, RUNSYNC_RETENTION_MS, TTL_DEFAULT_MS } from '../spec/limits.js';
import type { Phase } from './phases.js';

/** A state that is told only as long as nothing moves is told for so long; others last. */
const FRESH_MS = 1_000;

/** Where a call found its job. `none`: no job is meant; `unseen`: nobody knows. */
export type SeenPhase = Phase | 'none' | 'unseen' | 'elsewhere';

export interface ToldCall {
  readonly event: CallEvent;
  readonly phase: SeenPhase;
  /** `ok`, the code of a refusal, or `lost`. */
  readonly outcome: string;
  /** The state that the reply tells; `GONE` for a 404 that means the job. */
  readonly told: Phase | null;
  readonly job: ToldJob | null;
}

export interface ToldJob {
  readonly synchronous: boolean;
  readonly submittedMs: number;
  readonly ttlMs: number;
  readonly retentionMs: number;
  readonly calls: ToldCall[];
  shown: Phase | null;
  shownMs: number;
}

export interface Story {
  readonly calls: readonly ToldCall[];
  readonly jobs: readonly ToldJob[];
  readonly webhooks: readonly WebhookEvent[];
}

const LIVE: readonly (Phase | null)[] = LIVE_STATUSES;

/** The story of each script of a history, by the script's number. */
export function storiesOf(events: readonly HistoryEvent[]): ReadonlyMap<number, Story> {
  const tellers = new Map<number, Teller>();
  for (const event of events) {
    if (event.kind === 'script') tellers.set(event.script, new Teller(event));
    else if (event.kind === 'call') tellers.get(event.script)?.call(event);
    else if (event.kind === 'webhook') tellers.get(event.script)?.webhooks.push(event);
  }
  return tellers;
}

class Teller implements Story {
  readonly calls: ToldCall[] = [];
  readonly webhooks: WebhookEvent[] = [];
  private readonly endpoint: string;
  private readonly byId = new Map<string, ToldJob>();

  constructor({ endpoint }: ScriptEvent) {
    this.endpoint = endpoint;
  }

  get jobs(): readonly ToldJob[] {
    return [...this.byId.values()];
  }

  call(event: CallEvent): void {
    const outcome = outcomeOf(event);
    const job = this.byId.get(idInPath(event.request.path)) ?? null;
    const told = toldBy(event);
    const call = { event, phase: this.phaseAt(event, job), outcome, told, job };
    this.calls.push(call);
    if (job !== null) {
      job.calls.push(call);
      if (event.endpoint === this.endpoint && event.op !== null && outcome !== 'lost' && outcome !== '401')
        learn(job, call);
    }
    const submits = event.op === 'run' || event.op === 'runsync';
    if (submits && outcome === 'ok' && event.endpoint === this.endpoint) this.submitted(call);
  }

  private submitted(call: ToldCall): void {
    const { event } = call;
    const value = event.reply?.body.as === 'json' ? event.reply.body.value : null;
    const id = member(value, 'id');
    if (typeof id !== 'string') return;
    const body = event.request.body.as === 'json' ? event.request.body.value : null;
    const ttl = member(member(body, 'policy'), 'ttl');
    const synchronous = event.op === 'runsync';
    const job: ToldJob = {
      synchronous,
      submittedMs: event.sentMs,
      ttlMs: typeof ttl === 'number' ? ttl : TTL_DEFAULT_MS,
      retentionMs: synchronous ? RUNSYNC_RETENTION_MS : RUN_RETENTION_MS,
      calls: [call],
      shown: null,
      shownMs: event.receivedMs ?? event.sentMs,
    };
    // The record of a job that ended is news; that a new job is queued may be over already.
    if (call.told !== null && !LIVE.includes(call.told)) job.shown = call.told;
    this.byId.set(id, job);
  }

  private phaseAt(event: CallEvent, job: ToldJob | null): SeenPhase {
    if (event.endpoint !== this.endpoint) return 'elsewhere';
    if (job === null)
      return this.jobs.some((other) => phaseNow(other, event.sentMs) === 'IN_QUEUE') ? 'IN_QUEUE' : 'none';
    return phaseNow(job, event.sentMs);
  }
}

function phaseNow(job: ToldJob, atMs: number): SeenPhase {
  if (job.shown === null || (LIVE.includes(job.shown) && atMs - job.shownMs > FRESH_MS)) return 'unseen';
  return job.shown;
}

function learn(job: ToldJob, { event, told, outcome }: ToldCall): void {
  if (event.op === 'retry' && outcome === 'ok') job.shown = null;
  else if (event.op === 'status' && outcome === '404') job.shown = 'GONE';
  else if (told !== null && (event.op === 'status' || event.op === 'cancel')) job.shown = told;
  else return;
  job.shownMs = event.receivedMs ?? event.sentMs;
}

function outcomeOf({ reply }: CallEvent): string {
  if (reply === null) return 'lost';
  return reply.status >= 200 && reply.status < 300 ? 'ok' : String(reply.status);
}

function toldBy({ reply }: CallEvent): Phase | null {
  const value = reply?.body.as === 'json' && reply.status < 300 ? reply.body.value : null;
  const status = member(value, 'status');
  return isJobStatus(status) ? status : null;
}

function idInPath(path: string): string {
  const segment = path.split('/')[4] ?? '';
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
