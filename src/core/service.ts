/**
 * Makes the service: `apply` fires the timers that are due, each at its own instant, then handles the input.
 * It reads no clock, does no I/O and draws no random number.
 */
import type { Edition } from '../spec/types.js';
import type { CoreInput, CoreOutput, CoreReply, Service } from './api.js';
import { isEmpty, noChanges } from './saved/changes.js';
import { Deadlines } from './deadlines.js';
import { createEndpoint, deleteEndpoint, setWorkers } from './endpoints.js';
import { attemptOf, workerCalls } from './workers/external-workers.js';
import { keysEqual } from './http/checks.js';
import { answerRequest, receiveHeaders, bodyWanted, abandonRequest } from './http/pipeline.js';
import { uuidLike } from './ids.js';
import { endJob } from './lifecycle.js';
import { submit } from './operations.js';
import { jobDetail } from './job-detail.js';
import { JobTable } from './job-table.js';
import { loseWorker } from './workers/redelivery.js';
import type { ServiceState } from './state.js';
import { Meters } from './meters.js';
import { report } from './workers/worker-reports.js';
import { restore, resume } from './saved/restore.js';
import { rulesFor } from './rules.js';
import type { Dialect, Rules } from './rules.js';
import { saveChanges } from './saved/saved.js';
import type { SavedChanges, SavedState } from './saved/saved.js';
import type { WorkerSettings } from './workers/scaling-settings.js';
import { endpointSnapshot } from './saved/snapshot.js';
import { upcoming } from './upcoming.js';
import { answerAll, hangUp } from './waiting-calls.js';
import { webhookEnded, webhookOf } from './webhooks.js';

export interface ServiceOptions {
  /** The accepted API keys (section 5). For rate limits, each key is one user. */
  readonly keys: readonly string[];
  /** API keys without permission for any endpoint (section 5). Default: none. */
  readonly unpermittedKeys?: readonly string[];
  /** Default `document`. */
  readonly edition?: Edition;
  /** Readings of open questions. Default: those of the edition. */
  readonly dialect?: Dialect;
  /** Used instead of the rules of edition and dialect, for example with a known fault. */
  readonly rules?: Rules;
  /** Endpoints that exist from the start. */
  readonly endpoints?: readonly ({ readonly id: string } & WorkerSettings)[];
  /** Compares keys. Default: takes the same time for all keys of one length. */
  readonly keysEqual?: (key: string, given: string) => boolean;
  /** Makes job ids, each only once within the service. Default: a counter in the form of a UUID. */
  readonly nextJobId?: (endpoint: string, sync: boolean) => string;
  /** What `takeChanges` reports; `changes-and-time` also reports that time has passed. Default `nothing`. */
  readonly tracks?: 'nothing' | 'changes' | 'changes-and-time';
  /** The state of an earlier process. The endpoints of `endpoints` are then not created. */
  readonly restored?: SavedState;
}

/** A service that reports what to persist. */
export interface DurableService extends Service {
  hasChanges(): boolean;
  /** The present values of what has changed since the last call; null when nothing has. */
  takeChanges(): SavedChanges | null;
}

export function createService(options: ServiceOptions): DurableService {
  const rules = options.rules ?? rulesFor(options.dialect ?? {}, options.edition ?? 'document');
  let idsMade = options.restored?.counters.idsMade ?? 0;
  const nextJobId = options.nextJobId ?? (() => uuidLike(++idsMade));
  const idsGiven = rules.remembersIds() ? new Set<string>() : null;
  function makeId(endpoint: string, sync: boolean): string {
    const id = rules.newId(nextJobId(endpoint, sync), sync);
    idsGiven?.add(id);
    if (idsGiven !== null) state.changes?.ids.add(id);
    return id;
  }
  const state: ServiceState = {
    rules,
    keys: options.keys,
    unpermittedKeys: options.unpermittedKeys ?? [],
    keysEqual: options.keysEqual ?? keysEqual,
    deadlines: new Deadlines(),
    endpoints: new Map(),
    jobs: new JobTable(),
    attempts: new Map(),
    calls: new Map(),
    arrivals: new Map(),
    deliveries: new Map(),
    meters: new Meters(),
    effects: [],
    lastAttempt: 0,
    lastDelivery: 0,
    workers: { running: 0 },
    purgedIds: new Set(),
    idsGiven,
    changes: (options.tracks ?? 'nothing') === 'nothing' ? null : noChanges(),
    interrupted: new Set(),
    makeId,
    loseWorker: (job, nowMs) => loseWorker(state, job, nowMs),
  };
  if (options.restored !== undefined) restore(state, options.restored);
  else for (const endpoint of options.endpoints ?? []) createEndpoint(state, endpoint.id, endpoint, 0);
  let latestMs = options.restored?.counters.latestMs ?? Number.NEGATIVE_INFINITY;

  /**
   * Fires the timers due up to `nowMs`; one whose instant is before `fromMs` fires as of `fromMs`, as time
   * never goes back.
   */
  function settle(fromMs: number, nowMs: number): void {
    for (let due = state.deadlines.takeDue(nowMs); due !== null; due = state.deadlines.takeDue(nowMs))
      due.fire(Math.max(fromMs, due.atMs), state, due.about as never);
  }

  let savedMs = latestMs;
  const hasChanges = (): boolean =>
    state.changes !== null &&
    (!isEmpty(state.changes) || (options.tracks === 'changes-and-time' && latestMs > savedMs));

  return {
    apply(nowMs: number, input: CoreInput): CoreOutput {
      if (nowMs < latestMs) throw new RangeError(`time went back from ${latestMs} to ${nowMs}`);
      settle(latestMs, nowMs);
      latestMs = nowMs;
      const reply = handle(state, input, nowMs);
      settle(nowMs, nowMs);
      const { effects } = state;
      state.effects = [];
      return { reply, effects };
    },
    nextDeadlineMs: () => state.deadlines.nextMs(),
    snapshot: (jobsMax) =>
      [...state.endpoints.values()].map((endpoint) => endpointSnapshot(endpoint, jobsMax)),
    job(endpoint, id) {
      const job = state.jobs.get(id);
      return job === undefined || job.endpoint.id !== endpoint ? null : jobDetail(job);
    },
    webhook(endpoint, id) {
      const job = state.jobs.get(id);
      return job === undefined || job.endpoint.id !== endpoint ? null : webhookOf(rules, job);
    },
    webhookAgainAtMs: (delivery) => state.deliveries.get(delivery)?.timer?.atMs ?? null,
    upcoming: (max) => upcoming(state.deadlines, max),
    attemptOf: (endpoint, worker, job) => attemptOf(state, endpoint, worker, job),
    bodyWanted: (callId, request) => bodyWanted(state, callId, request, latestMs),
    hasChanges,
    takeChanges(): SavedChanges | null {
      const { changes } = state;
      if (changes === null || !hasChanges()) return null;
      state.changes = noChanges();
      savedMs = latestMs;
      const counters = {
        latestMs: Math.max(0, latestMs),
        attempts: state.lastAttempt,
        deliveries: state.lastDelivery,
        idsMade,
      };
      return saveChanges(state, changes, counters);
    },
  };
}

function hungUp(state: ServiceState, callId: number, nowMs: number): void {
  abandonRequest(state, callId);
  const job = hangUp(state, callId);
  if (job === null || !state.rules.hangUpCancels(job) || !state.rules.mayCancel(job.status, job)) return;
  endJob(state, job, state.rules.cancelEnding(job), 'cancel', nowMs);
}

function handle(state: ServiceState, input: CoreInput, nowMs: number): CoreReply | null {
  switch (input.kind) {
    case 'settle':
      return null;
    case 'resume':
      resume(state, nowMs);
      return null;
    case 'arrival':
      receiveHeaders(state, input.callId, input.request, nowMs);
      return null;
    case 'request':
      return answerRequest(state, input.callId, input.request, nowMs);
    case 'submit': {
      const endpoint = state.endpoints.get(input.endpoint);
      return endpoint === undefined ? null : submit(state, endpoint, input.submission, nowMs);
    }
    case 'hang-up':
      hungUp(state, input.callId, nowMs);
      return null;
    case 'answer-all':
      answerAll(state, nowMs);
      return null;
    case 'worker':
      report(state, input.attempt, input.report, nowMs);
      return null;
    case 'webhook-ended':
      webhookEnded(state, input.delivery, input.status, nowMs);
      return null;
    case 'create-endpoint':
      createEndpoint(state, input.endpoint, input, nowMs);
      return null;
    case 'set-workers':
      setWorkers(state, input.endpoint, input.workers, nowMs);
      return null;
    case 'delete-endpoint':
      deleteEndpoint(state, input.endpoint, nowMs);
      return null;
    default:
      workerCalls(state, input.endpoint, input.worker, input, nowMs);
      return null;
  }
}
