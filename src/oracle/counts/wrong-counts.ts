/**
 * Possible causes of a wrong count other than the counter itself: jobs are counted that must not be (refused,
 * removed from the queue, or of another endpoint), or jobs are in unexpected states. Which one it was shows
 * only in comparison with the other counts of the run, so it is settled at its end.
 */
import type { CallEvent } from '../../history/events.js';
import { SUBMISSIONS, idsFor, type RequirementId } from '../../spec/index.js';
import { HELD_BY_WEBHOOK, LEFT_BY_PURGES, STARTED_LATE, TAKEN_BY_PURGES } from '../jobs/doubtful.js';
import { isWaitingOrRunning, precedes } from '../jobs/status-observations.js';
import { setOf } from '../model/state-set.js';
import { instanceOf, invalidSubmission } from '../observed/instances.js';
import { defectsOf } from '../calls/defects.js';
import type { Ledger } from '../ledger/ledger.js';
import { countedSinceMs } from '../observed/session.js';
import { answerOf } from '../observed/recorded-call.js';
import type { Life } from '../context/life.js';
import { isBefore, type StateCounts } from './state-counts.js';

type Ids = readonly RequirementId[];

export interface Causes {
  /** Requirements whose violation would explain a value that is too low, or too high by this much. */
  readonly tooLow: (stateCounts: StateCounts) => Ids;
  readonly tooHigh: (stateCounts: StateCounts, by: number) => Ids;
  /** How the value changes if jobs wait that should run; the opposite if jobs run that should wait. */
  readonly whereLate?: 'higher' | 'lower';
  /** The value is higher if a purge has left jobs in the queue. */
  readonly afterPurges?: true;
  /** A purge tells it: higher if it has removed jobs that did not wait. */
  readonly ofPurge?: true;
}

const nothing = (): Ids => [];

export const NOTHING: Causes = { tooLow: nothing, tooHigh: nothing };
export const WAITING: Causes = {
  tooLow: another,
  tooHigh: unexplainedSurplus,
  whereLate: 'higher',
  afterPurges: true,
};
export const RUNNING: Causes = { tooLow: another, tooHigh: unexplainedSurplus, whereLate: 'lower' };
export const COMPLETED: Causes = {
  tooLow: nothing,
  tooHigh: unexplainedSurplus,
  whereLate: 'lower',
  afterPurges: true,
};
export const RETRIED: Causes = {
  tooLow: nothing,
  tooHigh: (stateCounts) => refused(stateCounts, 'retry', '5/unauthorized-retry-has-no-effect'),
};
/** A job counted by mistake makes no worker idle. */
export const IDLE: Causes = { tooLow: another, tooHigh: nothing, whereLate: 'higher' };
export const REMOVED: Causes = {
  tooLow: refusedPurges,
  tooHigh: unexplainedSurplus,
  whereLate: 'higher',
  ofPurge: true,
};

/** Violated if jobs run, or have run, that should wait. */
const EARLY: Ids = ['1/waits-when-no-worker-free', '1/no-more-jobs-in-progress-than-workers'];
/** Requirements that the expected value assumes: if one of them is violated, the count decides nothing. */
export function restsOn(
  stateCounts: StateCounts,
  { whereLate, afterPurges, ofPurge }: Causes,
  isTooHigh: boolean,
): Ids {
  if (whereLate === undefined) return [];
  const dispatch = (whereLate === 'higher') === isTooHigh ? [...STARTED_LATE, ...HELD_BY_WEBHOOK] : EARLY;
  // A purge that was refused may have removed them anyway.
  if (!isTooHigh) return [...dispatch, ...refusedPurges(stateCounts)];
  const isPurged = stateCounts.context.callIndex.purges.some(
    (one) => answerOf(one) === 'ok' && precedes(one, stateCounts.call),
  );
  return [
    ...dispatch,
    ...(afterPurges && isPurged ? LEFT_BY_PURGES : []),
    ...(ofPurge ? TAKEN_BY_PURGES : []),
  ];
}

/** The likely cause: the counts of another endpoint were returned. */
function another({ context }: StateCounts): Ids {
  return context.otherEndpoints.some(({ session }) => session.exists) ? ['1/endpoints-isolated-health'] : [];
}

function refusedPurges(stateCounts: StateCounts): Ids {
  return refused(stateCounts, 'purge-queue', '5/unauthorized-purge-has-no-effect');
}

/** Calls that were refused before the count, but may have been performed anyway. */
function refused(
  { context, call }: StateCounts,
  op: 'purge-queue' | 'retry',
  unauthorized: RequirementId,
): Ids {
  const before = context.callIndex.of(op).filter((one) => isBefore(one, call));
  const codes = before.map(({ reply }) => reply?.status);
  return [
    ...(codes.includes(401) ? [unauthorized] : []),
    ...(codes.includes(429) ? (['8/refused-call-has-no-effect'] as const) : []),
  ];
}

type Column = 'queue' | 'anywhere';

/** The value is at its minimum, so nothing was counted by mistake. */
export function notCounted(stateCounts: StateCounts, column: Column): void {
  const byMs = countedSinceMs(stateCounts.context.session, stateCounts.call);
  const passed = new Map<string, readonly [RequirementId, string | null]>();
  for (const { id, instance } of wronglyCounted(stateCounts, column, byMs))
    passed.set(`${id} ${instance}`, [id, instance]);
  for (const [id, instance] of passed.values()) stateCounts.context.ledger.pass(id, null, instance);
}

/** What may have been counted although it must not be. */
interface Mistake {
  readonly id: RequirementId;
  /** Which case of the requirement; null: it has none, or this is none of them. */
  readonly instance: string | null;
}

const mistaken = (id: RequirementId, instance: string | null = null): Mistake => ({ id, instance });

/** Mistakes that could each explain the whole surplus. */
function unexplainedSurplus(stateCounts: StateCounts, by: number): Ids {
  const mistakes = [...wronglyCounted(stateCounts, 'queue'), ...wronglyCounted(stateCounts, 'anywhere')];
  const all = mistakes.map(({ id }) => id);
  return [...new Set(all)].filter((id) => all.filter((one) => one === id).length >= by);
}

/** What a service could have counted by mistake before `byMs`, once for each occurrence. */
function wronglyCounted({ context, call }: StateCounts, column: Column, byMs = Infinity): readonly Mistake[] {
  if (column === 'queue') return context.lives.flatMap((life) => leftQueue(life, call) ?? []);
  const isOver = (one: CallEvent): boolean => precedes(one, call) && (one.receivedMs ?? Infinity) <= byMs;
  const submissions = context.session.calls.flatMap((one) => (isOver(one) && refusedSubmission(one)) || []);
  // Jobs of other endpoints that wait or run during the call and after it.
  const otherJobs =
    call.op === 'health' ? context.otherEndpoints.flatMap(({ observedJobs }) => observedJobs.jobs) : [];
  const stillThere = otherJobs.filter(
    (job) =>
      isOver(job.submitted) &&
      job.reads.some((later) => precedes(call, later.call) && isWaitingOrRunning(later.observed)),
  );
  return [...submissions, ...stillThere.map(() => mistaken('1/endpoints-isolated-health'))];
}

const UNAUTHORIZED = idsFor('5/unauthorized-submission-creates-nothing-*', SUBMISSIONS);

function refusedSubmission(call: CallEvent): Mistake | null {
  if ((call.op !== 'run' && call.op !== 'runsync') || answerOf(call) !== 'refused') return null;
  const code = call.reply!.status;
  if (code === 401) return mistaken(UNAUTHORIZED[call.op]);
  if (code === 429) {
    const id = '8/refused-call-has-no-effect';
    return mistaken(id, instanceOf(id, call));
  }
  const instance = whyInvalid(call.op, call);
  // Of a valid one this may be how a waiting call is told of its job's end.
  const isCertain = call.op === 'run' || code === 400 || instance !== null;
  return isCertain ? mistaken('3/invalid-submission-creates-nothing', instance) : null;
}

function whyInvalid(op: 'run' | 'runsync', call: CallEvent): string | null {
  for (const { refuse } of defectsOf(call)) {
    const why = refuse === undefined ? null : invalidSubmission(op, refuse);
    if (why !== null) return why;
  }
  return null;
}

/** The job had certainly left the queue for good without running. */
function leftQueue(life: Life, call: CallEvent): Mistake | null {
  const states = life.statesAt(call);
  // How long a cancelled job can be read is open, so it may seem deleted until it is observed again.
  if (states === 0 || (states & ~setOf(['cancelled', 'deleted'])) !== 0) return null;
  if (life.mustBe(({ state, previousState }) => state === 'cancelled' && previousState === 'queued'))
    return mistaken('3/cancelled-leaves-queue');
  const isExpired = life.mustBe((at) => at.deletedBy === 'ttl' && at.previousState === 'queued');
  return isExpired ? mistaken('2.2/ttl-expired-leaves-queue') : null;
}

/** Called at the end of the run. A counter wrong without another cause explains its other errors. */
export function attributeCounts(ledger: Ledger): void {
  const ofPurges = TAKEN_BY_PURGES.filter((id) =>
    ledger.suspicions.some(({ suspects }) => suspects.some((one) => one.id === id)),
  );
  const suspected = new Set([...ledger.suspicions.map(({ id }) => id), ...ofPurges]);
  const addReason = (count: RequirementId, violated: RequirementId): void =>
    ledger.inconclusive(count, `the jobs were not in the expected states: ${violated} failed`);
  const wrong = [...ledger.wrongCounts.values()].filter((one) => {
    const violated = one.restsOn.find((id) => ledger.hasFailed(id) || suspected.has(id));
    if (violated !== undefined) addReason(one.count, violated);
    return violated === undefined;
  });
  const isUnexplained = ({ suspects }: { readonly suspects: Ids }): boolean => suspects.length === 0;
  const unexplained = wrong.filter(isUnexplained);
  const off = new Set(unexplained.map(({ count }) => count));
  const alone = new Set(wrong.flatMap(({ suspects }) => (suspects.length === 1 ? suspects : [])));
  // Unexplained counts come first: each proves the counter wrong by itself.
  const attributed = [...unexplained, ...wrong.filter((one) => !isUnexplained(one))].map((one) => {
    // Of several suspects, one that is the only suspect of another count.
    const left = one.suspects.filter((suspect) => alone.has(suspect));
    return { ...one, id: left.length === 1 && !off.has(one.count) ? left[0]! : one.count };
  });
  const culprits = new Set(attributed.map(({ id }) => id));
  for (const one of attributed) {
    const { id, count, restsOn } = one;
    const violated = id === count ? restsOn.find((rule) => culprits.has(rule)) : undefined;
    if (violated === undefined) ledger.failTimes(id, one);
    else addReason(count, violated);
  }
}
