/** What is known about all jobs at one count: the bounds on how many were in given states. */
import type { CallEvent, Json } from '../../history/events.js';
import type { Job } from '../jobs/observed-jobs.js';
import { precedes } from '../jobs/status-observations.js';
import { JOB_STATES, type JobState } from '../model/hypothesis.js';
import { countedSinceMs } from '../observed/session.js';
import { isObject, recordOf } from '../observed/recorded-call.js';
import type { ContradictionInNumber } from '../proof/contradiction.js';
import type { JudgingContext } from '../context/judging-context.js';

/** The possible states of a job while it was counted; `absent`: it may not have existed yet. */
export type PossibleStates = ReadonlySet<JobState | 'absent'>;

const BITS = new Map<JobState | 'absent', number>(
  [...JOB_STATES, 'absent' as const].map((state, index) => [state, 1 << index]),
);

function bitsOf(states: Iterable<JobState | 'absent'>): number {
  let bits = 0;
  for (const state of states) bits |= BITS.get(state)!;
  return bits;
}

export interface StateCounts {
  readonly context: JudgingContext;
  readonly call: CallEvent;
  /** The possible states of each existing job, as bits; null: any state, or none. */
  readonly jobs: readonly { readonly job: Job; readonly states: number | null }[];
  readonly pendingSubmissions: number;
}

export function stateCountsAt(context: JudgingContext, call: CallEvent): StateCounts {
  const jobs = context.jobs.flatMap((job) => {
    const where = statesDuring(context, job, call);
    return where === 'not-yet' ? [] : [{ job, states: where === 'anywhere' ? null : bitsOf(where) }];
  });
  const pendingSubmissions = context.callIndex.pendingSubmissions.filter((one) => isBefore(one, call)).length;
  return { context, call, jobs, pendingSubmissions };
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
  not?: (job: Job) => boolean,
): CountBounds {
  const wanted = bitsOf(states);
  let least = 0;
  let most = stateCounts.pendingSubmissions;
  for (const { job, states: possible } of stateCounts.jobs) {
    const isElsewhere = possible !== null && (possible & wanted) === 0;
    if (isElsewhere || not?.(job) === true) continue;
    most += 1;
    if (possible !== null && (possible & ~wanted) === 0) least += 1;
  }
  const parts = (): ContradictionInNumber['parts'] => {
    const unknown = {
      what: 'submissions with unknown outcome',
      least: 0,
      most: stateCounts.pendingSubmissions,
    };
    const ofJobs = stateCounts.jobs.map((one) => {
      const alone = countBounds({ ...stateCounts, jobs: [one], pendingSubmissions: 0 }, states, not);
      return { what: `job ${one.job.id}`, least: alone.least, most: alone.most };
    });
    return stateCounts.pendingSubmissions === 0 ? ofJobs : [...ofJobs, unknown];
  };
  return { least, most, parts: () => (stateCounts.jobs.length > PARTS_MAX ? null : parts()) };
}

/** A counter in the answer, by its path; null if absent. */
export function counterIn(call: CallEvent, path: string): number | null {
  let value: Json | undefined = recordOf(call) ?? undefined;
  for (const name of path.split('.')) value = isObject(value) ? value[name] : undefined;
  return typeof value === 'number' ? value : null;
}

export function statesDuring(
  context: JudgingContext,
  job: Job,
  call: CallEvent,
): PossibleStates | 'not-yet' | 'anywhere' {
  const { submitted } = job;
  if (call.endedTick !== null && call.endedTick < submitted.sentTick) return 'not-yet';
  const states = context.statesAtCount(job, call);
  // While it was being submitted it may not have existed yet.
  const arrived = submitted.arrivedByMs !== null && submitted.arrivedByMs < call.sentMs;
  if (states === 'anywhere' || !(arrived || precedes(submitted, call))) return 'anywhere';
  if (isChanging(context, job, call) || isReportedMeanwhile(job, call)) return 'anywhere';
  const byMs = submitted.arrivedByMs ?? submitted.receivedMs ?? Infinity;
  return byMs <= countedSinceMs(context.session, call)
    ? states
    : new Set<JobState | 'absent'>([...states, 'absent']);
}

/** The job's webhook, or an answer about it, arrived during the count, so their order is unknown. */
function isReportedMeanwhile(job: Job, call: CallEvent): boolean {
  const isAnswered = ({ endedTick }: CallEvent): boolean =>
    endedTick !== null && endedTick > call.sentTick && endedTick < (call.endedTick ?? Infinity);
  const isCalled = job.webhooks.some(
    ({ arrivedMs }) => arrivedMs >= call.sentMs && arrivedMs <= (call.receivedMs ?? Infinity),
  );
  return isCalled || isAnswered(job.submitted) || job.calls.some(isAnswered);
}

/** A call that may change the job was in flight during the count, or was never answered. */
function isChanging(context: JudgingContext, job: Job, call: CallEvent): boolean {
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
