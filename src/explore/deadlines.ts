/** The instants at which the model expects a job to change by itself, and probes around them. */
import type { Milestone, When } from '../scenario/script.js';
import type { Limits } from '../scenario/script.js';
import { RUNSYNC_RETENTION_WITH_WAIT_MAX_MS } from '../spec/limits.js';
import { isOver, type EndpointModel, type PlannedJob } from './endpoint-model.js';
import type { Timer } from './swarm.js';

export interface PlannedDeadline {
  readonly timer: Timer;
  readonly job: PlannedJob;
  readonly milestone: Milestone;
  /** The earliest and the latest time after the milestone; they differ where the document leaves it open. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** Deadlines that can still be probed and that no other timer of the job precedes. */
export function deadlinesOf(model: EndpointModel, limits: Limits): readonly PlannedDeadline[] {
  return model.jobs
    .flatMap((job) => ownDeadlines(model, job))
    .filter(({ toMs }) => toMs + 2 * limits.marginMs <= limits.maxWaitMs);
}

function ownDeadlines(model: EndpointModel, job: PlannedJob): readonly PlannedDeadline[] {
  if (job.state === 'GONE') return [];
  const found: PlannedDeadline[] = [];
  const add = (timer: Timer, milestone: Milestone, fromMs: number, toMs = fromMs): void => {
    found.push({ timer, job, milestone, fromMs, toMs });
  };
  const goneMs = job.submittedMs + job.ttlMs;
  const isFirst = (atMs: number): boolean => atMs < goneMs;
  const endsMs = model.workEndsMs(job);
  if (
    job.state === 'IN_PROGRESS' &&
    endsMs !== null &&
    endsMs === (job.startedMs ?? 0) + job.executionTimeoutMs
  ) {
    if (isFirst(endsMs)) add('executionTimeout', 'started', job.executionTimeoutMs);
  }
  const retentionMs = model.retentionMs(job);
  const resultGoesMs = (job.endedMs ?? endsMs ?? Infinity) + retentionMs;
  if (job.endedMs !== null && isFirst(resultGoesMs)) {
    const open = job.waitMs !== null;
    add('retention', 'ended', retentionMs, open ? RUNSYNC_RETENTION_WITH_WAIT_MAX_MS : retentionMs);
  }
  if (!isFirst(resultGoesMs)) add('ttl', 'submitted', job.ttlMs);
  if (job.waitMs !== null && !isOver(job) && job.submittedMs + job.waitMs > model.nowMs) {
    add('wait', 'submitted', job.waitMs);
  }
  return found;
}

/** A probe that certainly precedes the deadline, and one that certainly follows it. */
export function probesOf(
  { job, milestone, fromMs, toMs }: PlannedDeadline,
  marginMs: number,
): { readonly before: PlannedProbe; readonly after: PlannedProbe } {
  const exactMs =
    milestone === 'started'
      ? job.startedMs
      : milestone === 'ended'
        ? job.endedMs
        : job.observedMilestones.get(milestone);
  const seenMs = job.observedMilestones.get(milestone) ?? exactMs ?? 0;
  const at = (side: 'earliest' | 'latest', plusMs: number): When => ({
    job: job.label,
    milestone,
    side,
    plusMs,
  });
  return {
    before: { at: at('earliest', fromMs - marginMs), planMs: (exactMs ?? seenMs) + fromMs - marginMs },
    after: { at: at('latest', toMs + marginMs), planMs: seenMs + toMs + marginMs },
  };
}

export interface PlannedProbe {
  readonly at: When;
  /** Its time according to the model. */
  readonly planMs: number;
}
