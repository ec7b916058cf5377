/**
 * The life of one job: its calls, what they showed, and every explanation of that. Each job has one, made after its
 * observations were judged, and every later check asks it.
 */
import type { CallEvent, Json } from '../../history/events.js';
import { TTL_DEFAULT_MS, TTL_MAX_MS, TTL_MIN_MS } from '../../spec/limits.js';
import type { RequirementId } from '../../spec/index.js';
import type { JobStatus, Operation } from '../../spec/types.js';
import type { Job } from '../jobs/observed-jobs.js';
import {
  hasEnded,
  isWaitingOrRunning,
  precedes,
  type ObservedState,
  type StatusObservation,
} from '../jobs/status-observations.js';
import type { Explanations, Predicate } from '../model/explanations.js';
import { isUnended, lastStateOf, type Hypothesis } from '../model/hypothesis.js';
import { ANY_STATE, type StateSet } from '../model/state-set.js';
import { ENDED, STARTED, TTL_START, type Instant } from '../model/zone.js';
import { ANY_TIME, type Interval } from '../observed/intervals.js';
import { answerOf, effectPrecedes, idInPath, policyFieldOf } from '../observed/recorded-call.js';
import type { Prediction } from '../observed/worker-prediction.js';
import type { FailureReport, JudgingContext, Memory } from './judging-context.js';
import { duringCall, isPresent, isUndeleted, type Later } from './presence.js';

/** What is known of a job once its observations have been judged. */
export interface JobKnowledge extends Later {
  readonly explanations: Explanations;
  /** The same, ignoring the reads that no longer found the job. */
  whileThere(): Explanations;
  /** The possible states during each count, by call number; absent if any state is possible. */
  readonly statesAtCounts: ReadonlyMap<number, StateSet>;
  /** Whether each accepted `/retry` requeued the job, by call number; absent if uncertain. */
  readonly requeued: ReadonlyMap<number, boolean>;
}

export class Life {
  readonly context: JudgingContext;
  readonly job: Job;
  readonly explanations: Explanations;
  readonly #known: JobKnowledge;
  memory: Memory | null = null;

  constructor(context: JudgingContext, job: Job, known: JobKnowledge) {
    this.context = context;
    this.job = job;
    this.explanations = known.explanations;
    this.#known = known;
  }

  /** What the worker does in the first run. */
  get plan(): Prediction {
    return this.job.predicted(0);
  }

  policy(field: 'ttl' | 'executionTimeout' | 'lowPriority'): Json | undefined {
    return policyFieldOf(this.job.submission, field);
  }

  /** The lifespan that the submission sets, or the default; null if the value is invalid. */
  get ttlMs(): number | null {
    const value = this.policy('ttl');
    if (value === undefined) return TTL_DEFAULT_MS;
    return typeof value === 'number' && value >= TTL_MIN_MS && value <= TTL_MAX_MS ? value : null;
  }

  get submitted(): Interval {
    return { fromMs: this.job.submittedFromMs, byMs: this.job.submittedByMs };
  }

  calls(op: Operation): readonly CallEvent[] {
    return this.job.calls.filter((call) => call.op === op);
  }

  /** The first call of the operation that succeeded. */
  done(op: Operation): CallEvent | undefined {
    return this.job.calls.find((call) => call.op === op && answerOf(call) === 'ok');
  }

  /** The calls of the operation that may have taken effect. */
  taken(op: 'cancel' | 'retry' | 'stream'): readonly CallEvent[] {
    return this.job.calls.filter((call) => call.op === op && answerOf(call) !== 'refused');
  }

  get retries(): readonly CallEvent[] {
    return this.taken('retry');
  }

  /** The calls of `/status` with a `ttl`, with whatever result. */
  get ttlCalls(): readonly CallEvent[] {
    return this.job.calls.filter(setsTtl);
  }

  /** Another call of the operation was in flight at the same time and may have taken effect. */
  isConcurrent(call: CallEvent, op: 'retry' | 'stream'): boolean {
    return this.taken(op).some((one) => one !== call && !precedes(one, call) && !precedes(call, one));
  }

  /** A `/retry` in flight may have requeued the job, so it is unknown which run the call reports. */
  isAmidRetry(call: CallEvent): boolean {
    return this.job.retried && this.isConcurrent(call, 'retry');
  }

  /** What a `/retry` call did to the job; `maybe` if that is uncertain. */
  retryEffect(call: CallEvent): 'requeued' | 'nothing' | 'maybe' {
    if (answerOf(call) === 'refused') return 'nothing';
    const effect = this.#known.requeued.get(call.call);
    return effect === undefined ? 'maybe' : effect ? 'requeued' : 'nothing';
  }

  /** The answers that show its state, in order. */
  get reads(): readonly StatusObservation[] {
    return this.job.reads;
  }

  /** The first read that showed one of these states. */
  first(...states: readonly ObservedState[]): CallEvent | undefined {
    return this.reads.find(({ observed }) => states.includes(observed))?.call;
  }

  last(...states: readonly ObservedState[]): CallEvent | undefined {
    return this.reads.findLast(({ observed }) => states.includes(observed))?.call;
  }

  /** The last read before the call. */
  readBefore(call: CallEvent): StatusObservation | undefined {
    return this.reads.findLast((read) => precedes(read.call, call));
  }

  /** The first read after the call. */
  readAfter(call: CallEvent): StatusObservation | undefined {
    return this.reads.find((read) => precedes(call, read.call));
  }

  /** Some read before the call showed one of these states. */
  sawBefore(call: CallEvent, ...states: readonly ObservedState[]): boolean {
    return this.reads.some((read) => states.includes(read.observed) && precedes(read.call, call));
  }

  sawAfter(call: CallEvent, ...states: readonly ObservedState[]): boolean {
    return this.reads.some((read) => states.includes(read.observed) && precedes(call, read.call));
  }

  /** All its observations can be explained, so what holds in every explanation is proven. */
  get isExplained(): boolean {
    return this.explanations.kind === 'explained';
  }

  /**
   * Its answers can be judged one by one: no observation of the job contradicts the document, and its calls
   * are known to have reached this job and no other. Its history may still be unknown.
   */
  get isJudgedFurther(): boolean {
    return this.job.notJudged === null && this.explanations.kind !== 'contradicted';
  }

  /**
   * True in every explanation, as of the last observation of the job: what it may be later, `isThere` and
   * `statesAt` tell. False where the job is not explained.
   */
  mustBe(test: Predicate): boolean {
    return this.explanations.mustBe(test);
  }

  /** True in some explanation, or the job is not explained. */
  mayBe(test: Predicate): boolean {
    return this.explanations.mayBe(test);
  }

  /** The value that all explanations agree on; null where they differ, or the job is not explained. */
  common<T>(of: (at: Hypothesis) => T): T | null {
    const { explanations } = this;
    return explanations.kind === 'explained' ? (explanations.commonValue(of) ?? null) : null;
  }

  /** The bounds in all explanations; any time where the job is not explained. */
  range(fromMs: (at: Hypothesis) => number, byMs: (at: Hypothesis) => number): Interval {
    const { explanations } = this;
    if (explanations.kind !== 'explained') return ANY_TIME;
    return { fromMs: explanations.least(fromMs), byMs: explanations.most(byMs) };
  }

  when(instant: Instant): Interval {
    return this.range(
      ({ zone }) => zone.earliest(instant),
      ({ zone }) => zone.latest(instant),
    );
  }

  /** The duration of its last run. */
  get ran(): Interval {
    return this.range(
      ({ zone }) => -zone.bound(STARTED, ENDED),
      ({ zone }) => zone.bound(ENDED, STARTED),
    );
  }

  /** When its lifespan is over, where all explanations know one. */
  get ttlEnds(): Interval {
    return this.range(
      ({ zone, policy }) => zone.earliest(TTL_START) + policy.ttlMs!,
      ({ zone, policy }) => zone.latest(TTL_START) + policy.ttlMs!,
    );
  }

  /** When it certainly completed; null if that is not certain. */
  get completed(): Interval | null {
    return this.mustBe((at) => lastStateOf(at) === 'completed') ? this.when(ENDED) : null;
  }

  /** Certainly cancelled while waiting or running. */
  get isStopped(): boolean {
    return this.mustBe((at) => at.state === 'cancelled' && isUnended(at.previousState));
  }

  /** Its possible states while the call counted the jobs. */
  statesAt(count: CallEvent): StateSet {
    return this.#known.statesAtCounts.get(count.call) ?? ANY_STATE;
  }

  /** Its explanations without the reads that no longer found it: it may have been deleted too early. */
  whileThere(): Explanations {
    return this.#known.whileThere();
  }

  /**
   * It was waiting or running during the call, and later reads show that the call did not end it: a
   * cancellation or removal would have been noticed.
   */
  survives(call: CallEvent): boolean {
    if (!this.isExplained || !precedes(this.job.submitted, call)) return false;
    const after = this.reads.filter((read) => precedes(call, read.call));
    if (after.some(({ observed }) => isWaitingOrRunning(observed))) return true;
    const hasEndedByItself = after.some(({ observed }) => hasEnded(observed));
    return hasEndedByItself && this.mustBe(({ zone }) => zone.earliest(ENDED) > call.sentMs);
  }

  /** It was observed in the same one of these states before and after the call. */
  stays(call: CallEvent, ...states: readonly JobStatus[]): boolean {
    return (
      this.isExplained && states.some((state) => this.sawBefore(call, state) && this.sawAfter(call, state))
    );
  }

  /** It was submitted before the call and observed waiting after it. */
  waitsOn(call: CallEvent): boolean {
    return precedes(this.job.submitted, call) && this.sawAfter(call, 'IN_QUEUE');
  }

  /** A later read found it, or neither its ttl nor its retention can have deleted it by the end of the call. */
  wasKept(call: CallEvent): boolean {
    return this.isFoundAfter(call) || this.mustBe((at) => isUndeleted(at, duringCall(call), this.#known));
  }

  /** The service must still know it at the end of the call: it was not purged or cancelled either. */
  wasThere(call: CallEvent): boolean {
    return this.isFoundAfter(call) || (!this.mayBeTakenAway(call) && this.isThere(duringCall(call)));
  }

  /** In every explanation it must be found all that time, unless a call has removed it. */
  isThere(during: Interval): boolean {
    return this.mustBe((at) => isPresent(at, during, this.#known));
  }

  private isFoundAfter(call: CallEvent): boolean {
    return this.reads.some((read) => read.observed !== 'GONE' && precedes(call, read.call));
  }

  /** It may have been purged or cancelled by the end of the call, so the answer is open. */
  mayBeTakenAway(call: CallEvent): boolean {
    const mayPrecede = (one: CallEvent): boolean =>
      one !== call &&
      answerOf(one) !== 'refused' &&
      one.sentTick < (call.endedTick ?? Infinity) &&
      !effectPrecedes(one, this.job.submitted);
    const { callIndex } = this.context;
    if (callIndex.purges.some(mayPrecede)) return true;
    return callIndex.of('cancel').some((one) => mayPrecede(one) && idInPath(one) === this.job.id);
  }

  /** Fails the requirement for the job, by these calls. */
  fail(id: RequirementId, actual: string, calls: readonly CallEvent[], more?: Partial<FailureReport>): void {
    const { script } = this.job;
    this.context.fail(id, { script, actual, calls: calls.map(({ call }) => call), ...more });
  }
}

/** A call of `/status` with a `ttl`. */
export const setsTtl = ({ op, request }: CallEvent): boolean =>
  op === 'status' && request.query['ttl'] !== undefined;
