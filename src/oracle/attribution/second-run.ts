/** A run that was not requested, revealed by its results, or by a job that continues after its end. */
import { ownSuspect, type Attribution } from '../ledger/unsettled.js';
import type { CallEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import { SECOND_RUN } from '../jobs/doubtful.js';
import type { Job } from '../jobs/observed-jobs.js';
import { predict, type Prediction } from '../observed/worker-prediction.js';
import { isObject, sameJson, type JsonObject } from '../observed/recorded-call.js';
import type { Facts } from './facts.js';
import { precedes } from '../jobs/status-observations.js';

/** The record contains what only a second run returns, although the first one was to succeed. */
export function isOfSecondRun(job: Job, record: JsonObject): boolean {
  const [first, second] = [job.predicted(0), predictedAgain(job)];
  if (first.outcome !== 'success' || second.outcome !== 'success') return false;
  const output = record['output'] ?? null;
  if (output === null || !sameJson(output, second.output)) return false;
  // After a failure it may be retried.
  if (job.reads.some(({ observed }) => observed === 'FAILED' || observed === 'TIMED_OUT')) return false;
  if (first.output !== undefined) return !sameJson(output, first.output);
  // The final output of a streaming job is open, but it is made from its plan.
  const input = job.submission['input'];
  return typeof output === 'string' && isObject(input) && !JSON.stringify(input['plan']).includes(output);
}

/** What a worker returns in a second run if it knows of the first. */
export function predictedAgain(job: Job): Prediction {
  const again = job.predicted(1);
  const { input, s3Config } = job.submission;
  const isOpen = again.outcome === 'unknown' && job.predicted(0).outcome !== 'unknown';
  return isOpen && input !== undefined ? predict(input, s3Config ?? null, true) : again;
}

/** One of the records reports the first run, the other one a second run. */
export const areOfTwoRuns = (job: Job, one: JsonObject, other: JsonObject): boolean =>
  isOfSecondRun(job, one) !== isOfSecondRun(job, other);

const NO_EFFECT: { readonly [observed: string]: RequirementId } = {
  IN_PROGRESS: '4.6/no-effect-in-progress',
  COMPLETED: '4.6/no-effect-on-completed',
  CANCELLED: '4.6/no-effect-on-cancelled',
};

/** A second run was not requested, except by a retry that must have no effect. */
export function secondRun(job: Job, last: CallEvent): RequirementId {
  const retry = job.calls.findLast(
    (call) =>
      call.op === 'retry' && precedes(call, last) && call.reply?.status !== 401 && call.reply?.status !== 429,
  );
  if (retry === undefined) return SECOND_RUN;
  const before = job.reads.findLast(({ call }) => precedes(call, retry))?.observed;
  return NO_EFFECT[before ?? ''] ?? '4.6/no-effect-in-queue';
}

/** After a retry that must have no effect, a second run may also have started without a cause, as in other jobs. */
export const attributedSecondRun = (job: Job, last: CallEvent): Attribution => ({
  id: secondRun(job, last),
  isUnexplained: false,
  suspects: [ownSuspect('3/no-return-to-queue', true), ownSuspect(SECOND_RUN, true)],
});

/**
 * Advice (4.6/keeps-policy): where a retry loses the policy, the run may end by the default of the endpoint. Nothing else may
 * be wrong then.
 */
export function mayEndByDefault({ context, op, requeues, violation }: Facts): boolean {
  const since = requeues.at(-1);
  const defaultMs = context.session.run.executionTimeoutDefaultMs ?? 0;
  const isLater = since !== undefined && op.byMs - since.sentMs >= defaultMs;
  return isLater && violation.explains('2.2/execution-timeout-not-early');
}
