/** A job whose observations are explained, with everything that the observers of open questions need. */
import type { CallEvent, Json } from '../../history/events.js';
import {
  RUNSYNC_RETENTION_MS,
  RUNSYNC_RETENTION_WITH_WAIT_MAX_MS,
  RUN_RETENTION_MS,
  TTL_DEFAULT_MS,
  TTL_MAX_MS,
  TTL_MIN_MS,
  WAIT_DEFAULT_MS,
} from '../../spec/limits.js';
import type { Operation } from '../../spec/types.js';
import type { Job } from '../jobs/observed-jobs.js';
import {
  hasEnded,
  precedes,
  statusObservationsOf,
  type StatusObservation,
} from '../jobs/status-observations.js';
import type { Explained } from '../model/explanations.js';
import type { JobState } from '../model/hypothesis.js';
import { ENDED, STARTED, type Instant } from '../model/zone.js';
import type { Prediction } from '../observed/worker-prediction.js';
import { answerOf, codeIn, policyFieldOf, statusIn } from '../observed/recorded-call.js';
import { earlyToleranceMs } from '../observed/tolerance.js';
import { wasThere } from '../context/left-alone.js';
import type { JudgingContext, Memory } from '../context/judging-context.js';
import { remembered, setsTtl } from './observers.js';
import { between, orLater, plus, intervalOf, type Predictions, type Interval } from './intervals.js';

/** An observation wider than a reading's interval by this, plus lateness, does not show the reading. */
const WIDER_MS = 5_000;

/** A later 404 may have another cause. */
export const SOON_MS = 5_000;
/** A later answer was waiting for something. */
export const AT_ONCE_MS = 1_000;

interface Kept {
  readonly state: JobState;
  readonly ended: Interval;
  readonly gone: Interval;
  readonly ttlEnds: Interval;
}

export class ExplainedJob {
  readonly context: JudgingContext;
  readonly job: Job;
  readonly explanations: Explained;
  /** The status observations from its calls, in order. */
  readonly reads: readonly StatusObservation[];

  memory: Memory | null = null;
  /** Once computed. */
  #kept: Kept | null | undefined;

  constructor(context: JudgingContext, job: Job, explanations: Explained) {
    this.context = context;
    this.job = job;
    this.explanations = explanations;
    this.reads = statusObservationsOf(job);
  }

  /** What the worker does in the first run. */
  get plan(): Prediction {
    return this.job.predicted(0);
  }

  calls(op: Operation): readonly CallEvent[] {
    return this.job.calls.filter((call) => call.op === op);
  }

  /** The first call of the operation that succeeded. */
  done(op: Operation): CallEvent | undefined {
    return this.job.calls.find((call) => call.op === op && answerOf(call) === 'ok');
  }

  /** The `/retry` calls that may have requeued it. */
  get retries(): readonly CallEvent[] {
    return this.calls('retry').filter((call) => answerOf(call) !== 'refused');
  }

  policy(field: 'ttl' | 'executionTimeout'): Json | undefined {
    return policyFieldOf(this.job.submission, field);
  }

  /** The lifespan that the submission sets, or the default; null if the value is invalid. */
  get ttlMs(): number | null {
    const value = this.policy('ttl');
    if (value === undefined) return TTL_DEFAULT_MS;
    return typeof value === 'number' && value >= TTL_MIN_MS && value <= TTL_MAX_MS ? value : null;
  }

  /** The calls of `/status` with a `ttl`, with whatever result. */
  get ttlCalls(): readonly CallEvent[] {
    return this.job.calls.filter(setsTtl);
  }

  /** The last status observation before the call. */
  readBefore(call: CallEvent): StatusObservation | undefined {
    return this.reads.findLast((read) => precedes(read.call, call));
  }

  /** The first status observation after the call. */
  readAfter(call: CallEvent): StatusObservation | undefined {
    return this.reads.find((read) => precedes(call, read.call));
  }

  first(...states: readonly StatusObservation['observed'][]): StatusObservation | undefined {
    return this.reads.find(({ observed }) => states.includes(observed));
  }

  /** A 404 to this call proves nothing: the job may have been deleted by then. */
  mayBeUnknown(call: CallEvent): boolean {
    return !wasThere(this.context, this.job, call);
  }

  /** How its `/runsync` call reported the predicted failure: success, one of these codes, or other. */
  failureCode<Ok extends string, Code extends number>(
    outcome: 'error' | 'crash',
    ok: Ok,
    ...codes: readonly Code[]
  ): Ok | `${Code}` | 'other' | null {
    const { sync, submitted } = this.job;
    if (!sync || statusIn(submitted) !== 'FAILED' || this.plan.outcome !== outcome) return null;
    return answerOf(submitted) === 'ok' ? ok : (codeIn(submitted, ...codes) ?? 'other');
  }

  get submitted(): Interval {
    return { fromMs: this.job.submittedFromMs, byMs: this.job.submittedByMs };
  }

  when(instant: Instant): Interval {
    return {
      fromMs: this.explanations.least(({ zone }) => zone.earliest(instant)),
      byMs: this.explanations.most(({ zone }) => zone.latest(instant)),
    };
  }

  /** The duration of its last run. */
  get ran(): Interval {
    return {
      fromMs: this.explanations.least(({ zone }) => -zone.bound(STARTED, ENDED)),
      byMs: this.explanations.most(({ zone }) => zone.bound(ENDED, STARTED)),
    };
  }

  /** Certainly cancelled while waiting or running. */
  get isStopped(): boolean {
    return this.explanations.mustBe(
      (at) => at.state === 'cancelled' && (at.previousState === 'queued' || at.previousState === 'running'),
    );
  }

  /** Certainly still waiting or running when it disappeared, so no retention was involved. */
  get isUnfinished(): boolean {
    return this.explanations.mustBe(({ state, previousState }) => {
      const last = state === 'deleted' || state === 'cancelled' ? previousState : state;
      return last === 'queued' || last === 'running';
    });
  }

  /** Between the last read that found it and the first 404; null if it was not read. */
  expiry({ since, cancelled = false }: { since?: CallEvent; cancelled?: boolean } = {}): Interval | null {
    // What /status answers after a cancel is a separate question.
    const cancel = cancelled ? undefined : this.job.calls.find(({ op }) => op === 'cancel');
    const reads = this.reads.filter(
      ({ call }) =>
        (since === undefined || call.sentTick > since.sentTick) &&
        (cancel === undefined || precedes(call, cancel)),
    );
    if (reads.length === 0) return null;
    const gone = reads.find(({ observed }) => observed === 'GONE');
    const found = reads.findLast(
      ({ call, observed }) =>
        observed !== 'GONE' && (gone === undefined || call.sentTick < gone.call.sentTick),
    );
    const fromMs = found?.call.sentMs ?? since?.sentMs ?? this.job.submitted.sentMs;
    return { fromMs, byMs: gone?.call.receivedMs ?? Infinity };
  }

  /**
   * How and when it ended, when it was no longer found, and when its `ttl` expires if only its submission
   * sets one: a deletion by `ttl` says nothing about retention, unless nothing else would ever have deleted
   * it. Null if unknown.
   */
  get kept(): Kept | null {
    if (this.#kept === undefined) this.#kept = this.findKept();
    return this.#kept;
  }

  private findKept(): Kept | null {
    const state =
      this.explanations.commonValue((at) => (at.state === 'deleted' ? at.previousState : at.state)) ?? null;
    const gone = this.expiry({ cancelled: state === 'cancelled' });
    const { ttlMs } = this;
    if (state === null || gone === null || ttlMs === null || this.ttlCalls.length > 0) return null;
    if ((state === 'cancelled' || this.calls('cancel').length > 0) && !this.isStopped) return null;
    return { state, ended: this.when(ENDED), gone, ttlEnds: plus(this.submitted, ttlMs) };
  }

  /** For a completed `/runsync` job whose `ttl` comes after any retention. */
  get keptSync() {
    const kept = this.job.sync ? this.kept : null;
    if (kept?.state !== 'completed') return null;
    return kept.ttlEnds.fromMs < kept.ended.byMs + RUN_RETENTION_MS ? null : kept;
  }

  /** Whether the result of this `/runsync` job was kept like any other, or like that of a `/run` job. */
  get asRunsyncOrRun(): 'as-runsync' | 'as-run' | null {
    const kept = this.keptSync;
    if (kept === null) return null;
    const { waitGiven } = this.job.model;
    const atMostMs = waitGiven ? RUNSYNC_RETENTION_WITH_WAIT_MAX_MS : WAIT_DEFAULT_MS;
    return this.fits(kept.gone, {
      'as-runsync': plus(kept.ended, RUNSYNC_RETENTION_MS, atMostMs),
      'as-run': orLater(plus(kept.ended, RUN_RETENTION_MS)),
    });
  }

  /** When it is deleted if it ended then and is kept like a completed job. */
  retentionEnd(ended: Interval): Interval {
    const { policies } = this.job;
    const leastMs = Math.min(...policies.map(({ keptAtLeastMs }) => keptAtLeastMs));
    return plus(ended, leastMs, Math.max(...policies.map(({ keptAtMostMs }) => keptAtMostMs)));
  }

  /** Its two runs, before and after its only retry; null unless both were observed from queue to end. */
  get twoRuns(): readonly [Run, Run] | null {
    const [retry, ...more] = this.retries;
    if (retry === undefined || more.length > 0 || retry.receivedMs === null) return null;
    const before = this.reads.filter(({ call }) => precedes(call, retry));
    const after = this.reads.filter(({ call }) => precedes(retry, call));
    const first = runIn(before, this.submitted);
    const second = runIn(after, intervalOf(retry));
    return first === null || second === null ? null : [first, second];
  }

  /**
   * The only reading that fits the observation, if that is precise enough; `otherwise` if none fits.
   * `seen.byMs` may be infinite: an end never observed fits only a reading that allows any later time.
   */
  fits<F extends Predictions, Other extends string = never>(
    seen: Interval | null,
    predicted: F,
    otherwise: Other | null = null,
  ): (keyof F & string) | Other | null {
    if (seen === null) return null;
    const { earlyMs } = this.context.session.run;
    const graceMs = this.context.graceMax;
    const [one, ...others] = Object.keys(predicted).filter((reading) => {
      const { fromMs, byMs } = predicted[reading]!;
      return seen.byMs >= fromMs - earlyToleranceMs(earlyMs, fromMs) && seen.fromMs <= byMs + graceMs;
    });
    if (others.length > 0) return null;
    if (one === undefined) return seen.byMs < Infinity ? otherwise : null;
    const { fromMs, byMs } = predicted[one]!;
    if (byMs === Infinity) return one;
    // If other lengths are possible readings, a wide observation may be one of those.
    const near = 2 * graceMs + WIDER_MS;
    const isNarrow = otherwise === null || (seen.fromMs >= fromMs - near && seen.byMs <= byMs + near);
    return isNarrow && seen.byMs < Infinity ? one : null;
  }
}

export type Run = NonNullable<ReturnType<typeof runIn>>;

/** One of its runs as observed: how long it waited, and how long it ran. */
function runIn(reads: readonly StatusObservation[], queued: Interval) {
  const running = reads.find(({ observed }) => observed === 'IN_PROGRESS');
  const end = reads.find(({ observed }) => hasEnded(observed));
  if (end === undefined || running === undefined) return null;
  const lastBefore = (
    state: StatusObservation['observed'],
    next: StatusObservation,
  ): StatusObservation | undefined =>
    reads.findLast(({ observed, call }) => observed === state && precedes(call, next.call));
  const lastRunning = lastBefore('IN_PROGRESS', end);
  // Concurrent reads have no known order.
  if (lastRunning === undefined) return null;
  const started = {
    fromMs: lastBefore('IN_QUEUE', running)?.call.sentMs ?? queued.fromMs,
    byMs: running.call.receivedMs!,
  };
  const ended = { fromMs: lastRunning.call.sentMs, byMs: end.call.receivedMs! };
  return { queued, started, waited: between(queued, started), ran: between(started, ended) };
}

/** With more jobs than this, single jobs and pairs are not examined. */
const JOBS_MAX = 200;

/** Jobs with an explanation: only what certainly happened shows how the target reads the document. */
export const explainedJobs = remembered((context: JudgingContext): readonly ExplainedJob[] => {
  const jobs = context.jobs.length > JOBS_MAX ? [] : context.jobs;
  return jobs.flatMap((job) => {
    const explanations = context.explanationsOf(job);
    return explanations.kind === 'explained' ? [new ExplainedJob(context, job, explanations)] : [];
  });
});
