/** How many jobs run at once (section 1), if they started at the same instant in unknown order. */
import type { CallEvent } from '../../history/events.js';
import type { Job } from '../jobs/observed-jobs.js';
import { precedes } from '../jobs/status-observations.js';
import { answerOf, effectiveOperation } from '../observed/recorded-call.js';
import { isMadeForTests } from '../observed/session.js';
import type { JudgingContext } from '../context/judging-context.js';
import type { Life } from '../context/life.js';

/** The first and the last read that showed it running, if nothing can have requeued it between them. */
interface Run {
  readonly life: Life;
  readonly first: CallEvent;
  readonly last: CallEvent;
}

export function runningAtOnce({ session, lives }: JudgingContext): void {
  if (!isMadeForTests(session)) return;
  const workers = Math.max(session.workersAtFirst!, ...session.workers.map((change) => change.workers));
  const runs = lives.flatMap((life) => runOf(life) ?? []);
  for (const { first } of runs) {
    const tick = first.endedTick!;
    const atOnce = runs.filter((run) => run.first.endedTick! <= tick && tick <= run.last.sentTick);
    if (atOnce.length <= workers) continue;
    const told = atOnce.slice(0, workers + 1);
    told[0]!.life.fail(
      '1/no-more-jobs-in-progress-than-workers',
      `${atOnce.length} jobs ran at once on ${workers} ${workers === 1 ? 'worker' : 'workers'}`,
      told.flatMap((run) => [run.first, run.last]),
      {
        proof: told.map(
          ({ life, first: from, last: to }) =>
            `job ${life.job.id} was IN_PROGRESS at #${from.call} and still at #${to.call}`,
        ),
      },
    );
    return;
  }
}

/**
 * A job that was retried shows its last run: what was read of it after the last `/retry` was answered. One without
 * an answer may take effect at any time.
 */
function runOf(life: Life): Run | null {
  const { job } = life;
  const retries = job.calls.filter((call) => effectiveOperation(call) === 'retry');
  const runs = Array.from({ length: retries.length + 1 }, (_, earlier) => job.predicted(earlier));
  const mayRunAgain =
    runs.some(({ outcome }) => outcome === 'crash') || retries.some((call) => answerOf(call) === 'unknown');
  if (mayRunAgain || !life.isJudgedFurther) return null;
  const running = life.reads.filter(
    ({ observed, call }) => observed === 'IN_PROGRESS' && retries.every((retry) => precedes(retry, call)),
  );
  const [first, last] = [running[0]?.call, running.at(-1)?.call];
  return first === undefined || last === undefined || first === last ? null : { life, first, last };
}

/** All workers of another endpoint were busy while this endpoint's worker took a job. */
export function workersOfOthers(context: JudgingContext): void {
  for (const { session, observedJobs } of context.otherEndpoints) {
    const { workersAtFirst, workers } = session;
    if (workersAtFirst === null || workersAtFirst === 0 || workers.length > 0) continue;
    for (const life of context.lives) {
      const begun = life.first('IN_PROGRESS');
      if (begun === undefined || !life.isExplained) continue;
      const busy = observedJobs.jobs.filter((other) => runsMeanwhile(other, life.job.submitted, begun));
      if (busy.length >= workersAtFirst) context.pass('1/endpoints-isolated-workers');
    }
  }
}

/** It was observed running before the first call, and running or cancelled after the second. */
function runsMeanwhile({ reads, calls }: Job, from: CallEvent, to: CallEvent): boolean {
  const running = reads.flatMap(({ call, observed }) => (observed === 'IN_PROGRESS' ? [call] : []));
  const cancels = calls.filter(({ op }) => op === 'cancel');
  return (
    running.some((call) => precedes(call, from)) &&
    [...running, ...cancels].some((call) => precedes(to, call))
  );
}
