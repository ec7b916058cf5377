/** What is known about all jobs at one count: the bounds on how many were in given states. */
import type { CallEvent } from '../../history/events.js';
import { precedes } from '../jobs/status-observations.js';
import type { JobState } from '../model/hypothesis.js';
import { ANY_STATE, setOf, type StateSet } from '../model/state-set.js';
import { countedSinceMs } from '../observed/session.js';
import type { ContradictionInNumber } from '../proof/contradiction.js';
import type { JudgingContext } from '../context/judging-context.js';
import type { Life } from '../context/life.js';

/** It may not have existed yet: one more possible state of a job while it was counted. */
export const ABSENT: StateSet = ANY_STATE + 1;

export interface StateCounts {
  readonly context: JudgingContext;
  readonly call: CallEvent;
  /** The possible states of each job, by its index. */
  readonly states: readonly StateSet[];
  readonly pendingSubmissions: number;
}

export function stateCountsAt(context: JudgingContext, call: CallEvent): StateCounts {
  const states = context.lives.map((life) => statesDuring(life, call));
  const pendingSubmissions = context.callIndex.pendingSubmissions.filter((one) => isBefore(one, call)).length;
  return { context, call, states, pendingSubmissions };
}

/** It was sent before the count was answered. */
export function isBefore(one: CallEvent, count: CallEvent): boolean {
  return one.sentTick < (count.endedTick ?? Infinity);
}

/** The least and the greatest possible number. */
export interface CountBounds {
  readonly least: number;
  readonly most: number;
  /** The bounds of each job; null if there are too many to print. */
  readonly parts?: () => ContradictionInNumber['parts'] | null;
}

const PARTS_MAX = 200;

/** How many jobs were in one of the states, without those that `not` excludes. */
export function countBounds(
  stateCounts: StateCounts,
  states: readonly JobState[],
  not?: (life: Life) => boolean,
): CountBounds {
  const { context, pendingSubmissions } = stateCounts;
  const wanted = setOf(states);
  const { least, most } = boundsAmong(context.lives, stateCounts, wanted, not);
  const parts = (): ContradictionInNumber['parts'] | null => {
    const there = context.lives.filter(({ job }) => stateCounts.states[job.index] !== ABSENT);
    if (there.length > PARTS_MAX) return null;
    const ofJobs = there.map((life) => ({
      what: `job ${life.job.id}`,
      ...boundsAmong([life], stateCounts, wanted, not),
    }));
    const unknown = { what: 'submissions with unknown outcome', least: 0, most: pendingSubmissions };
    return pendingSubmissions === 0 ? ofJobs : [...ofJobs, unknown];
  };
  return { least, most: pendingSubmissions + most, parts };
}

function boundsAmong(
  lives: readonly Life[],
  { states }: StateCounts,
  wanted: StateSet,
  not?: (life: Life) => boolean,
): { readonly least: number; readonly most: number } {
  let [least, most] = [0, 0];
  for (const life of lives) {
    const possible = states[life.job.index]!;
    if ((possible & wanted) === 0 || not?.(life) === true) continue;
    most += 1;
    if ((possible & ~wanted) === 0) least += 1;
  }
  return { least, most };
}

/** The possible states of a job while it was counted: `ABSENT` alone if it certainly did not exist yet. */
export function statesDuring(life: Life, call: CallEvent): StateSet {
  const { submitted } = life.job;
  if (call.endedTick !== null && call.endedTick < submitted.sentTick) return ABSENT;
  const states = life.statesAt(call);
  // While it was being submitted it may not have existed yet.
  const arrived = submitted.arrivedByMs !== null && submitted.arrivedByMs < call.sentMs;
  if (states === ANY_STATE || !(arrived || precedes(submitted, call))) return ANY_STATE | ABSENT;
  if (isChanging(life, call) || isReportedMeanwhile(life, call)) return ANY_STATE | ABSENT;
  const byMs = submitted.arrivedByMs ?? submitted.receivedMs ?? Infinity;
  return byMs <= countedSinceMs(life.context.session, call) ? states : states | ABSENT;
}

/** The job's webhook, or an answer about it, arrived during the count, so their order is unknown. */
function isReportedMeanwhile({ job }: Life, call: CallEvent): boolean {
  const isAnswered = ({ endedTick }: CallEvent): boolean =>
    endedTick !== null && endedTick > call.sentTick && endedTick < (call.endedTick ?? Infinity);
  const isCalled = job.webhooks.some(
    ({ arrivedMs }) => arrivedMs >= call.sentMs && arrivedMs <= (call.receivedMs ?? Infinity),
  );
  return isCalled || isAnswered(job.submitted) || job.calls.some(isAnswered);
}

/** A call that may change the job was in flight during the count, or was never answered. */
function isChanging({ context, job }: Life, call: CallEvent): boolean {
  const isMeanwhile = (one: CallEvent): boolean =>
    one !== call &&
    isBefore(one, call) &&
    (one.receivedMs === null || (one.endedTick ?? Infinity) > call.sentTick) &&
    one.reply?.status !== 401;
  const mayChange = ({ op, request }: CallEvent): boolean =>
    op === 'cancel' || op === 'retry' || request.query['ttl'] !== undefined;
  return (
    job.calls.some((one) => mayChange(one) && isMeanwhile(one)) || context.callIndex.purges.some(isMeanwhile)
  );
}
