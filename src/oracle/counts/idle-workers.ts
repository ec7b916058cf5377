/**
 * A job that waits beside idle workers (section 1), on an endpoint that nothing else uses (`dedicated`). How many workers
 * there are is unknown, and a worker may take a minute to come back after a job that was stopped; so it is asked for as
 * long as nothing else is there, and `/health` shows an idle worker each time.
 */
import type { CallEvent, RunEvent } from '../../history/events.js';
import { failureBy, jobsIn, type EndpointJob, type EndpointJobs } from '../jobs/endpoint-jobs.js';
import { LIVES_ON } from '../jobs/doubtful.js';
import type { Ledger } from '../ledger/ledger.js';
import { COUNTS_SETTLE_MS, WORKER_LINGERS_MS } from '../observed/assumptions.js';
import { seconds } from '../../util/duration.js';
import { counterIn } from '../observed/recorded-call.js';
import { onItsClock } from '../observed/tolerance.js';

const ID = '1/free-worker-takes-job';
/** Counts in between, so that no worker was idle at two instants only. */
const LOOKS_MIN = 5;

/** Called at the end of a run in real time. */
export function judgeIdleWorkers(ledger: Ledger, run: RunEvent, known: EndpointJobs): void {
  // Jobs of others may wait there, too. Deployed services count stopped workers as idle.
  if (jobsIn(known.before) !== 0 || run.edition === 'runpod') return;
  const needsMs = onItsClock(run, WORKER_LINGERS_MS + COUNTS_SETTLE_MS) + run.graceMs;
  for (const job of known.jobs) {
    const until = lastSeenWaiting(job);
    if (until === null) continue;
    const looks = besideIdleWorkers(known, job, until);
    if (looks.length < LOOKS_MIN) continue;
    const [first, last] = [looks[0]!, looks.at(-1)!];
    const lagMs = known.lags.worstBetween(first.sentMs, last.receivedMs!);
    const waitedMs = last.sentMs - first.receivedMs!;
    if (waitedMs < needsMs + lagMs) continue;
    const actual = `job ${job.id} was IN_QUEUE for ${seconds(waitedMs)} while no other job of the run was there, and each of ${looks.length} calls of /health showed an idle worker`;
    ledger.miscount(
      ID,
      [],
      LIVES_ON,
      failureBy(known, job.submitted.script, actual, [job.submitted, first, last, until]),
    );
    return;
  }
}

/** The last look that shows it in the queue, where it was in no other state before. */
function lastSeenWaiting({ id, retried, submitted, reads }: EndpointJob): CallEvent | null {
  if (id === null || retried || submitted.receivedMs === null) return null;
  const until = reads.findLast(({ call, observed }) => call.op === 'status' && observed === 'IN_QUEUE');
  if (until === undefined) return null;
  const before = reads.filter(({ call }) => call.sentTick <= until.call.sentTick);
  return before.every(({ observed }) => observed === 'IN_QUEUE') ? until.call : null;
}

/** The last calls of `/health` before that look which show an idle worker, while all other jobs had ended. */
function besideIdleWorkers(known: EndpointJobs, job: EndpointJob, until: CallEvent): readonly CallEvent[] {
  const counts = known.counts.filter(
    ({ sentTick, endedTick }) => sentTick > job.submitted.endedTick! && endedTick! < until.sentTick,
  );
  const isBeside = (count: CallEvent): boolean =>
    (counterIn(count, 'workers.idle') ?? 0) > 0 &&
    known.jobs.every(
      (other) => other === job || isOverBy(other, count) || other.submitted.sentTick > until.sentTick,
    );
  return counts.slice(counts.findLastIndex((count) => !isBeside(count)) + 1);
}

/** `/openai` is answered when its job has ended, and `/runsync` with 404 where its job is gone or was never made. */
function isOverBy({ id, overByMs, submitted }: EndpointJob, { sentMs }: CallEvent): boolean {
  if (overByMs <= sentMs) return true;
  const endsWithIt = submitted.op === 'openai' || submitted.reply?.status === 404;
  return id === null && endsWithIt && submitted.receivedMs !== null && submitted.receivedMs <= sentMs;
}
