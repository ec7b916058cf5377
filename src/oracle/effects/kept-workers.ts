/**
 * Workers that take no job any more, on an endpoint that nothing else uses but whose number of workers is unknown
 * (section 1). A job waits although every other one has ended, or waits as well, for longer than any worker needs to come
 * back after its last job, while `/health` shows workers.
 */
import type { CallEvent, HistoryEvent, RunEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import { endpointJobsOf, hadOnlyWaited, type EndpointJob, type EndpointJobs } from '../jobs/endpoint-jobs.js';
import { policyFieldOf, recordOf, isObject, seconds } from '../observed/recorded-call.js';
import type { TargetLife } from '../observed/target-life.js';

/** How long a worker may take to come back after a stopped job; deployed ones take about a minute. */
const BACK_WITHIN_MS = 120_000;

/** Jobs named as those that the workers had last. */
const NAMED_MAX = 6;

export interface KeptWorkers {
  readonly id: RequirementId;
  readonly script: number;
  readonly actual: string;
  readonly proof: readonly string[];
  readonly calls: readonly number[];
}

/** Null: nothing proves it. Called at the end of a run in real time. */
export function keptWorkers(
  run: RunEvent,
  events: readonly HistoryEvent[],
  { periods, isOver }: TargetLife,
): KeptWorkers | null {
  // After a restart jobs of others may run.
  if (periods.length !== 1 || isOver || run.capabilities.includes('scales-from-zero')) return null;
  const known = endpointJobsOf(run, events);
  const [first] = known?.jobs ?? [];
  if (known === null || first === undefined || !isEmptyBefore(known, first)) return null;
  const took = known.jobs.filter(({ looks }) => looks.some(({ status }) => status === 'IN_PROGRESS'));
  // A worker was there, and is not seen for the first time.
  if (took.length === 0) return null;
  for (const job of known.jobs) {
    const found = waitsInVain(run, known, took, job);
    if (found !== null) return found;
  }
  return null;
}

/** No job of another user can have held a worker. */
function isEmptyBefore({ counts }: EndpointJobs, { submitted }: EndpointJob): boolean {
  const count = counts.findLast(({ endedTick }) => endedTick !== null && endedTick < submitted.sentTick);
  return (
    count !== undefined &&
    counterOf(count, 'jobs', 'inQueue') === 0 &&
    counterOf(count, 'jobs', 'inProgress') === 0
  );
}

function waitsInVain(
  run: RunEvent,
  known: EndpointJobs,
  took: readonly EndpointJob[],
  job: EndpointJob,
): KeptWorkers | null {
  const { submitted, submission } = job;
  // Jobs of low priority start no workers, and one whose worker died may have to pause.
  if (job.id === null || submitted.receivedMs === null || policyFieldOf(submission, 'lowPriority') === true)
    return null;
  const last = job.looks.findLast((one) => one.status === 'IN_QUEUE' && one.call.op === 'status')?.call;
  if (last === undefined || !hadOnlyWaited(job, last)) return null;
  const heldUntilMs = Math.max(
    submitted.receivedMs,
    ...known.jobs.map((other) => (other === job ? -Infinity : mayHoldUntilMs(other, last))),
  );
  const graceMs = run.graceMs + known.lags.worstBetween(heldUntilMs, last.sentMs);
  if (last.sentMs - heldUntilMs < BACK_WITHIN_MS + graceMs) return null;
  const shown = known.counts.filter(({ sentMs }) => sentMs > heldUntilMs && sentMs < last.sentMs);
  // That there are none, or none any more, is no fault of the service.
  const isThere = (count: CallEvent): boolean =>
    (counterOf(count, 'workers', 'running') ?? 0) + (counterOf(count, 'workers', 'idle') ?? 0) > 0;
  if (shown.length === 0 || !shown.every(isThere)) return null;
  const before = took.filter((other) => other !== job && other.overByMs <= heldUntilMs);
  const latest = before.sort((left, right) => right.overByMs - left.overByMs).slice(0, NAMED_MAX);
  const count = shown.at(-1)!;
  return {
    id: '1/freed-worker-takes-waiting-job',
    script: submitted.script,
    actual: `job ${job.id} was still IN_QUEUE after ${seconds(last.sentMs - submitted.receivedMs)}: for the last ${seconds(last.sentMs - heldUntilMs)} no other job of the endpoint can have had a worker`,
    proof: [
      ...latest.map(
        (other) =>
          `job ${other.id} had a worker, and ended as ${other.looks.at(-1)?.status ?? 'CANCELLED'} by ${seconds(other.overByMs)}`,
      ),
      `/health #${count.call} shows workers: ${JSON.stringify(recordOf(count)?.['workers'])}`,
    ],
    calls: [submitted.call, count.call, last.call],
  };
}

/** The last instant before the call at which the job may have had a worker; Infinity: it may have one then. */
function mayHoldUntilMs(other: EndpointJob, last: CallEvent): number {
  if (other.submitted.sentTick > last.sentTick) return -Infinity;
  if (other.overByMs <= last.sentMs) return other.overByMs;
  // It waited as well, and was seen to do so later.
  const later = other.looks.find(
    ({ call, status }) => status === 'IN_QUEUE' && call.sentTick >= last.sentTick,
  )?.call;
  return later !== undefined && hadOnlyWaited(other, later) ? -Infinity : Infinity;
}

function counterOf(count: CallEvent, part: string, name: string): number | null {
  const record = recordOf(count)?.[part];
  const value = isObject(record) ? record[name] : undefined;
  return typeof value === 'number' ? value : null;
}
