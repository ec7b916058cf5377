/**
 * What a script runner knows of the jobs of its script: their ids, the last observed state, and for each milestone the
 * interval in which it lies.
 */
import { canBeNamed } from '../history/job-path.js';
import { ENDED_STATUSES, isJobStatus, STARTED_STATUSES } from '../spec/states.js';
import type { JobStatus } from '../spec/types.js';
import type { JobRef, Milestone } from '../scenario/script.js';
import type { CallOutcome } from './api.js';

export type KnownStatus = JobStatus | 'GONE';

export interface Interval {
  /** Not earlier than. */
  readonly earliest: number;
  /** Not later than. */
  readonly latest: number;
}

interface Job {
  readonly label: string;
  readonly endpoint: string;
  id: string | null;
  phase: KnownStatus | null;
  /** Latest time at which a call was sent that showed the job queued, and not yet ended. */
  queuedSince: number;
  aliveSince: number;
  /** Calls sent before this say nothing about the attempt that a retry started. */
  ignoreBefore: number;
  /** When a retry was sent whose answer was lost, or a read that shows the job alive after its end. Null for none. */
  mayLiveSinceMs: number | null;
  readonly milestones: Map<Milestone, Interval>;
}

const ENDED: readonly (KnownStatus | null)[] = ENDED_STATUSES;
const STARTED: readonly KnownStatus[] = STARTED_STATUSES;

export function isEnded(phase: KnownStatus | null): boolean {
  return phase === 'GONE' || ENDED.includes(phase);
}

export class JobRegistry {
  readonly #jobs: Job[] = [];
  readonly #byLabel = new Map<string, Job>();
  /** The jobs whose submission is open, by its call. */
  readonly #byOpenCall = new Map<number, Job>();

  /** A submission leaves now. A label used again means the newer job from here on. */
  submitting(label: string, endpoint: string, call: number, nowMs: number): void {
    const job: Job = {
      label,
      endpoint,
      id: null,
      phase: null,
      queuedSince: nowMs,
      aliveSince: nowMs,
      ignoreBefore: nowMs,
      mayLiveSinceMs: null,
      // Until its arrival is known, an open submission counts as arrived when it was sent: the margin of a script
      // covers the network delay.
      milestones: new Map([['submitted', { earliest: nowMs, latest: nowMs }]]),
    };
    this.#jobs.push(job);
    this.#byLabel.set(label, job);
    this.#byOpenCall.set(call, job);
  }

  /** The submission is known to have reached the target by then. */
  arrived(call: number, byMs: number): void {
    const job = this.#byOpenCall.get(call);
    const sent = job?.milestones.get('submitted');
    if (job && sent) job.milestones.set('submitted', { earliest: sent.earliest, latest: byMs });
  }

  /** The submitting call has ended, with a job's id or without. */
  submitted(call: number, outcome: CallOutcome): void {
    const job = this.#byOpenCall.get(call);
    if (!job) return;
    this.#byOpenCall.delete(call);
    const record = recordOf(outcome);
    if (record === null || record.id === null || outcome.receivedMs === null) {
      job.milestones.clear();
      return;
    }
    job.id = record.id;
    job.queuedSince = job.aliveSince = job.ignoreBefore = outcome.sentMs;
    const latest = outcome.arrivedByMs ?? outcome.receivedMs;
    job.milestones.set('submitted', { earliest: outcome.sentMs, latest });
    this.#see(job, record.status, outcome.sentMs, outcome.receivedMs);
  }

  /** A reply to `/status`. */
  polled(label: string, outcome: CallOutcome): void {
    const job = this.#byLabel.get(label);
    if (!job || outcome.receivedMs === null || outcome.sentMs < job.ignoreBefore) return;
    const phase = outcome.reply?.status === 404 ? 'GONE' : (recordOf(outcome)?.status ?? null);
    this.#see(job, phase, outcome.sentMs, outcome.receivedMs);
  }

  /** A reply to `/cancel`; one that refused is no milestone. */
  cancelled(label: string, outcome: CallOutcome): void {
    const job = this.#byLabel.get(label);
    const record = recordOf(outcome);
    if (!job || record === null || outcome.receivedMs === null) return;
    const interval = { earliest: outcome.sentMs, latest: outcome.receivedMs };
    if (!job.milestones.has('cancelled')) job.milestones.set('cancelled', interval);
    if (record.status !== 'CANCELLED') return;
    job.phase = 'CANCELLED';
    if (!job.milestones.has('ended')) job.milestones.set('ended', interval);
  }

  /** A reply to `/retry`; from here on `started` and `ended` mean the new run. */
  retried(label: string, outcome: CallOutcome): void {
    const job = this.#byLabel.get(label);
    const record = recordOf(outcome);
    if (job && outcome.reply === null) job.mayLiveSinceMs = outcome.sentMs;
    if (!job || record === null || outcome.receivedMs === null) return;
    job.milestones.set('retried', { earliest: outcome.sentMs, latest: outcome.receivedMs });
    for (const milestone of ['started', 'ended', 'cancelled'] as const) job.milestones.delete(milestone);
    job.queuedSince = job.aliveSince = job.ignoreBefore = outcome.sentMs;
    job.phase = null;
    this.#see(job, record.status ?? 'IN_QUEUE', outcome.sentMs, outcome.receivedMs);
  }

  milestone(label: string, milestone: Milestone): Interval | null {
    return this.#byLabel.get(label)?.milestones.get(milestone) ?? null;
  }

  statusOf(label: string): KnownStatus | null {
    return this.#byLabel.get(label)?.phase ?? null;
  }

  endpointOf(label: string): string | null {
    return this.#byLabel.get(label)?.endpoint ?? null;
  }

  /** The job meant, when its id is known. */
  find(ref: JobRef): { readonly label: string; readonly id: string } | null {
    const job = typeof ref === 'string' ? this.#byLabel.get(ref) : this.#nthNewest(ref.nth, ref.phase);
    return job && job.id !== null ? { label: job.label, id: job.id } : null;
  }

  /** Ids of the jobs that were last seen alive, or may live again. */
  alive(): readonly string[] {
    const ids: string[] = [];
    // Asked at every step of a dry run, of up to thousands of jobs.
    for (const { id, phase, mayLiveSinceMs } of this.#jobs)
      if (id !== null && (!isEnded(phase) || mayLiveSinceMs !== null)) ids.push(id);
    return ids;
  }

  #nthNewest(nth: number, phases: readonly JobStatus[] | undefined): Job | undefined {
    const matching = this.#jobs.filter(
      (job) => job.id !== null && (!phases || phases.some((phase) => phase === job.phase)),
    );
    return matching[matching.length - 1 - nth];
  }

  #see(job: Job, phase: KnownStatus | null, sentMs: number, receivedMs: number): void {
    if (phase === null) return;
    // Replies of calls that overlapped may come in any order: an end, once seen, is not unseen.
    if (isEnded(job.phase) && !isEnded(phase)) {
      if (sentMs >= (job.milestones.get('ended')?.latest ?? Infinity)) job.mayLiveSinceMs = sentMs;
      return;
    }
    job.phase = phase;
    if (job.mayLiveSinceMs !== null && sentMs > job.mayLiveSinceMs) job.mayLiveSinceMs = null;
    if (phase === 'IN_QUEUE') job.queuedSince = Math.max(job.queuedSince, sentMs);
    if (!isEnded(phase)) job.aliveSince = Math.max(job.aliveSince, sentMs);
    if (STARTED.includes(phase)) first(job, 'started', job.queuedSince, receivedMs);
    if (ENDED.includes(phase)) first(job, 'ended', job.aliveSince, receivedMs);
  }
}

function first(job: Job, milestone: Milestone, earliest: number, latest: number): void {
  if (!job.milestones.has(milestone)) job.milestones.set(milestone, { earliest, latest });
}

/** Id and state that a successful reply reports; null when the call failed. The id is null if no call can name it. */
function recordOf(outcome: CallOutcome): { id: string | null; status: JobStatus | null } | null {
  const reply = outcome.reply;
  if (!reply || reply.status < 200 || reply.status >= 300) return null;
  const value = reply.body.as === 'json' ? reply.body.value : null;
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return { id: null, status: null };
  const { id, status } = value as { id?: unknown; status?: unknown };
  return {
    id: typeof id === 'string' && canBeNamed(id) ? id : null,
    status: isJobStatus(status) ? status : null,
  };
}
