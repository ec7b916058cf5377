/** How many jobs run at once (section 1), if they started at the same instant in unknown order. */
import type { CallEvent } from '../../history/events.js';
import type { Job } from '../jobs/observed-jobs.js';
import { precedes, statusObservationsOf, type StatusObservation } from '../jobs/status-observations.js';
import { answerOf, effectiveOperation } from '../observed/recorded-call.js';
import { isMadeForTests } from '../observed/session.js';
import type { JudgingContext } from '../context/judging-context.js';

/** The first and the last read that showed it running, if nothing can have requeued it between them. */
interface Run {
  readonly job: Job;
  readonly first: CallEvent;
  readonly last: CallEvent;
}

export function runningAtOnce(context: JudgingContext): void {
  const { session, jobs } = context;
  if (!isMadeForTests(session)) return;
  const workers = Math.max(session.workersAtFirst!, ...session.workers.map((change) => change.workers));
  const runs = jobs.flatMap((job) => runOf(context, job) ?? []);
  for (const { first } of runs) {
    const tick = first.endedTick!;
    const atOnce = runs.filter((run) => run.first.endedTick! <= tick && tick <= run.last.sentTick);
    if (atOnce.length <= workers) continue;
    const told = atOnce.slice(0, workers + 1);
    context.fail('1/no-more-jobs-in-progress-than-workers', {
      script: told[0]!.job.script,
      actual: `${atOnce.length} jobs ran at once on ${workers} ${workers === 1 ? 'worker' : 'workers'}`,
      proof: told.map(
        ({ job, first: from, last: to }) =>
          `job ${job.id} was IN_PROGRESS at #${from.call} and still at #${to.call}`,
      ),
      calls: told.flatMap((run) => [run.first.call, run.last.call]),
    });
    return;
  }
}

/**
 * A job that was retried shows its last run: what was read of it after the last `/retry` was answered. One without
 * an answer may take effect at any time.
 */
function runOf(context: JudgingContext, job: Job): Run | null {
  const seen = statusObservationsOf(job).filter(isRunning);
  if (seen.length < 2) return null;
  const retries = job.calls.filter((call) => effectiveOperation(call) === 'retry');
  const runs = Array.from({ length: retries.length + 1 }, (_, earlier) => job.predicted(earlier));
  const mayRunAgain =
    runs.some(({ outcome }) => outcome === 'crash') || retries.some((call) => answerOf(call) === 'unknown');
  if (mayRunAgain || !context.isJudgedFurther(job)) return null;
  const running = seen.filter(({ call }) => retries.every((retry) => precedes(retry, call)));
  const [first, last] = [running[0]?.call, running.at(-1)?.call];
  return first === undefined || last === undefined || first === last ? null : { job, first, last };
}

/** All workers of another endpoint were busy while this endpoint's worker took a job. */
export function workersOfOthers(context: JudgingContext): void {
  for (const { session, observedJobs } of context.otherEndpoints) {
    const { workersAtFirst, workers } = session;
    if (workersAtFirst === null || workersAtFirst === 0 || workers.length > 0) continue;
    for (const job of context.jobs) {
      const begun = statusObservationsOf(job).find(isRunning)?.call;
      if (begun === undefined || !context.isExplained(job)) continue;
      const busy = observedJobs.jobs.filter((other) => runsMeanwhile(other, job.submitted, begun));
      if (busy.length >= workersAtFirst) context.pass('1/endpoints-isolated-workers');
    }
  }
}

const isRunning = ({ observed }: StatusObservation): boolean => observed === 'IN_PROGRESS';

/** It was observed running before the first call, and running or cancelled after the second. */
function runsMeanwhile(job: Job, from: CallEvent, to: CallEvent): boolean {
  const running = statusObservationsOf(job).filter(isRunning);
  return (
    running.some(({ call }) => precedes(call, from)) &&
    (running.some(({ call }) => precedes(to, call)) ||
      job.calls.some((call) => call.op === 'cancel' && precedes(to, call)))
  );
}
