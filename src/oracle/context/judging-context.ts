/** What every check is given: a session, its jobs, what is known of them, and the ledger. */
import type { Attribution, ObservedFailure, Suspicion } from '../ledger/unsettled.js';
import type { CallEvent } from '../../history/events.js';
import { missingOf } from '../../spec/capability-words.js';
import { QUESTIONS, type QuestionId, type ReadingId, type RequirementId } from '../../spec/index.js';
import { jobBy, type ObservedJobs, type Job } from '../jobs/observed-jobs.js';
import type { CallIndex } from '../jobs/call-index.js';
import type { ObservedJob } from '../model/observed-job.js';
import { isAboutReportedTimes } from '../model/reported-times.js';
import { instanceOf } from '../observed/instances.js';
import type { Ledger } from '../ledger/ledger.js';
import type { RuleSet } from '../model/rule-set.js';
import type { JobVerdict } from '../proof/violation.js';
import { formatContradiction, type Contradiction, type Later } from '../proof/contradiction.js';
import { describeCall, operationCalled } from '../observed/recorded-call.js';
import { mayBeBeyondLimits } from '../observed/rate-windows.js';
import { isBehindNetwork, type Session } from '../observed/session.js';
import { operationImplemented, type Evidence } from '../jobs/evidence.js';
import type { AnsweredCall } from './answered-call.js';
import type { Life } from './life.js';
import { SENDING_MS } from '../observed/assumptions.js';
import { onItsClock } from '../observed/tolerance.js';

export interface FailureReport {
  readonly script: number;
  readonly actual: string;
  /** Default: the text of the requirement. */
  readonly expected?: string;
  /** Default: the contradiction, formatted. */
  readonly proof?: readonly string[];
  readonly calls: readonly number[];
  readonly contradiction?: Contradiction | null;
  readonly later?: Later | null;
  /** As in `Failure`. */
  readonly or?: readonly RequirementId[];
  /** No reading of an open question explains it, not even one by which the requirement is waived. */
  readonly isNotWaivable?: boolean;
}

const READINGS: ReadonlyMap<QuestionId, ReadonlySet<string>> = new Map(
  QUESTIONS.map(({ id, readings }) => [id, new Set<string>(readings.map((reading) => reading.id))]),
);

/** What was found out about a subject, by the function that did. */
export type Memory = Map<unknown, unknown>;

/** Keeps the result with each subject, since several questions of a section use it. */
export function remembered<S extends { memory: Memory | null }, T>(
  find: (subject: S) => T,
): (subject: S) => T {
  return (subject) => {
    const memory = (subject.memory ??= new Map());
    if (!memory.has(find)) memory.set(find, find(subject));
    return memory.get(find) as T;
  };
}

/** A job, and how it was judged by these rules. */
export interface JudgedJob {
  readonly context: JudgingContext;
  readonly job: Job;
  /** What of it was judged: after a violation, all but the answer that showed it. */
  readonly observed: ObservedJob;
  /** After a violation, without those that may have been violated. */
  readonly rules: RuleSet;
  readonly verdict: JobVerdict;
}

/** Sees each job that is judged, again after each of its violations. It changes nothing. */
export type Watch = (judged: JudgedJob) => void;

export class JudgingContext {
  readonly ledger: Ledger;
  readonly session: Session;
  readonly observedJobs: ObservedJobs;
  /** By the index of the job, once all jobs have been judged. */
  lives: readonly Life[] = [];
  /** The calls of the eight operations that were certainly performed. */
  readonly performed: AnsweredCall[] = [];
  memory: Memory | null = null;
  watch: Watch | undefined = undefined;
  /** The other endpoints that the same scripts use. */
  readonly otherEndpoints: readonly { readonly session: Session; readonly observedJobs: ObservedJobs }[];

  constructor(
    ledger: Ledger,
    session: Session,
    observedJobs: ObservedJobs,
    otherEndpoints: readonly { readonly session: Session; readonly observedJobs: ObservedJobs }[],
  ) {
    this.otherEndpoints = otherEndpoints;
    this.ledger = ledger;
    this.session = session;
    this.observedJobs = observedJobs;
  }

  get jobs(): readonly Job[] {
    return this.observedJobs.jobs;
  }

  get callIndex(): CallIndex {
    return this.observedJobs.callIndex;
  }

  /** Lateness allowed to an event that was due or observed between these instants, ms. */
  graceAt(fromMs: number, byMs = fromMs): number {
    const { run, lags } = this.session;
    return lags.isEmpty ? run.graceMs : run.graceMs + lags.worstBetween(fromMs, byMs);
  }

  /** The same for what follows a call after so long: the harness may also have been held up while it sent the call. */
  graceAfter({ sentMs }: CallEvent, ms: number, byMs: number): number {
    const { lags } = this.session;
    const sentByMs = sentMs + onItsClock(this.session.run, SENDING_MS);
    if (lags.isNear(sentByMs, sentMs + ms)) return this.graceAt(sentMs, byMs);
    return this.graceAt(sentMs + ms, byMs) + lags.worstBetween(sentMs, sentByMs);
  }

  /** Lateness allowed to any event at any time: for reports that fail no requirement. */
  get graceMax(): number {
    return this.graceAt(-Infinity, Infinity);
  }

  pass(...ids: readonly RequirementId[]): void {
    for (const id of ids) this.ledger.pass(id);
  }

  /** As `pass`, but counts only if one of these is proven: alike answers to all calls prove nothing. */
  passGiven(needed: readonly Evidence[], ...ids: readonly RequirementId[]): void {
    for (const id of ids) this.ledger.passGiven(needed, id);
  }

  /** Records a reading of an open question; null: nothing was observed. */
  observe<Q extends QuestionId>(id: Q, reading: ReadingId<Q> | null, call: CallEvent | null = null): void {
    if (reading !== null) this.ledger.observe(id, reading, call);
  }

  /** The same for the reading named after a status code, if there is one; else `otherwise`. */
  observeCode<Q extends QuestionId>(id: Q, call: CallEvent, otherwise: ReadingId<Q> | null = null): void {
    const code = `${call.reply!.status}`;
    this.observe(id, READINGS.get(id)!.has(code) ? (code as ReadingId<Q>) : otherwise, call);
  }

  fail(id: RequirementId, failureReport: FailureReport): void {
    const { expected, isNotWaivable } = failureReport;
    this.ledger.fail(id, this.observedFailure(failureReport), expected, isNotWaivable);
  }

  /** A job without explanation. With suspects, it is attributed at the end of the run. */
  failAttributed(
    job: Job,
    attributed: Attribution,
    failureReport: FailureReport,
    proofs: Suspicion['proofs'] = new Map(),
  ): void {
    const isReadInMs = isAboutReportedTimes(attributed.id) && !this.ledger.timesAreFine;
    if (attributed.suspects.length === 0 && !isReadInMs) this.fail(attributed.id, failureReport);
    else
      this.ledger.suspicions.push({
        ...attributed,
        isReadInMs,
        job: job.id,
        failure: this.observedFailure(failureReport),
        proofs,
      });
  }

  /** A failure as it is kept until the end of the run. */
  observedFailure({
    script,
    actual,
    proof,
    calls,
    contradiction,
    later,
    or,
  }: FailureReport): ObservedFailure {
    return {
      script,
      scenario: this.session.scripts.get(script)?.scenario ?? '',
      actual,
      proof: proof ?? (contradiction ? formatContradiction(contradiction) : []),
      calls,
      ...(contradiction ? { contradiction } : {}),
      ...(later ? { later } : {}),
      ...(or ? { or } : {}),
      originMs: this.session.originMs,
    };
  }

  /** The same of one call. */
  failureOf(
    call: CallEvent,
    actual = describeCall(call),
    contradiction: Contradiction | null = null,
  ): ObservedFailure {
    return this.observedFailure({ script: call.script, actual, calls: [call.call], contradiction });
  }

  /** Passes or fails the requirement by one call. `actual` and `why` are evaluated on failure only. */
  check(
    id: RequirementId,
    satisfied: boolean,
    call: CallEvent,
    actual?: string | ((call: CallEvent) => string),
    why?: () => Contradiction | null,
  ): void {
    if (satisfied) {
      const { about } = this.ledger;
      this.ledger.about = call.call;
      this.ledger.pass(id, null, instanceOf(id, call));
      this.ledger.about = about;
      return;
    }
    const said = typeof actual === 'function' ? actual(call) : (actual ?? describeCall(call));
    this.fail(id, { script: call.script, actual: said, calls: [call.call], contradiction: why?.() ?? null });
  }

  /**
   * A server error came where requirements demand a certain answer, the most specific first. It may have passed by
   * itself: whether the demanded answer ever came shows at the end of the run.
   */
  serverError(ids: readonly RequirementId[], call: CallEvent, say = (): string => describeCall(call)): void {
    // Beyond a limit a refusal is due, if by another code.
    if (mayBeBeyondLimits(this, call)) return;
    this.ledger.answeredWithError(ids, operationImplemented(call.op), this.failureOf(call, say()), {
      operation: operationCalled(call),
      isBehindNetwork: isBehindNetwork(this.session),
      lost: call.reply === null ? 1 : 0,
    });
  }

  has(...needs: readonly (typeof this.session.run.capabilities)[number][]): boolean {
    return missingOf(needs, this.session.run.capabilities).length === 0;
  }

  /** The job was created on another endpoint that the same scripts use. */
  isElsewhere(id: string): boolean {
    return this.otherEndpoints.some(({ observedJobs }) => jobBy(observedJobs, id) !== undefined);
  }

  /** Each life in turn: what passes meanwhile rests on the calls on its job. */
  *eachLife(): Generator<Life> {
    for (const life of this.lives) {
      const { calls, submitted } = life.job;
      this.ledger.about = (calls.at(-1) ?? submitted).call;
      yield life;
    }
    this.ledger.about = null;
  }

  /** The life of the job with this id, if there is one. */
  lifeBy(id: string | null): Life | null {
    const job = jobBy(this, id);
    return job === undefined ? null : this.lives[job.index]!;
  }
}
