/**
 * The calls of a session, sorted at one go by what the layers of judgement ask for. An endpoint may have many thousands
 * of them, and most layers concern few.
 */
import type { CallEvent } from '../../history/events.js';
import type { Operation } from '../../spec/types.js';
import type { Job } from './cases.js';
import {
  answerOf,
  authorized,
  idIn,
  idInPath,
  isNoJobId,
  isObject,
  jsonOf,
  meantBy,
  ofOtherUser,
  statusIn,
} from '../observed/reading.js';
import { forbiddenBeyondRate } from '../observed/windows-before.js';
import type { Session } from '../observed/session.js';

/** What was asked by one id, whether a job has it or not. */
export interface Asked {
  readonly id: string;
  /** Set once the jobs are known (`cases.ts`); null where none has the id. */
  job: Job | null;
  /** It has blanks in it, as no service gives out. */
  readonly isNoId: boolean;
  /** The submission that was answered with it first; null where none was. */
  submitted: CallEvent | null;
  /** Calls that may have done something to the job or been told something of it, in order of their ends. */
  readonly calls: CallEvent[];
  /** Another submission was answered with it as well: which of their jobs a call reached, nobody knows. */
  isGivenTwice: boolean;
}

/** A submission whose outcome is unknown, or a job that went on under another id: there may be a job that nobody can ask for. */
export interface Ghost {
  readonly submitted: CallEvent;
}

export interface Roll {
  /** Calls of one operation, in order of their ends. */
  of(op: Operation): readonly CallEvent[];
  /** By call of the session, in its order: what was asked by an id; null for calls that name none. */
  readonly asked: readonly (Asked | null)[];
  readonly byId: ReadonlyMap<string, Asked>;
  /** The ids that submissions were answered with, in order of their ends. */
  readonly submitted: readonly Asked[];
  /** Submissions that were answered with an id that an earlier one had got. */
  readonly duplicates: readonly { readonly call: CallEvent; readonly first: CallEvent }[];
  readonly ghosts: readonly Ghost[];
  /** All calls that meant `/purge-queue`, whoever made them; and those that may have been performed. */
  readonly purges: readonly CallEvent[];
  readonly purgesTaken: readonly CallEvent[];
  /** Calls that count jobs: `/health` and `/purge-queue`. */
  readonly counts: readonly CallEvent[];
  /** With JSON in the request. */
  readonly withJson: readonly CallEvent[];
  /** By address for webhooks: the calls whose JSON names it. */
  readonly webhookAsked: ReadonlyMap<string, readonly CallEvent[]>;
  /** Answered 429. */
  readonly limited: readonly CallEvent[];
  /** Answered 403 beyond the rate. */
  readonly forbidden: ReadonlySet<CallEvent>;
  /** With anything in the request that an ordinary one has not, or to a path that is none of the eight operations. */
  readonly odd: readonly CallEvent[];
  /** By the form of a valid key: whether it was taken; null where no call with it was answered. */
  readonly keyTaken: { readonly bare: boolean | null; readonly bearer: boolean | null };
}

const NO_CALLS: readonly CallEvent[] = [];

export function rollOf(session: Session): Roll {
  const byOp = new Map<CallEvent['op'], CallEvent[]>();
  const byId = new Map<string, Asked>();
  const submitted: Asked[] = [];
  const duplicates: { call: CallEvent; first: CallEvent }[] = [];
  const ghosts: Ghost[] = [];
  const purges: CallEvent[] = [];
  const purgesTaken: CallEvent[] = [];
  const counts: CallEvent[] = [];
  const withJson: CallEvent[] = [];
  const webhookAsked = new Map<string, CallEvent[]>();
  const limited: CallEvent[] = [];
  const forbidden = forbiddenBeyondRate(session);
  const odd: CallEvent[] = [];
  const keyTaken: { bare: boolean | null; bearer: boolean | null } = { bare: null, bearer: null };
  const askedBy = (id: string | null): Asked | null => {
    if (id === null) return null;
    let one = byId.get(id);
    if (one === undefined) {
      one = { id, job: null, isNoId: isNoJobId(id), submitted: null, calls: [], isGivenTwice: false };
      byId.set(id, one);
    }
    return one;
  };
  const submit = (call: CallEvent): void => {
    const answer = answerOf(call);
    const id = idIn(call);
    // A job that failed may be told with a code of 400 or 500; its record counts all the same.
    const told = id !== null && (answer === 'ok' || statusIn(call) !== null);
    if (answer === 'refused' && !told && !mayHaveWaited(call)) return;
    const made = told ? askedBy(id) : null;
    if (made === null) ghosts.push({ submitted: call });
    else if (made.submitted !== null) {
      duplicates.push({ call, first: made.submitted });
      ghosts.push({ submitted: call });
      made.isGivenTwice = true;
    } else {
      made.submitted = call;
      submitted.push(made);
    }
  };
  const asked = session.calls.map((call) => {
    const op = meantBy(call);
    const one = askedBy(isOnJob(op) ? idInPath(call) : null);
    const { auth, body } = call.request;
    const code = call.reply?.status;
    getOrAdd(byOp, call.op).push(call);
    if (call.op === 'health' || call.op === 'purge-queue') counts.push(call);
    if (body.as === 'json') {
      withJson.push(call);
      const webhook = isObject(body.value) ? body.value['webhook'] : undefined;
      if (typeof webhook === 'string') getOrAdd(webhookAsked, webhook).push(call);
    }
    if (code === 429) limited.push(call);
    if (isOdd(call, one)) odd.push(call);
    if ((auth === 'bare' || auth === 'bearer') && code !== undefined) keyTaken[auth] ||= code !== 401;
    if (op === 'purge-queue') purges.push(call);
    if (turnedAway(call) || forbidden.has(call)) return one;
    if (call.op === 'run' || call.op === 'runsync') submit(call);
    else if (op === 'run' || op === 'runsync') ghosts.push({ submitted: call });
    else if (op === 'purge-queue') purgesTaken.push(call);
    // What a service does with these is its own affair; many make jobs of them.
    else if (op === 'openai' && answerOf(call) !== 'refused') ghosts.push({ submitted: call });
    else if (one !== null) {
      if (isRenaming(call, one.id)) ghosts.push({ submitted: call });
      one.calls.push(call);
    }
    return one;
  });
  return {
    of: (op) => byOp.get(op) ?? NO_CALLS,
    asked,
    byId,
    submitted,
    duplicates,
    ghosts,
    purges,
    purgesTaken,
    counts,
    withJson,
    webhookAsked,
    limited,
    forbidden,
    odd,
    keyTaken,
  };
}

/** A `/retry` that was answered with another id than the job's: whatever waits or runs now, it is nothing of that id. */
export function isRenaming(call: CallEvent, id: string): boolean {
  if (call.op !== 'retry' || answerOf(call) !== 'ok') return false;
  const told = idIn(call);
  return told !== null && told !== id;
}

/** A call without a valid key that was not let in, whatever the code: it is not taken to have done anything. */
function turnedAway(call: CallEvent): boolean {
  const answer = answerOf(call);
  return ofOtherUser(call) ? answer === 'refused' : !authorized(call) && answer !== 'ok';
}

function isOnJob(op: Operation | null): boolean {
  return op === 'status' || op === 'stream' || op === 'cancel' || op === 'retry';
}

function isOdd(call: CallEvent, asked: Asked | null): boolean {
  const { op } = call;
  const { auth, illegal, body } = call.request;
  if (illegal !== null || (auth !== 'bare' && auth !== 'bearer')) return true;
  if (op === null || op === 'openai' || op === 'requests') return true;
  if (asked?.isNoId === true) return true;
  if (op !== 'run' && op !== 'runsync') return body.as !== 'none';
  const submission = jsonOf(body);
  return isObject(submission) && submission['s3Config'] !== undefined;
}

export function getOrAdd<K, T>(map: Map<K, T[]>, key: K): T[] {
  let list = map.get(key);
  if (list === undefined) map.set(key, (list = []));
  return list;
}

/** A `/runsync` call may be told by any code that its wait has elapsed or its job was cancelled, purged or deleted. */
function mayHaveWaited(call: CallEvent): boolean {
  const code = call.reply?.status;
  return call.op === 'runsync' && code !== 400 && code !== 401 && code !== 413 && code !== 429;
}
