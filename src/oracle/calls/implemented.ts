/**
 * Section 4: the eight operations are implemented. A well-formed call is neither refused nor answered with a
 * server error. If no call of an operation is ever answered, that is reported too: a proxy may be in between.
 */
import type { CallEvent } from '../../history/events.js';
import { idsFor, MAIN_OPERATIONS, type MainOperation, type RequirementId } from '../../spec/index.js';
import { TTL_MAX_MS } from '../../spec/limits.js';
import { getOrMake } from '../../util/maps.js';
import { isWaitingOrRunning, precedes } from '../jobs/status-observations.js';
import type { Ledger } from '../ledger/ledger.js';
import type { TalliedCall } from '../ledger/unsettled.js';
import { isJobRecord, operationCalled, policyFieldOf, submissionOf } from '../observed/recorded-call.js';
import { isBehindNetwork } from '../observed/session.js';
import { isUnseen } from '../observed/unseen-calls.js';
import { mayBeBeyondLimits } from '../observed/rate-windows.js';
import type { AnsweredCall } from '../context/answered-call.js';
import type { JudgingContext } from '../context/judging-context.js';
import type { Life } from '../context/life.js';
import type { Defect } from './defects.js';
import { mayHaveElapsed, planOf } from './wait.js';

export const OPERATION = idsFor('4/operation-*', MAIN_OPERATIONS);

/**
 * The call was not performed, and its status code concerns neither the key nor the rate nor a missing
 * endpoint or job. If the call was well-formed, the operation is not implemented.
 */
export function judgeNotPerformed(seen: AnsweredCall, defects: readonly Defect[]): void {
  const { call, code, life } = seen;
  const op = call.op as MainOperation;
  if (call.request.illegal !== null || Object.keys(call.request.query).length > 0) return;
  const isConclusive = code >= 500 ? isNoFailure(seen, defects) : showsNotImplemented(seen);
  if (!isConclusive || ((op === 'cancel' || op === 'retry') && mayBeOfState(life!, call))) return;
  seen.check(OPERATION[op], false);
}

/**
 * Other refusals of operations on a job may be due to the job; refused submissions are explained by their
 * content (`submissions.ts`), and answers to `/status` by the job model.
 */
function showsNotImplemented({ call: { op }, code }: AnsweredCall): boolean {
  if (op === 'health' || op === 'purge-queue') return true;
  return code === 405 && (op === 'stream' || op === 'cancel' || op === 'retry');
}

/**
 * On a network a gateway may fail occasionally. Without one, a server error for a well-formed call means that
 * the operation does not work, unless a refusal was due and only its code is wrong: beyond a limit, for a
 * missing job, or for a request that may pass as malformed. A crashed worker may also be reported that way.
 */
function isNoFailure({ context, call, life }: AnsweredCall, defects: readonly Defect[]): boolean {
  if (isBehindNetwork(context.session) || call.op === 'runsync' || defects.length > 0) return false;
  if (life !== null) {
    if ([0, 1].some((runs) => life.job.predicted(runs).outcome === 'crash')) return false;
    if (!life.wasThere(call)) return false;
  }
  return !mayBeBeyondLimits(context, call);
}

/** The last read did not show the job in a state that the operation applies to, so any code may refuse it. */
function mayBeOfState(life: Life, call: CallEvent): boolean {
  const last = life.readBefore(call);
  // Another call of this operation, since that read or at the same time, may have changed the state.
  const others = takenSince(life, call.op as 'cancel' | 'retry', last?.call).filter((one) => one !== call);
  if (last === undefined || others.some((one) => !precedes(call, one))) return true;
  const { observed } = last;
  return call.op === 'retry'
    ? observed !== 'FAILED' && observed !== 'TIMED_OUT'
    : !isWaitingOrRunning(observed);
}

const takenSince = (life: Life, op: 'cancel' | 'retry', since?: CallEvent): readonly CallEvent[] =>
  life.taken(op).filter((one) => since === undefined || !precedes(one, since));

/** Which code reports a failed job to a waiting call is open, so any code is possible if the job may fail. */
export function mayHaveFailed(context: JudgingContext, call: CallEvent): boolean {
  if (isJobRecord(call)) return true;
  if (!context.has('scripted-worker'))
    return call.receivedMs! > call.sentMs + context.graceAt(call.sentMs, call.receivedMs!);
  const { outcome, durationMs } = planOf(context, call);
  const executionMs = policyFieldOf(submissionOf(call), 'executionTimeout');
  return outcome !== 'success' || (typeof executionMs === 'number' && durationMs! >= executionMs);
}

/** The parameter `ttl` of section 4.3: optional, accepted if in range, refused if not a number. */
export function judgeStatusTtl(seen: AnsweredCall): void {
  const { context, call, code, answer, life, isOk: ok } = seen;
  const { query, illegal } = call.request;
  const { ttl } = query;
  if (!ok && (code === 404 || life?.wasThere(call) !== true)) return;
  const fail = (id: RequirementId): void => {
    if (answer === 'unknown') context.serverError([id], call);
    else seen.check(id, false);
  };
  // What an empty `ttl` means is open, like an empty `wait`.
  if (ttl !== undefined && ttl.trim() !== '' && Number.isNaN(Number(ttl))) {
    if (code === 400) context.pass('7/status-ttl-not-integer');
    else fail('7/status-ttl-not-integer');
  }
  // Whether the lifespan took effect shows later.
  else if (ok && ttl === undefined) context.pass('4.3/ttl-optional');
  else if (ok || illegal !== null) return;
  else if (ttl !== undefined && /^[1-9][0-9]{4,8}$/.test(ttl) && Number(ttl) <= TTL_MAX_MS) {
    // Whether an ended job may be given one is open.
    if (answer === 'unknown' || isStillThere(life!, call)) fail('4.3/ttl-accepted');
  } else if (Object.keys(query).length === 0) fail('4.3/ttl-optional');
}

const TALLIED = ['run', 'runsync', 'status', 'cancel', 'purge-queue', 'health'] as const;
type Tallied = (typeof TALLIED)[number];

/** Fewer calls without any success, or without any answer, may be coincidence. */
const CALLS_MIN = 3;

const OPERATIONS: ReadonlySet<string> = new Set(Object.values(OPERATION));

/** How often a script is to be played so that its calls alone can break one of these: it may call an operation once. */
export const playsToFail = (ids: readonly string[]): number =>
  ids.some((id) => OPERATIONS.has(id)) ? CALLS_MIN : 1;

/** Counts successes, and calls that should succeed. `defects`: irregularities of a submission. */
export function tallySuccesses(seen: AnsweredCall, defects: readonly Defect[]): void {
  const { context, call } = seen;
  const op = call.op as Tallied;
  if (!TALLIED.includes(op) || !context.session.exists || call.request.illegal !== null) return;
  // Any code may report a failed job, and it may be unknown whether the job ran at all.
  const ok = seen.isOk || (op === 'runsync' && isJobRecord(call));
  // Once one has succeeded, why others had to does not matter.
  const tallied = context.ledger.successes.get(op);
  if (tallied !== undefined && tallied.ok > 0) return void (tallied.ok += ok ? 1 : 0);
  const why = whySuccessIsDue(seen, defects);
  if (!ok && why === null) return;
  const state = op === 'cancel' ? (seen.life?.readBefore(call)?.observed ?? null) : null;
  context.ledger.tally(op, { call: call.call, state }, ok, () => ({
    ...context.failureOf(call),
    proof: why === null ? [] : [why],
  }));
}

/** Null: the call may be answered otherwise. */
function whySuccessIsDue(
  { context, call, code, life }: AnsweredCall,
  defects: readonly Defect[],
): string | null {
  const { op, request } = call;
  const job = `job ${life?.job.id}`;
  switch (op) {
    case 'run':
    case 'runsync':
      // An irregular submission may be refused, but never with a server error.
      if (defects.length > 0)
        return code >= 500 ? 'a submission is never answered with a server error' : null;
      if (op === 'run') return 'the submission is well-formed, and /run returns at once';
      return mayHaveFailed(context, call) || mayHaveElapsed(context, call)
        ? null
        : 'the submission is well-formed, and its worker succeeds before `wait` elapses';
    case 'cancel':
      return life !== null && isStillThere(life, call)
        ? `${job} waited or ran before the call and after it`
        : null;
    case 'status':
      if (life === null || request.query['ttl'] !== undefined) return null;
      // Others may have purged it, and what is answered then is open.
      return (code !== 404 && (code !== 410 || !life.job.model.others)) || life.wasThere(call)
        ? `${job} has to be found`
        : null;
    default:
      return `/${op} concerns no job, and can always be performed`;
  }
}

/** The job waits or runs before and after the call; in any other state `/cancel` may refuse it. */
function isStillThere(life: Life, call: CallEvent): boolean {
  const before = life.readBefore(call);
  if (before !== undefined && !isWaitingOrRunning(before.observed)) return false;
  // A retry since then may have requeued a job that had ended when this call came.
  return (
    takenSince(life, 'retry', before?.call).length === 0 && life.sawAfter(call, 'IN_QUEUE', 'IN_PROGRESS')
  );
}

/**
 * An operation that never succeeds is not implemented. Reported once for the whole run, since each single
 * call may have had its own reason.
 */
export function failNeverSuccessful(ledger: Ledger): void {
  for (const op of TALLIED) {
    const tally = ledger.successes.get(op);
    if (tally === undefined || tally.ok > 0 || tally.all.length < CALLS_MIN) continue;
    const id = OPERATION[op];
    if (ledger.hasFailed(id)) continue;
    // Why its submissions were refused has been reported already.
    if ([...ledger.refusals.values()].some(({ features }) => features.includes(id))) continue;
    // A cancel depends on the state of its job: where one requirement about one state explains all, no other state was tried.
    if (op === 'cancel' && isOfOneState(tally.all) && isExplainedByOne(ledger, tally.all)) continue;
    const { first } = tally;
    const actual = `none of ${tally.all.length} well-formed calls of /${op} succeeded; the first: ${first.actual}`;
    ledger.fail(id, { ...first, actual });
  }
}

const isOfOneState = (all: readonly TalliedCall[]): boolean =>
  all.every(({ state }) => state === all[0]?.state);

/** Whether one requirement was violated by each of these calls. */
function isExplainedByOne({ entries }: Ledger, all: readonly TalliedCall[]): boolean {
  const calls = new Set(all.map(({ call }) => call));
  for (const { failed, failures } of entries.values())
    if (failed >= calls.size && failures.every(({ calls: shown }) => calls.has(shown.at(-1) ?? -1)))
      return true;
  return false;
}

const LOST: { readonly [reason: string]: string } = {
  reset: 'the connection was closed',
  refused: 'the connection was refused',
  timeout: 'no answer came in time',
  oversize: 'the answer was too large',
};

export function tallyOutcomes(ledger: Ledger, call: CallEvent): void {
  const { op, lost, askedAgain } = call;
  if (op === null || askedAgain === true || lost === 'aborted' || lost === 'hung-up' || isUnseen(call))
    return;
  const key = operationCalled(call);
  const outcomes = getOrMake(ledger.outcomes, key, () => ({ answered: 0, lost: new Map<string, number>() }));
  if (lost === null) outcomes.answered += 1;
  else outcomes.lost.set(lost, (outcomes.lost.get(lost) ?? 0) + 1);
}

/** Reported once for the whole run, unless the target stopped answering altogether. */
export function warnNeverAnswered(ledger: Ledger): void {
  if (ledger.targetGone) return;
  for (const [name, { answered, lost }] of ledger.outcomes) {
    const all = [...lost.values()].reduce((sum, count) => sum + count, 0);
    if (answered > 0 || all < CALLS_MIN) continue;
    const how = [...lost]
      .sort(([, left], [, right]) => right - left)
      .map(([reason, count]) => `${LOST[reason] ?? reason}${lost.size > 1 ? ` (${count})` : ''}`);
    ledger.warn(
      `none of ${all} calls of ${name} was answered: ${how.join(', ')}. Nothing else about it is decided; ` +
        'does a proxy or the server close these connections?',
    );
  }
}
