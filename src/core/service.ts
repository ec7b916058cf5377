/**
 * The endpoint of the document as a pure state machine. `apply` settles everything due, each deadline at its own
 * instant, then handles the input; it never reads a clock, performs I/O or draws a random number.
 */
import type { Edition } from '../spec/types.js';
import type { CoreInput, CoreOutput, CoreReply, Effect, Service } from './api.js';
import { isEmpty, noChanges } from './changes.js';
import { createDeadlines } from './deadlines.js';
import { createEndpoint, deleteEndpoint, setWorkers } from './endpoints.js';
import { attemptOf, workerCalls } from './external.js';
import { sameKey } from './http/auth.js';
import { answer, arrive, bodyWanted, forsake } from './http/face.js';
import { uuidLike } from './ids.js';
import { end } from './lifecycle.js';
import { lose } from './losses.js';
import type { Machine } from './machine.js';
import { Meters } from './meters.js';
import { report } from './reports.js';
import { restore, resume } from './restore.js';
import { rulesFor } from './rules.js';
import type { Dialect, Rules } from './rules.js';
import { saveChanges } from './saved.js';
import type { SavedChanges, SavedState } from './saved.js';
import type { WorkersWanted } from './scaling-settings.js';
import { viewOf } from './view.js';
import { answerAll, hangUp } from './waiting.js';
import { webhookEnded } from './webhooks.js';

export interface ServiceOptions {
  /** The API keys accepted (section 5). Each stands for one user of the rate limits. */
  readonly keys: readonly string[];
  /** API keys that are known and have no permission for any endpoint (section 5). Default: none. */
  readonly unpermittedKeys?: readonly string[];
  /** Default `document`. */
  readonly edition?: Edition;
  /** How the open questions are read; those left out as in the default dialect. */
  readonly dialect?: Dialect;
  /** Replaces the rules that edition and dialect would give, e.g. by ones with a known fault. */
  readonly rules?: Rules;
  /** Endpoints that exist from the start. */
  readonly endpoints?: readonly ({ readonly id: string } & WorkersWanted)[];
  /** Compares keys; the default takes the same time for every key of one length. */
  readonly sameKey?: (key: string, given: string) => boolean;
  /** Makes job ids; must never repeat one within the service. Default: a counter that looks like a uuid. */
  readonly nextJobId?: (endpoint: string, sync: boolean) => string;
  /** What `takeChanges` is to tell. Where the time itself is kept, its passing is a change. Default: nothing. */
  readonly notes?: 'nothing' | 'changes' | 'changes-and-time';
  /** What another service held when it was broken off; the endpoints of `endpoints` are then not made. */
  readonly restored?: SavedState;
}

/** A service that tells what has to be kept of it. */
export interface KeptService extends Service {
  hasChanges(): boolean;
  /** What has changed since the last call of this, as it is now; null when nothing has. */
  takeChanges(): SavedChanges | null;
}

const NOTHING: readonly Effect[] = Object.freeze([]);

export function createService(options: ServiceOptions): KeptService {
  const rules = options.rules ?? rulesFor(options.dialect ?? {}, options.edition ?? 'document');
  let made = options.restored?.counters.idsMade ?? 0;
  const nextJobId = options.nextJobId ?? (() => uuidLike(++made));
  const everyId = rules.remembersIds() ? new Set<string>() : null;
  function makeId(endpoint: string, sync: boolean): string {
    const id = rules.newId(nextJobId(endpoint, sync), sync);
    everyId?.add(id);
    if (everyId !== null) m.changes?.ids.add(id);
    return id;
  }
  const m: Machine = {
    rules,
    keys: options.keys,
    unpermittedKeys: options.unpermittedKeys ?? [],
    sameKey: options.sameKey ?? sameKey,
    deadlines: createDeadlines(),
    endpoints: new Map(),
    jobs: new Map(),
    attempts: new Map(),
    calls: new Map(),
    arrived: new Map(),
    deliveries: new Map(),
    meters: new Meters(),
    effects: [],
    lastAttempt: 0,
    lastDelivery: 0,
    workers: { running: 0 },
    purgedIds: new Set(),
    everyId,
    changes: (options.notes ?? 'nothing') === 'nothing' ? null : noChanges(),
    brokenOff: new Set(),
    makeId,
    lose: (job, nowMs) => lose(m, job, nowMs),
  };
  if (options.restored !== undefined) restore(m, options.restored);
  else for (const endpoint of options.endpoints ?? []) createEndpoint(m, endpoint.id, endpoint, 0);
  let latestMs = options.restored?.counters.latestMs ?? Number.NEGATIVE_INFINITY;

  /** What was set with an instant before `fromMs` strikes then: time goes on only. */
  function settle(fromMs: number, nowMs: number): void {
    for (let due = m.deadlines.takeDue(nowMs); due !== null; due = m.deadlines.takeDue(nowMs))
      due.strike(Math.max(fromMs, due.atMs));
  }

  let keptMs = latestMs;
  const hasChanges = (): boolean =>
    m.changes !== null &&
    (!isEmpty(m.changes) || (options.notes === 'changes-and-time' && latestMs > keptMs));

  return {
    apply(nowMs: number, input: CoreInput): CoreOutput {
      if (nowMs < latestMs) throw new RangeError(`time went back from ${latestMs} to ${nowMs}`);
      settle(latestMs, nowMs);
      latestMs = nowMs;
      const reply = handle(m, input, nowMs);
      settle(nowMs, nowMs);
      if (m.effects.length === 0) return { reply, effects: NOTHING };
      const { effects } = m;
      m.effects = [];
      return { reply, effects };
    },
    nextDeadlineMs: () => m.deadlines.nextMs(),
    look: (jobsMax) => [...m.endpoints.values()].map((endpoint) => viewOf(endpoint, jobsMax)),
    attemptOf: (endpoint, worker, job) => attemptOf(m, endpoint, worker, job),
    bodyWanted: (callId, request) => bodyWanted(m, callId, request, latestMs),
    hasChanges,
    takeChanges(): SavedChanges | null {
      const { changes } = m;
      if (changes === null || !hasChanges()) return null;
      m.changes = noChanges();
      keptMs = latestMs;
      const counters = {
        latestMs: Math.max(0, latestMs),
        attempts: m.lastAttempt,
        deliveries: m.lastDelivery,
        idsMade: made,
      };
      return saveChanges(m, changes, counters);
    },
  };
}

function hungUp(m: Machine, callId: number, nowMs: number): void {
  forsake(m, callId);
  const job = hangUp(m, callId);
  if (job === null || !m.rules.hangUpCancels(job) || !m.rules.mayCancel(job.status, job)) return;
  end(m, job, m.rules.cancelEnding(job), 'cancel', nowMs);
}

function handle(m: Machine, input: CoreInput, nowMs: number): CoreReply | null {
  switch (input.kind) {
    case 'settle':
      return null;
    case 'resume':
      resume(m, nowMs);
      return null;
    case 'arrival':
      arrive(m, input.callId, input.request);
      return null;
    case 'request':
      return answer(m, input.callId, input.request, nowMs);
    case 'hang-up':
      hungUp(m, input.callId, nowMs);
      return null;
    case 'answer-all':
      answerAll(m, nowMs);
      return null;
    case 'worker':
      report(m, input.attempt, input.report, nowMs);
      return null;
    case 'webhook-ended':
      webhookEnded(m, input.delivery, input.status, nowMs);
      return null;
    case 'create-endpoint':
      createEndpoint(m, input.endpoint, input, nowMs);
      return null;
    case 'set-workers':
      setWorkers(m, input.endpoint, input.workers, nowMs);
      return null;
    case 'delete-endpoint':
      deleteEndpoint(m, input.endpoint, nowMs);
      return null;
    default:
      workerCalls(m, input.endpoint, input.worker, input, nowMs);
      return null;
  }
}
