/** What can be expected of a job's webhook, and until when it could have been seen. */
import type { WebhookEvent } from '../../history/events.js';
import { idsFor, type RequirementId } from '../../spec/index.js';
import { SUBMISSIONS } from '../../spec/operations.js';
import type { Job } from '../jobs/observed-jobs.js';
import type { Hypothesis } from '../model/hypothesis.js';
import { ENDED } from '../model/zone.js';
import type { Contradiction } from '../proof/contradiction.js';
import { recordsIn, tellsOfAnother } from '../jobs/misdirected.js';
import { networkLatencyMs } from '../context/network-latency.js';
import type { FailureReport, JudgingContext } from '../context/judging-context.js';

/** The bounds of the instant at which the job certainly became COMPLETED. */
export interface Completion {
  readonly fromMs: number;
  readonly byMs: number;
}

/** Null when that is not certain. */
export function completion(context: JudgingContext, job: Job): Completion | null {
  const explanations = context.explanationsOf(job);
  const completed = (at: Hypothesis): boolean =>
    at.state === 'completed' || (at.state === 'deleted' && at.previousState === 'completed');
  if (explanations.kind !== 'explained' || !explanations.mustBe(completed)) return null;
  return {
    fromMs: explanations.least((at) => at.zone.earliest(ENDED)),
    byMs: explanations.most((at) => at.zone.latest(ENDED)),
  };
}

/** Where nothing bounds it, how late a call may come is open: it is missed only when it had ample time. */
export const AMPLE_MS = 10_000;

/** When nothing more of the job can be expected: its script had ended. */
export function watchedUntilMs(context: JudgingContext, job: Job): number {
  return context.session.ends.get(job.script)?.atMs ?? -Infinity;
}

/** A caller may have given up by then; for how long a service waits is not shown. */
const PATIENCE_MS = 1_000;

/**
 * So late did the answer leave, as far as the harness can tell, or the target read it that was held up with it, that the
 * caller may have taken the call for a failed one, whatever was answered. A clock that is controlled waits for the answer.
 */
export function leftLate({ session: { run, lags } }: JudgingContext, call: WebhookEvent): boolean {
  if (run.clock !== 'real') return false;
  const sinceMs = call.sinceMs ?? call.arrivedMs;
  return call.endedMs - sinceMs + lags.around(sinceMs, call.endedMs + PATIENCE_MS) >= PATIENCE_MS;
}

/**
 * No call came that was due between the two instants. True where one would have been seen: a harness that was held up then may
 * have been given up by the caller, who need not call again ("up to 2 more times").
 */
export function missed(
  context: JudgingContext,
  id: RequirementId,
  fromMs: number,
  byMs: number,
  seen: FailureReport,
): boolean {
  const { run, lags } = context.session;
  const isProven = run.clock !== 'real' || lags.around(fromMs, byMs) < PATIENCE_MS;
  if (isProven) context.fail(id, seen);
  else context.ledger.inconclusive(id, 'the harness was held up while the call may have come');
  return isProven;
}

const ON_COMPLETION = idsFor('6/called-on-completion-*', SUBMISSIONS);

/** What the call that tells of a job's completion keeps. */
export const onCompletion = ({ sync }: Job): RequirementId => ON_COMPLETION[sync ? 'runsync' : 'run'];

/**
 * Those that may be attempts to tell of an end: not those that name another job, or say that this one still waits or runs,
 * where others do not. What a call holds is not shown: where all say it, it tells nothing.
 */
export function tellingAnEnd(
  { observedJobs: { callIndex } }: JudgingContext,
  calls: readonly WebhookEvent[],
): readonly WebhookEvent[] {
  const telling = calls.filter(
    (call) =>
      !recordsIn(call).some(({ status }) => UNFINISHED.includes(status)) && !tellsOfAnother(callIndex, call),
  );
  return telling.length > 0 ? telling : calls;
}

const UNFINISHED: readonly unknown[] = ['IN_QUEUE', 'IN_PROGRESS'];

/** Lateness allowed to a webhook call that was due then: it may come late as far as it may be on its way. */
export function lateMs(context: JudgingContext, dueMs: number): number {
  return context.graceAt(dueMs, dueMs + context.session.run.graceMs + networkLatencyMs(context));
}

/** By when a webhook call that was due then had to arrive. */
export function dueBy(context: JudgingContext, dueMs: number): number {
  return dueMs + lateMs(context, dueMs) + networkLatencyMs(context);
}

export function failureReport(
  job: Job,
  actual: string,
  contradiction: Contradiction | null = null,
): FailureReport {
  return { script: job.script, actual, calls: [job.submitted.call], contradiction };
}
