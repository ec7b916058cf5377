/** Counts how often each requirement was decided, and collects its violations and the readings of open questions. */
import type { CallEvent } from '../../history/events.js';
import { requirement, type QuestionId, type ReadingId, type RequirementId } from '../../spec/index.js';
import { newEntry, type Entry } from './entry.js';
import type { MissingOperation } from './findings.js';
import type {
  Alike,
  ChangedValue,
  ConcurrencyObservations,
  KeyNotAsked,
  MissedCall,
  ObservedFailure,
  Outcomes,
  Purge,
  Refusal,
  Resting,
  Route,
  Suspicion,
  ServerErrors,
  Successes,
  TalliedCall,
  Unanswered,
  WrongCount,
} from './unsettled.js';
import type { Later } from '../proof/contradiction.js';
import { isTimer, Lateness, type Timer } from './lateness.js';
import { sharper, type Sharpness } from '../observed/tolerance.js';
import { SeenTransitions } from './seen-transitions.js';
import { getOrMake } from '../../util/maps.js';
import { whyInconclusive, type Evidence } from '../jobs/evidence.js';

/** Failures kept per requirement by default; further ones are only counted. */
const FAILURES_KEPT_MAX = 20;
/** Scenarios kept per requirement as those that decided it. */
export const SCENARIOS_KEPT_MAX = 3;

export interface Withheld {
  /** The first one identifies the set: no requirement waits for two sets that begin alike. */
  readonly needed: readonly Evidence[];
  /** Of these cases. */
  readonly instances: Set<string>;
  times: number;
}

export class Ledger {
  readonly entries = new Map<RequirementId, Entry>();
  readonly readings = new Map<QuestionId, Map<string, number>>();
  /** The scenario in which each reading, as `question=reading`, was first observed. */
  readonly readFirstIn = new Map<string, string>();
  /** The number of the call that showed it, by the same; absent where no single call or job did. */
  readonly readFirstBy = new Map<string, number>();
  /** Name of the scenario being judged, for messages. */
  scenario = '';
  readonly lateness = new Map<Timer, Lateness>();
  readonly transitions = new SeenTransitions();
  readonly warnings = new Map<string, number>();
  /** The id of the first job that the warning is about. */
  readonly warnedOf = new Map<string, string>();
  readonly successes = new Map<string, Successes>();
  /** By operation: whether the target has it at all. */
  readonly routes = new Map<string, Route>();
  /** The operations that it does not have. */
  missing: readonly MissingOperation[] = [];
  /** How many calls were answered or lost, by method and operation. */
  readonly outcomes = new Map<string, Outcomes>();
  /** By scenario, features and doubtful input. */
  readonly refusals = new Map<string, Refusal>();
  /** Inputs, as JSON, that an opaque worker is known to accept. */
  readonly acceptedInputs = new Set<string>();
  /** By counter and suspects. */
  readonly wrongCounts = new Map<string, WrongCount>();
  /** Server errors where a certain answer was due, by the requirements that demand it. */
  readonly serverErrors = new Map<string, ServerErrors>();
  readonly suspicions: Suspicion[] = [];
  readonly resting: Resting[] = [];
  readonly mayBeMissing: KeyNotAsked[] = [];
  readonly unanswered: Unanswered[] = [];
  /** By the number of the call. */
  readonly purges = new Map<number, Purge>();

  /** Observations of the column Concurrency (section 8). */
  readonly concurrency: ConcurrencyObservations = {
    enforced: false,
    fromHeaders: false,
    accepted: [],
    refused: [],
    byOthers: [],
  };
  /** Errors for calls beyond the rate limit; `seen` is null if workers may have raised the limit. */
  readonly errorsBeyondRate: { readonly id: RequirementId; readonly seen: ObservedFailure | null }[] = [];
  /** Results that differ from what the worker produced. */
  readonly changedValues: ChangedValue[] = [];
  /** First webhook calls that did not come while the receiver was observed, on the clock of the run. */
  readonly missedCalls: MissedCall[] = [];
  /** When webhooks were being delivered, on the clock of the run. */
  readonly deliveries: { readonly fromMs: number; readonly byMs: number }[] = [];
  /** A webhook call arrived, at whatever address. */
  webhookCame = false;
  /** An address in a private network at which an expected webhook call did not arrive. */
  silentPrivateUrl: string | null = null;
  /** In milliseconds, a reported time would be longer than the job has existed. */
  timesAreFine = false;
  /** Jobs that violated the document, so that later checks could not build on them. */
  jobsNotJudgedFurther = 0;
  /** The target stopped answering before all scripts had run. */
  targetGone = false;
  /** Why then. */
  goneBecause = 'the target stopped answering';
  /** What the target has been proven to do. */
  readonly evidence = new Set<Evidence>();
  /** Passes that count only once one of these is proven. */
  readonly withheld = new Map<RequirementId, Map<Evidence, Withheld>>();
  readonly failuresMax: number;
  /** Is told of each pass, and of the call that `about` names. It changes nothing. */
  onPass: ((id: RequirementId, call: number | null) => void) | null = null;
  /** The last call that what is judged now rests on; null: none, or several. */
  about: number | null = null;

  constructor(failuresMax = FAILURES_KEPT_MAX) {
    this.failuresMax = failuresMax;
  }

  /** The requirement was tested and satisfied. `sharpness`: how small a violation would have shown; `instance`: in which case. */
  pass(id: RequirementId, sharpness: Sharpness | null = null, instance: string | null = null): void {
    const entry = this.entry(id);
    if (instance !== null) (entry.instances ??= new Set()).add(instance);
    const { decidedIn } = entry;
    if (decidedIn.length < SCENARIOS_KEPT_MAX && this.scenario !== '' && !decidedIn.includes(this.scenario))
      decidedIn.push(this.scenario);
    entry.decided += 1;
    entry.sharpest = sharper(entry.sharpest, sharpness);
    this.onPass?.(id, this.about);
  }

  addEvidence(...shown: readonly Evidence[]): void {
    for (const one of shown) this.evidence.add(one);
  }

  /** Counts as a pass if one of these is proven anywhere in the run; otherwise the answer proves nothing. */
  passGiven(needed: readonly Evidence[], id: RequirementId, instance: string | null = null): void {
    if (this.isProven(needed)) {
      this.pass(id, null, instance);
      return;
    }
    const byNeeded = getOrMake(this.withheld, id, () => new Map<Evidence, Withheld>());
    const withheld = getOrMake(byNeeded, needed[0]!, () => ({ needed, instances: new Set(), times: 0 }));
    withheld.times += 1;
    if (instance !== null) withheld.instances.add(instance);
  }

  /** At the end of the run: counts the withheld passes, or records why they prove nothing. */
  settleWithheld(): void {
    for (const [id, byNeeded] of this.withheld)
      for (const { needed, times, instances } of byNeeded.values())
        if (this.isProven(needed)) {
          const entry = this.entry(id);
          entry.decided += times;
          for (const one of instances) (entry.instances ??= new Set()).add(one);
        } else this.inconclusive(id, whyInconclusive(needed));
    this.withheld.clear();
  }

  isProven(needed: readonly Evidence[]): boolean {
    for (const one of needed) if (this.evidence.has(one)) return true;
    return false;
  }

  /** The requirement was violated. `expected`: what it demands there. */
  fail(
    id: RequirementId,
    seen: ObservedFailure,
    expected = requirement(id).text,
    isNotWaivable = false,
  ): void {
    const entry = this.entry(id);
    entry.isNotWaivable ||= isNotWaivable;
    entry.decided += 1;
    entry.failed += 1;
    if (seen.later !== undefined) this.seenLate(entry, seen.later);
    if (entry.failures.length < this.failuresMax) entry.failures.push({ ...seen, requirement: id, expected });
  }

  private seenLate(entry: Entry, later: Later): void {
    if (later.lateMs > (entry.latest?.lateMs ?? -1)) entry.latest = later;
    const { timer, allowedMs, lateMs } = later;
    if (isTimer(timer)) this.late(timer, allowedMs + lateMs, null, allowedMs);
  }

  hasFailed(id: RequirementId): boolean {
    return (this.entries.get(id)?.failed ?? 0) > 0;
  }

  /** Records this many failures; `failures` holds the first of them. */
  failTimes(id: RequirementId, { failures, times }: Pick<Alike, 'failures' | 'times'>): void {
    for (const failure of failures.slice(0, times)) this.fail(id, failure);
    // They are settled at each look, and a service may have failed for weeks.
    const more = Math.max(0, times - failures.length);
    const entry = this.entry(id);
    entry.decided += more;
    entry.failed += more;
  }

  /** At the end of the run: what rests on a requirement that this run shows to be violated fails nothing. */
  settleResting(): void {
    for (const { id, restsOn, failure } of this.resting) {
      const violated = restsOn.find((one) => this.hasFailed(one));
      if (violated === undefined) this.fail(id, failure);
      else this.inconclusive(id, `it may have ended at another time than it should: ${violated} failed`);
    }
  }

  /** So many observations touched the requirement but could not decide it, for this reason. */
  inconclusive(id: RequirementId, reason: string, times = 1): void {
    const { inconclusiveReasons } = this.entry(id);
    inconclusiveReasons.set(reason, (inconclusiveReasons.get(reason) ?? 0) + times);
  }

  /** Records a reading of an open question, and the call that shows it. */
  observe<Q extends QuestionId>(id: Q, reading: ReadingId<Q>, call: CallEvent | null = null): void {
    const counts = getOrMake(this.readings, id, () => new Map<string, number>());
    const known = counts.get(reading) ?? 0;
    if (known === 0) {
      this.readFirstIn.set(`${id}=${reading}`, this.scenario);
      if (call !== null) this.readFirstBy.set(`${id}=${reading}`, call.call);
    }
    counts.set(reading, known + 1);
  }

  /** The timer was at least, and if known at most, this late, and might be `allowedMs` late. */
  late(timer: Timer, atLeastMs: number, atMostMs: number | null, allowedMs: number): void {
    getOrMake(this.lateness, timer, () => new Lateness()).add(atLeastMs, atMostMs, allowedMs);
  }

  refuse(features: readonly RequirementId[], input: string | null, seen: ObservedFailure): void {
    const key = `${seen.scenario} ${features.join(' ')} ${input}`;
    this.keep(this.refusals, key, { features, input }, seen);
  }

  miscount(
    count: RequirementId,
    suspects: readonly RequirementId[],
    restsOn: readonly RequirementId[],
    seen: ObservedFailure,
  ): void {
    const key = `${count} ${suspects.join(' ')} | ${restsOn.join(' ')}`;
    this.keep(this.wrongCounts, key, { count, suspects, restsOn }, seen);
  }

  answeredWithError(
    demandedBy: readonly RequirementId[],
    needed: readonly Evidence[],
    seen: ObservedFailure,
    how: Pick<ServerErrors, 'operation' | 'isBehindNetwork' | 'lost'>,
  ): void {
    const errors = { demandedBy, needed, scripts: new Set<number>(), ...how, lost: 0 };
    const kept = this.keep(this.serverErrors, demandedBy.join(' '), errors, seen);
    kept.lost += how.lost;
    kept.scripts.add(seen.script);
  }

  private keep<What>(
    kinds: Map<string, Alike & What>,
    key: string,
    what: What,
    seen: ObservedFailure,
  ): Alike & What {
    const alike = getOrMake(kinds, key, () => ({ ...what, failures: [], times: 0 }));
    alike.times += 1;
    // One is needed to fail the requirement, even where none is to be shown.
    if (alike.failures.length < Math.max(1, this.failuresMax)) alike.failures.push(seen);
    return alike;
  }

  /** `first`: the call as it would be reported, if it is the first of its operation. */
  tally(op: string, about: TalliedCall, ok: boolean, first: () => ObservedFailure): void {
    const successes = getOrMake(this.successes, op, () => ({ ok: 0, all: [], first: first() }));
    successes.ok += ok ? 1 : 0;
    if (successes.ok === 0) successes.all.push(about);
    else successes.all.length = 0;
  }

  routeOf(op: string): Route {
    return getOrMake(this.routes, op, () => ({
      ...{ isThere: false, first: null, lost: null },
      codes: new Map<number, number>(),
      before: new Set<number>(),
    }));
  }

  warn(text: string, job?: string): void {
    this.warnings.set(text, (this.warnings.get(text) ?? 0) + 1);
    if (job !== undefined) getOrMake(this.warnedOf, text, () => job);
  }

  entry(id: RequirementId): Entry {
    // Each check ends here: nearly always the entry is there.
    return this.entries.get(id) ?? getOrMake(this.entries, id, newEntry);
  }
}
