/**
 * Workers that take no job any more, on an endpoint that nothing else uses but whose number of workers is unknown
 * (section 1). A job waits although every other one has ended, or waits as well, for longer than any worker needs to come
 * back after its last job, while `/health` shows workers.
 */
import type { CallEvent, RunEvent } from '../../history/events.js';
import {
  failureBy,
  hadOnlyWaited,
  jobsIn,
  type EndpointJob,
  type EndpointJobs,
} from '../jobs/endpoint-jobs.js';
import { isWaitingOrRunning } from '../jobs/status-observations.js';
import { seconds } from '../../util/duration.js';
import { counterIn, policyFieldOf, recordOf, submissionOf } from '../observed/recorded-call.js';
import { onItsClock } from '../observed/tolerance.js';
import { WORKER_BACK_MS } from '../observed/assumptions.js';

/** Jobs named as those that the workers had last. */
const NAMED_MAX = 6;

export const KEPT_WORKERS = '1/freed-worker-takes-waiting-job';

type KeptWorkers = ReturnType<typeof failureBy>;

/** Null: nothing proves it. Called at the end of a run in real time. */
export function keptWorkers(run: RunEvent, known: EndpointJobs): KeptWorkers | null {
  // No job of another user can have held a worker.
  if (run.capabilities.includes('scales-from-zero') || jobsIn(known.before) !== 0) return null;
  const took = known.jobs.filter(({ reads }) => reads.some(({ observed }) => observed === 'IN_PROGRESS'));
  // A worker was there, and is not seen for the first time.
  if (took.length === 0) return null;
  for (const job of known.jobs) {
    const found = waitsInVain(run, known, took, job);
    if (found !== null) return found;
  }
  return null;
}

function waitsInVain(
  run: RunEvent,
  known: EndpointJobs,
  took: readonly EndpointJob[],
  job: EndpointJob,
): KeptWorkers | null {
  const { submitted } = job;
  // Jobs of low priority start no workers, and one whose worker died may have to pause.
  const isLow = policyFieldOf(submissionOf(submitted), 'lowPriority') === true;
  if (job.id === null || submitted.receivedMs === null || isLow) return null;
  const last = job.reads.findLast((one) => one.observed === 'IN_QUEUE' && one.call.op === 'status')?.call;
  if (last === undefined || !hadOnlyWaited(job, last)) return null;
  const backMs = onItsClock(run, WORKER_BACK_MS);
  const graceMs = run.graceMs + known.lags.worstBetween(last.sentMs - backMs, last.sentMs);
  const sinceMs = last.sentMs - backMs - graceMs;
  if (submitted.receivedMs > sinceMs) return null;
  const shown = known.counts.filter(({ sentMs }) => sentMs > sinceMs && sentMs < last.sentMs);
  const workers = Math.min(...shown.map(workersIn));
  const possible = known.jobs.filter((other) => other !== job && mayHoldUntilMs(other, last) > sinceMs);
  const holders = Math.min(possible.length, runningAccordingTo(run, shown, sinceMs, last.sentMs));
  // That there are none, or none any more, is no fault of the service.
  if (shown.length === 0 || holders >= workers) return null;
  const before = took.filter((other) => other !== job && other.overByMs <= sinceMs);
  const stopped = before.filter((other) => !['COMPLETED', 'FAILED'].includes(endOf(other)));
  const latest = (stopped.length > 0 ? stopped : before)
    .sort((left, right) => right.overByMs - left.overByMs)
    .slice(0, NAMED_MAX);
  const count = shown.at(-1)!;
  const others =
    holders < possible.length
      ? `/health counted ${holders === 0 ? 'no job' : pluralJobs(holders)} as running`
      : `${holders === 0 ? 'no other job of the endpoint' : `at most ${pluralJobs(holders)} beside it`} can have had a worker`;
  return failureBy(
    known,
    submitted.script,
    `job ${job.id} was still IN_QUEUE after ${seconds(last.sentMs - submitted.receivedMs)}, although in the last ${seconds(last.sentMs - sinceMs)} ${others}`,
    [submitted, count, last],
    [
      ...latest.map(
        (other) => `job ${other.id} had a worker, and was ${endOf(other)} by ${seconds(other.overByMs)}`,
      ),
      `/health #${count.call} shows workers: ${JSON.stringify(recordOf(count)?.['workers'])}`,
    ],
  );
}

/** How it ended, as far as an answer showed it. */
function endOf({ reads }: EndpointJob): string {
  const end = reads.findLast(({ observed }) => !isWaitingOrRunning(observed));
  return end?.observed ?? 'cancelled at the end';
}

/** Jobs that run for less do not occupy a worker for long, real ms. */
const COUNTED_EVERY_MS = 8_000;

/** The most jobs that the service itself counts as running, if it was asked all the time; else Infinity. */
function runningAccordingTo(
  run: RunEvent,
  counts: readonly CallEvent[],
  fromMs: number,
  toMs: number,
): number {
  const everyMs = COUNTED_EVERY_MS * (run.speed ?? 1);
  const asked = [fromMs, ...counts.map(({ sentMs }) => sentMs), toMs].sort((left, right) => left - right);
  const isSteady = asked.every((ms, index) => index === 0 || ms - asked[index - 1]! <= everyMs);
  if (!isSteady) return Infinity;
  return Math.max(0, ...counts.map((count) => counterIn(count, 'jobs.inProgress') ?? Infinity));
}

const pluralJobs = (count: number): string => (count === 1 ? 'one job' : `${count} jobs`);

/** Workers that are certainly there: those with a job, or all that are up. Idle ones may not exist until needed. */
function workersIn(count: CallEvent): number {
  const [running, idle] = [counterIn(count, 'workers.running') ?? 0, counterIn(count, 'workers.idle') ?? 0];
  return running > 0 ? running : Math.min(idle, 1);
}

/** The last instant before the call at which the job may have had a worker; Infinity: it may have one then. */
function mayHoldUntilMs(other: EndpointJob, last: CallEvent): number {
  if (other.submitted.sentTick > last.sentTick) return -Infinity;
  if (other.overByMs <= last.sentMs) return other.overByMs;
  // It waited as well, and was seen to do so later.
  const later = other.reads.find(
    ({ call, observed }) => observed === 'IN_QUEUE' && call.sentTick >= last.sentTick,
  )?.call;
  return later !== undefined && hadOnlyWaited(other, later) ? -Infinity : Infinity;
}
