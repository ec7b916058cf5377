/**
 * Indexes the calls of a session once, by everything the checks look up: an endpoint may have many thousands
 * of calls, and most checks concern few of them.
 */
import type { CallEvent } from '../../history/events.js';
import { getOrMake } from '../../util/maps.js';
import type { Operation } from '../../spec/types.js';
import type { Job } from './observed-jobs.js';
import {
  answerOf,
  authorized,
  idIn,
  idInPath,
  isInvalidJobId,
  isObject,
  jsonOf,
  effectiveOperation,
  isFromOtherUser,
  statusIn,
  submissionOf,
} from '../observed/recorded-call.js';
import { forbiddenBeyondRate } from '../observed/rate-windows.js';
import type { Session } from '../observed/session.js';

/** All that was requested by one job id, whether or not a job has that id. */
export interface IdLookup {
  readonly id: string;
  /** Set once the jobs are known (`observed-jobs.ts`); null if no job has the id. */
  job: Job | null;
  /** It contains blanks, which no service puts into an id. */
  readonly isInvalidId: boolean;
  /** The first submission that was answered with this id; null if none was. */
  submitted: CallEvent | null;
  /** Calls that may have changed the job or reported its state, in order of their ends. */
  readonly calls: CallEvent[];
  /** Another submission got the same id, so it is unknown which of the two jobs a call reached. */
  isGivenTwice: boolean;
}

const NO_CALLS: readonly CallEvent[] = [];

export class CallIndex {
  private readonly byOp = new Map<CallEvent['op'], CallEvent[]>();
  /** For each call of the session, in order: the lookup of its id; null without an id in the path. */
  readonly lookups: readonly (IdLookup | null)[];
  readonly byId = new Map<string, IdLookup>();
  /** The ids that submissions were answered with, in order of their ends. */
  readonly submissions: IdLookup[] = [];
  /** Submissions that were answered with an id that an earlier submission already had. */
  readonly duplicates: { readonly call: CallEvent; readonly first: CallEvent }[] = [];
  /** Calls after which a job with an unknown id may exist: the outcome was lost, or the id changed. */
  readonly pendingSubmissions: CallEvent[] = [];
  /** All calls intended as `/purge-queue`, from any client; and those that may have been performed. */
  readonly purges: CallEvent[] = [];
  readonly performedPurges: CallEvent[] = [];
  /** Calls whose answers count jobs: `/health` and `/purge-queue`. */
  readonly counts: CallEvent[] = [];
  /** By webhook address: the calls whose body names it. */
  readonly callsByWebhook = new Map<string, CallEvent[]>();
  /** Which job a webhook call reports is known by its script, however many jobs share the address. */
  readonly areWebhooksOfScripts: boolean;
  /** Calls beyond the rate limit that were answered with 403. */
  readonly forbidden: ReadonlySet<CallEvent>;
  /** Calls with an unusual request, or to a path outside the eight operations. */
  readonly unusual: CallEvent[] = [];
  /** For each form of a valid key: whether it was accepted; null if no call with it was answered. */
  readonly keyAccepted: { bare: boolean | null; bearer: boolean | null } = { bare: null, bearer: null };

  constructor(session: Session) {
    this.forbidden = forbiddenBeyondRate(session);
    this.areWebhooksOfScripts = session.run.capture !== undefined;
    this.lookups = session.calls.map((call) => this.enter(call));
  }

  /** Calls of one operation, in order of their ends. */
  of(op: Operation): readonly CallEvent[] {
    return this.byOp.get(op) ?? NO_CALLS;
  }

  private enter(call: CallEvent): IdLookup | null {
    const op = effectiveOperation(call);
    const one = isOnJob(op) ? this.lookupOf(idInPath(call)) : null;
    const { auth } = call.request;
    const code = call.reply?.status;
    const webhook = submissionOf(call)?.['webhook'];
    getOrMake(this.byOp, call.op, none).push(call);
    if (call.op === 'health' || call.op === 'purge-queue') this.counts.push(call);
    if (typeof webhook === 'string') getOrMake(this.callsByWebhook, webhook, none).push(call);
    if (isUnusual(call, one)) this.unusual.push(call);
    if ((auth === 'bare' || auth === 'bearer') && code !== undefined) this.keyAccepted[auth] ||= code !== 401;
    if (op === 'purge-queue') this.purges.push(call);
    if (rejected(call) || this.forbidden.has(call)) return one;
    if (call.op === 'run' || call.op === 'runsync') this.submit(call);
    else if (op === 'run' || op === 'runsync') this.pendingSubmissions.push(call);
    else if (op === 'purge-queue') this.performedPurges.push(call);
    // What a service does with these calls is not specified; many create jobs from them.
    else if (op === 'openai' && answerOf(call) !== 'refused') this.pendingSubmissions.push(call);
    else if (one !== null) {
      if (isRenaming(call, one.id)) this.pendingSubmissions.push(call);
      one.calls.push(call);
    }
    return one;
  }

  private lookupOf(id: string | null): IdLookup | null {
    if (id === null) return null;
    const nothing = { job: null, submitted: null, isGivenTwice: false };
    return getOrMake(this.byId, id, () => ({ id, isInvalidId: isInvalidJobId(id), calls: [], ...nothing }));
  }

  private submit(call: CallEvent): void {
    const answer = answerOf(call);
    // A failed job may be reported with status code 400 or 500; its record still counts.
    const reported = answer === 'ok' || statusIn(call) !== null ? idIn(call) : null;
    if (answer === 'refused' && reported === null && !mayHaveWaited(call)) return;
    const made = this.lookupOf(reported);
    if (made === null || made.submitted !== null) this.pendingSubmissions.push(call);
    if (made === null) return;
    if (made.submitted === null) {
      made.submitted = call;
      this.submissions.push(made);
    } else {
      this.duplicates.push({ call, first: made.submitted });
      made.isGivenTwice = true;
    }
  }
}

/** A `/retry` answered with another id than the job's: whatever waits or runs now no longer has this id. */
export function isRenaming(call: CallEvent, id: string): boolean {
  if (call.op !== 'retry' || answerOf(call) !== 'ok') return false;
  const reported = idIn(call);
  return reported !== null && reported !== id;
}

/** A call without a valid key that was rejected, by whatever code: it is assumed to have had no effect. */
function rejected(call: CallEvent): boolean {
  const answer = answerOf(call);
  return isFromOtherUser(call) ? answer === 'refused' : !authorized(call) && answer !== 'ok';
}

export function isOnJob(op: Operation | null): boolean {
  return op === 'status' || op === 'stream' || op === 'cancel' || op === 'retry';
}

function isUnusual(call: CallEvent, lookup: IdLookup | null): boolean {
  const { op } = call;
  const { illegal, body } = call.request;
  if (illegal !== null || !authorized(call)) return true;
  if (op === null || op === 'openai' || op === 'requests') return true;
  if (lookup?.isInvalidId === true) return true;
  if (op !== 'run' && op !== 'runsync') return body.as !== 'none';
  const submission = jsonOf(body);
  return isObject(submission) && submission['s3Config'] !== undefined;
}

const none = (): CallEvent[] => [];

/**
 * Any status code may report to a `/runsync` call that its wait has elapsed, or that its job was cancelled,
 * purged or deleted.
 */
function mayHaveWaited(call: CallEvent): boolean {
  const code = call.reply?.status;
  return call.op === 'runsync' && code !== 400 && code !== 401 && code !== 413 && code !== 429;
}
