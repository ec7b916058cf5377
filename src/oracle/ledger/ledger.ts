/** Counts, per requirement, how often it was decided, and collects the breaches; per open question, the readings seen. */
import type { CallEvent } from '../../history/events.js';
import { requirement, type QuestionId, type ReadingId, type RequirementId } from '../../spec/index.js';
import type { Failure } from './findings.js';
import type {
  ChangedValue,
  ConcurrencyObservations,
  ObservedFailure,
  Outcomes,
  Refusal,
  Suspicion,
  WrongCount,
} from './unsettled.js';
import { Lateness, type Timer } from './lateness.js';
import type { Session } from '../observed/session.js';
import { getOrMake } from '../jobs/call-index.js';
import { whyInconclusive, type Evidence } from '../jobs/evidence.js';

/** Failures kept per requirement, unless more are asked for; further ones are only counted. */
const FAILURES_KEPT_MAX = 20;

export interface Entry {
  decided: number;
  failed: number;
  readonly failures: Failure[];
  /** One of them at least is explained by no reading of an open question, whatever the requirement yields to. */
  isNotWaivable: boolean;
  /** Why observations that came near could not decide it. */
  readonly inconclusiveReasons: Map<string, number>;
}

export const newEntry = (): Entry => ({
  decided: 0,
  failed: 0,
  failures: [],
  isNotWaivable: false,
  inconclusiveReasons: new Map(),
});

interface Withheld {
  /** The first names it: one requirement is not withheld for two reasons that begin alike. */
  readonly needed: readonly Evidence[];
  times: number;
}

interface SuccessTally {
  ok: number;
  all: number;
  readonly first: CallEvent;
  readonly scenario: string;
  readonly originMs: number;
}

export class Ledger {
  readonly entries = new Map<RequirementId, Entry>();

  readonly readings = new Map<QuestionId, Map<string, { times: number }>>();
  /** Where each reading, as `question=reading`, was seen first. */
  readonly readFirstIn = new Map<string, string>();
  /** What is being judged, for people. */
  scenario = '';
  readonly lateness = new Map<Timer, Lateness>();
  readonly warnings = new Map<string, number>();
  /** How proper calls of an operation were answered. */
  readonly successes = new Map<string, SuccessTally>();
  /** What became of calls, by method and operation. */
  readonly outcomes = new Map<string, Outcomes>();
  /** By what they hold, and where. */
  readonly refusals = new Map<string, Refusal>();
  /** By what they break and what may explain them. */
  readonly wrongCounts = new Map<string, WrongCount>();
  /** In the order in which they were found. */
  readonly suspicions: Suspicion[] = [];

  /** What has been seen of the column Concurrency (section 8). */
  readonly concurrency: ConcurrencyObservations = {
    enforced: false,
    fromHeaders: false,
    accepted: [],
    refused: [],
    byOthers: [],
  };
  /** Calls answered with errors, beyond the rate; `seen` null: workers may have raised the limit. */
  readonly errorsBeyondRate: { readonly id: RequirementId; readonly seen: ObservedFailure | null }[] = [];
  /** Results that are not what they were. */
  readonly changedValues: ChangedValue[] = [];
  /** A webhook was called, at whatever address. */
  webhookCame = false;
  /** An address within a private network at which a call was waited for in vain. */
  silentPrivateUrl: string | null = null;
  /** A job was said to have waited or run for longer than there was one, if in milliseconds. */
  timesAreFine = false;
  /** Their lives contradicted the document, so that the layers above had nothing to go by. */
  jobsNotJudgedFurther = 0;
  /** Nobody answered any more when scripts were still to be played. */
  targetGone = false;
  /** What the target has been seen to do. */
  private readonly evidence = new Set<Evidence>();
  /** Kept by answers that count only once one of these is shown. */
  private readonly withheld = new Map<RequirementId, Map<Evidence, Withheld>>();
  private readonly failuresMax: number;

  constructor(failuresMax = FAILURES_KEPT_MAX) {
    this.failuresMax = failuresMax;
  }

  /** The requirement was put to the test and kept. */
  pass(id: RequirementId): void {
    this.entry(id).decided += 1;
  }

  addEvidence(...shown: readonly Evidence[]): void {
    for (const one of shown) this.evidence.add(one);
  }

  /** It was kept, if one of these is shown within the run, before or after: else the answer told nothing of it. */
  passGiven(needed: readonly Evidence[], id: RequirementId): void {
    if (needed.some((one) => this.evidence.has(one))) {
      this.pass(id);
      return;
    }
    const byNeeded = getOrMake(this.withheld, id, () => new Map<Evidence, Withheld>());
    getOrMake(byNeeded, needed[0]!, () => ({ needed: needed, times: 0 })).times += 1;
  }

  /** At the end of the run: counts what was withheld, or says why it is worth nothing. */
  settleWithheld(): void {
    for (const [id, byNeeded] of this.withheld)
      for (const { needed, times } of byNeeded.values())
        if (needed.some((one) => this.evidence.has(one))) this.entry(id).decided += times;
        else this.inconclusive(id, whyInconclusive(needed));
    this.withheld.clear();
  }

  fail(failure: Failure & { readonly requirement: RequirementId }, isNotWaivable = false): void {
    const entry = this.entry(failure.requirement);
    entry.isNotWaivable ||= isNotWaivable;
    entry.decided += 1;
    entry.failed += 1;
    if (entry.failures.length < this.failuresMax) entry.failures.push(failure);
  }

  hasFailed(id: RequirementId): boolean {
    return (this.entries.get(id)?.failed ?? 0) > 0;
  }

  /** It failed so often; the first failures are known. */
  failTimes(id: RequirementId, failures: readonly ObservedFailure[], times: number): void {
    const expected = requirement(id).text;
    for (let told = 0; told < times; told += 1)
      this.fail({ ...(failures[told] ?? failures[0]!), requirement: id, expected });
  }

  /** An observation touched the requirement and could not decide it, for this reason. */
  inconclusive(id: RequirementId, reason: string): void {
    const { inconclusiveReasons } = this.entry(id);
    inconclusiveReasons.set(reason, (inconclusiveReasons.get(reason) ?? 0) + 1);
  }

  /** An open question was answered so. */
  observe<Q extends QuestionId>(id: Q, reading: ReadingId<Q>): void {
    const counts = getOrMake(this.readings, id, () => new Map<string, { times: number }>());
    if (!counts.has(reading)) this.readFirstIn.set(`${id}=${reading}`, this.scenario);
    getOrMake(counts, reading, () => ({ times: 0 })).times += 1;
  }

  /** The timer was seen to strike at least this late, and, where that is known, at most so late. */
  late(timer: Timer, atLeastMs: number, atMostMs: number | null): void {
    getOrMake(this.lateness, timer, () => new Lateness()).add(atLeastMs, atMostMs);
  }

  refuse(features: readonly RequirementId[], seen: ObservedFailure): void {
    const key = `${seen.scenario} ${features.join(' ')}`;
    this.keep(
      getOrMake(this.refusals, key, () => ({ features, failures: [], times: 0 })),
      seen,
    );
  }

  miscount(
    count: RequirementId,
    suspects: readonly RequirementId[],
    restsOn: readonly RequirementId[],
    seen: ObservedFailure,
  ): void {
    const key = `${count} ${suspects.join(' ')} | ${restsOn.join(' ')}`;
    this.keep(
      getOrMake(this.wrongCounts, key, () => ({ count, suspects, restsOn, failures: [], times: 0 })),
      seen,
    );
  }

  private keep(alike: Refusal | WrongCount, seen: ObservedFailure): void {
    alike.times += 1;
    if (alike.failures.length < this.failuresMax) alike.failures.push(seen);
  }

  tally(op: string, ok: boolean, call: CallEvent, { scripts, originMs }: Session): void {
    const scenario = scripts.get(call.script)?.scenario ?? '';
    const successes = getOrMake(this.successes, op, () => ({
      ok: 0,
      all: 0,
      first: call,
      scenario,
      originMs,
    }));
    successes.all += 1;
    if (ok) successes.ok += 1;
  }

  warn(text: string): void {
    this.warnings.set(text, (this.warnings.get(text) ?? 0) + 1);
  }

  private entry(id: RequirementId): Entry {
    return getOrMake(this.entries, id, newEntry);
  }
}
