/** What the layers of judgement share while they look at one session. */
import type { Attribution, ObservedFailure, Suspicion } from '../ledger/unsettled.js';
import type { CallEvent } from '../../history/events.js';
import {
  QUESTIONS,
  requirement,
  type QuestionId,
  type ReadingId,
  type RequirementId,
} from '../../spec/index.js';
import { jobBy, type ObservedJobs, type Job } from '../jobs/observed-jobs.js';
import type { CallIndex } from '../jobs/call-index.js';
import type { Ledger } from '../ledger/ledger.js';
import { formatContradiction, type Contradiction } from '../proof/contradiction.js';
import { answerOf, describeCall } from '../observed/recorded-call.js';
import type { JobState } from '../model/hypothesis.js';
import { NOT_JUDGED, type Explanations } from '../model/explanations.js';
import type { Session } from '../observed/session.js';
import type { Evidence } from '../jobs/evidence.js';

/** What judging a job's life has left known of it. */
export interface JobKnowledge {
  readonly explanations: Explanations;
  /** The same, were it not known when the job was gone. */
  whileThere(): Explanations;
  /** Where it may have been during each count of the session, by the call's number; absent where it may have been anywhere. */
  readonly statesAtCounts: ReadonlyMap<number, ReadonlySet<JobState>>;
  /** Whether each `/retry` call that was not refused requeued it, by the call's number; absent where that is uncertain. */
  readonly requeued: ReadonlyMap<number, boolean>;
}

export interface FailureReport {
  readonly script: number;
  readonly actual: string;
  /** Default: the requirement's own sentence. */
  readonly expected?: string;
  /** Default: the contradiction in words. */
  readonly proof?: readonly string[];
  readonly calls: readonly number[];
  readonly contradiction?: Contradiction | null;
  /** No reading of an open question explains it, not even one that the requirement yields to. */
  readonly isNotWaivable?: boolean;
}

const READINGS: ReadonlyMap<QuestionId, ReadonlySet<string>> = new Map(
  QUESTIONS.map(({ id, readings }) => [id, new Set<string>(readings.map((reading) => reading.id))]),
);

export class JudgingContext {
  readonly ledger: Ledger;
  readonly session: Session;
  readonly observedJobs: ObservedJobs;
  /** By the jobs' places in the cast; of those that were not judged yet there is nothing. */
  private readonly known: readonly JobKnowledge[];
  /** The other endpoints that the same scripts use. */
  readonly otherEndpoints: readonly { readonly session: Session; readonly observedJobs: ObservedJobs }[];

  constructor(
    ledger: Ledger,
    session: Session,
    observedJobs: ObservedJobs,
    known: readonly JobKnowledge[],
    otherEndpoints: readonly { readonly session: Session; readonly observedJobs: ObservedJobs }[],
  ) {
    this.otherEndpoints = otherEndpoints;
    this.ledger = ledger;
    this.session = session;
    this.observedJobs = observedJobs;
    this.known = known;
  }

  get jobs(): readonly Job[] {
    return this.observedJobs.jobs;
  }

  get callIndex(): CallIndex {
    return this.observedJobs.callIndex;
  }

  /** Lateness allowed to what was due, or looked at, at some instant in between, ms. */
  graceAt(fromMs: number, byMs = fromMs): number {
    const { run, lags } = this.session;
    return lags.isEmpty ? run.graceMs : run.graceMs + lags.around(fromMs, byMs);
  }

  /** Lateness allowed to anything at any time: for what is only told, and fails nobody. */
  get graceMax(): number {
    return this.graceAt(-Infinity, Infinity);
  }

  pass(...ids: readonly RequirementId[]): void {
    for (const id of ids) this.ledger.pass(id);
  }

  /** As `pass`, once one of these is shown: where all calls are answered alike, an answer tells nothing. */
  passGiven(needed: readonly Evidence[], ...ids: readonly RequirementId[]): void {
    for (const id of ids) this.ledger.passGiven(needed, id);
  }

  /** An open question was answered so; null: nothing tells. */
  observe<Q extends QuestionId>(id: Q, reading: ReadingId<Q> | null): void {
    if (reading !== null) this.ledger.observe(id, reading);
  }

  /** The same, by the reading that is named by the code, where the question has one; else `otherwise`. */
  observeCode<Q extends QuestionId>(id: Q, code: number, otherwise: ReadingId<Q> | null = null): void {
    this.observe(id, READINGS.get(id)!.has(`${code}`) ? (`${code}` as ReadingId<Q>) : otherwise);
  }

  fail(id: RequirementId, failureReport: FailureReport): void {
    const expected = failureReport.expected ?? requirement(id).text;
    this.ledger.fail(
      { ...this.observedFailure(failureReport), requirement: id, expected },
      failureReport.isNotWaivable,
    );
  }

  /** A job's life cannot be. Where something beside it may have done it, what it is laid to is settled at the run's end. */
  failAttributed(
    job: Job,
    attributed: Attribution,
    failureReport: FailureReport,
    proofs: Suspicion['proofs'] = new Map(),
  ): void {
    if (attributed.suspects.length === 0) this.fail(attributed.id, failureReport);
    else
      this.ledger.suspicions.push({
        ...attributed,
        job: job.id,
        failure: this.observedFailure(failureReport),
        proofs,
      });
  }

  /** As it is kept until the end of the run tells what it means. */
  observedFailure({ script, actual, proof, calls, contradiction }: FailureReport): ObservedFailure {
    return {
      script,
      scenario: this.session.scripts.get(script)?.scenario ?? '',
      actual,
      proof: proof ?? (contradiction ? formatContradiction(contradiction) : []),
      calls,
      ...(contradiction ? { contradiction } : {}),
      originMs: this.session.originMs,
    };
  }

  /** Passes or fails the requirement by one call. Words that cost something to make are made when it fails only. */
  check(
    id: RequirementId,
    kept: boolean,
    call: CallEvent,
    actual?: string | ((call: CallEvent) => string),
    why?: () => Contradiction | null,
  ): void {
    if (kept) {
      this.ledger.pass(id);
      return;
    }
    const said = typeof actual === 'function' ? actual(call) : (actual ?? describeCall(call));
    this.fail(id, { script: call.script, actual: said, calls: [call.call], contradiction: why?.() ?? null });
  }

  /** As `check`, but it passes only once one of these is shown. */
  checkGiven(
    needed: readonly Evidence[],
    id: RequirementId,
    kept: boolean,
    call: CallEvent,
    actual?: string | ((call: CallEvent) => string),
    why?: () => Contradiction | null,
  ): void {
    if (kept) this.ledger.passGiven(needed, id);
    else this.check(id, false, call, actual, why);
  }

  has(...needs: readonly (typeof this.session.run.capabilities)[number][]): boolean {
    return needs.every((need) => this.session.run.capabilities.includes(need));
  }

  /** What is known of the job's life, to the end of all observations. */
  explanationsOf(job: Job): Explanations {
    return this.known[job.index]?.explanations ?? NOT_JUDGED;
  }

  /** The same, were it not known when the job was gone: that tells of its end only if it was kept as promised. */
  explanationsWhileThere(job: Job): Explanations {
    return this.known[job.index]?.whileThere() ?? NOT_JUDGED;
  }

  /** Where the job may have been while it was counted by `call`. */
  statesAtCount(job: Job, call: CallEvent): ReadonlySet<JobState> | 'anywhere' {
    return this.known[job.index]?.statesAtCounts.get(call.call) ?? 'anywhere';
  }

  /** The job was created, but on another endpoint that the same scripts use. */
  isElsewhere(id: string): boolean {
    return this.otherEndpoints.some(({ observedJobs }) => jobBy(observedJobs, id) !== undefined);
  }

  /** What a `/retry` call did to the job; `maybe` where that is uncertain. */
  retryEffect(job: Job, call: CallEvent): 'requeued' | 'nothing' | 'maybe' {
    if (answerOf(call) === 'refused') return 'nothing';
    const effect = this.known[job.index]?.requeued.get(call.call);
    return effect === undefined ? 'maybe' : effect ? 'requeued' : 'nothing';
  }

  /** There is a way in which all that was observed of the job can have come about: what follows from that is proven. */
  isExplained(job: Job): boolean {
    return this.explanationsOf(job).kind === 'explained';
  }

  /**
   * What its answers say can be judged by itself: nothing observed of the job contradicts the document, and its calls are known
   * to have reached it and nothing else. That is no proof of its life, which may be unknown.
   */
  isJudgedFurther(job: Job): boolean {
    return job.notJudged === null && this.explanationsOf(job).kind !== 'contradicted';
  }
}
