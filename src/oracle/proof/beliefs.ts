/**
 * What is believed of one job: every state that it may have been in at an instant, and what ruled the others out, by the
 * model and the rules that it was judged by. It decides nothing. Times are in ms from the beginning of the script.
 */
import type { RequirementId } from '../../spec/index.js';
import {
  DOCUMENT_STATES,
  JOB_STATES,
  type DocumentState,
  type Hypothesis,
  type JobState,
} from '../model/hypothesis.js';
import { ENTERED_AT } from '../model/lifecycle/certain-transitions.js';
import { forbidsEarlyDeletion, TIMERS_RUNNING_IN } from '../model/lifecycle/lifecycle.js';
import { byEnd, linearize, type Linearization, type OnStep } from '../model/linearize.js';
import { initialHypotheses, type ObservedJob } from '../model/observed-job.js';
import { obstaclesTo, successors, waysDuring, type JobOperation } from '../model/operations.js';
import { isUninformative } from '../model/pending-call.js';
import { FORBIDDEN_COST, type RuleSet } from '../model/rule-set.js';
import { firesFromMs } from '../model/timer-bounds.js';
import { Tracer, type UnsatisfiedBound } from '../model/tracer.js';
import { TTL_START } from '../model/zone.js';
import type { JobVerdict } from './violation.js';

/** `NOT_YET`: its submission had not arrived. */
type BelievedState = DocumentState | 'NOT_YET';

/** A state that a job may be in. */
export interface Belief {
  readonly state: BelievedState;
  /** It entered the state between these instants. */
  readonly fromMs: number;
  readonly byMs: number;
  /** The timer that brought it there, where only one can have; null: another cause. */
  readonly by: 'ttl' | 'retention' | 'executionTimeout' | null;
  /** The `/retry` since which it is another run, or the `/purge-queue` that removed it. */
  readonly call: number | null;
}

/** A state that it cannot be in. */
export interface RuledOut {
  readonly state: DocumentState;
  /** The call whose answer ruled it out; null: none did, it was never possible or time has ruled it out. */
  readonly call: number | null;
  /** What keeps the job from the state; null: the answer alone, or that no call and no timer has brought it there. */
  readonly requirement: RequirementId | null;
  /** How that applies to this job. */
  readonly why: string | null;
}

/** An answer that no belief allows. */
export interface Unexplained {
  readonly call: number | null;
  /** The requirement that the judge takes for violated, then each other that alone would explain it. */
  readonly suspects: readonly { readonly requirement: RequirementId; readonly why: readonly string[] }[];
}

/** What one call, or one webhook call, did to the beliefs. */
export interface BeliefStep {
  /** Null: a webhook call. */
  readonly call: number | null;
  readonly fromMs: number;
  readonly byMs: number;
  /** At some instant of the call, by all answers before. */
  readonly before: readonly Belief[];
  /** By its answer as well; empty: it contradicts them. */
  readonly after: readonly Belief[];
  readonly ruledOut: readonly RuledOut[];
  readonly contradiction: Unexplained | null;
}

/** What was believed at an instant, by all that had been answered by then. */
export interface Known {
  readonly beliefs: readonly Belief[];
  readonly ruledOut: readonly RuledOut[];
  /** Calls in flight, or without an answer for good, that may have changed the job or not. */
  readonly pending: readonly number[];
  /** Why nothing is believed, or why the judge concludes nothing of it; or null. */
  readonly unknown: string | null;
}

/** How a job was judged. */
interface Judged {
  readonly observed: ObservedJob;
  readonly rules: RuleSet;
  readonly verdict: JobVerdict;
}

/** Of one job, until an answer contradicts all beliefs. */
export class Beliefs {
  readonly steps: { readonly op: JobOperation; readonly told: BeliefStep }[] = [];
  readonly contradiction: Unexplained | null = null;
  readonly #judged: Judged;
  readonly #beganMs: number;

  /** @param beganMs the beginning of the script on the clock of the job */
  constructor(judged: Judged, beganMs: number) {
    this.#judged = judged;
    this.#beganMs = beganMs;
    const found = this.#follow(judged.observed.operations, (op, before, after) => {
      if (op.kind !== 'health') this.steps.push({ op, told: this.#step(op, before, after, null) });
    });
    if (found.kind !== 'contradiction') return;
    this.contradiction = this.#contradiction(found.op);
    this.steps.push({ op: found.op, told: this.#step(found.op, found.before, [], this.contradiction) });
  }

  isContradictedBy(atMs: number, byTick: number): boolean {
    return this.contradiction !== null && hasEnded(this.steps.at(-1)!.op, atMs + this.#beganMs, byTick);
  }

  at(atMs: number, byTick: number): Known {
    const { rules, observed } = this.#judged;
    const ms = atMs + this.#beganMs;
    const ended = observed.operations.filter((op) => hasEnded(op, ms, byTick));
    const open = observed.operations
      .filter((op) => op.fromMs <= ms && (op.sentTick ?? 0) <= byTick && !hasEnded(op, ms, byTick))
      .map(inFlight(ms))
      // What was not recorded, the model itself allows at any time.
      .filter(({ call }) => (call?.call ?? -1) >= 0)
      .filter((op) => !isUninformative(op));
    const pending = open.flatMap(({ call }) => call?.call ?? []);
    const none = { beliefs: [], ruledOut: [], pending, unknown: null };
    const notYet = belief('NOT_YET', 0, 0);
    if (ms < observed.submittedFromMs) return { ...none, beliefs: [notYet] };
    const found = this.#follow([...ended, ...open]);
    if (found.kind === 'undecided') return { ...none, unknown: found.reason };
    if (found.kind === 'contradiction') return { ...none, unknown: 'what follows contradicts it' };
    const now = { fromMs: ms, byMs: ms };
    const seen = seenBy(ended, ms);
    const ways = found.hypotheses.flatMap((at) =>
      isGone(at, seen) ? at : waysDuring(rules, observed.model, at, now),
    );
    const beliefs = this.#beliefs(ways, seen);
    const out = JOB_STATES.filter((state) => !beliefs.some((one) => one.state === DOCUMENT_STATES[state]));
    return {
      ...none,
      beliefs: ms < observed.submittedByMs ? [notYet, ...beliefs] : beliefs,
      ruledOut: out.map((state) => {
        // Of equal ones, that of the belief in which the fewest pending calls have taken effect.
        const known = found.hypotheses.toReversed();
        const obstacles = known.flatMap((at) => obstaclesTo(rules, observed.model, at, state, now));
        return ruledOut(state, this.#ruledOutBy(state, ended, found.hypotheses, ms), obstacles);
      }),
    };
  }

  /** The last answer that concerned the state, if it ruled it out and the job cannot have come there since. */
  #ruledOutBy(
    state: JobState,
    ended: readonly JobOperation[],
    known: readonly Hypothesis[],
    ms: number,
  ): JobOperation | null {
    const { rules, observed } = this.#judged;
    const name = DOCUMENT_STATES[state];
    const last = this.steps.findLast(
      ({ op, told }) =>
        ended.includes(op) && [...told.before, ...told.after].some((one) => one.state === name),
    );
    if (last === undefined || last.told.after.some((one) => one.state === name)) return null;
    const since = { fromMs: last.op.byMs, byMs: ms };
    const ways = known.flatMap((at) => waysDuring(rules, observed.model, at, since));
    return ways.some((at) => at.state === state) ? null : last.op;
  }

  #follow(operations: readonly JobOperation[], step?: OnStep): Linearization {
    const { rules, observed } = this.#judged;
    return linearize(rules, observed.model, initialHypotheses(observed), operations, step);
  }

  #step(
    op: JobOperation,
    before: readonly Hypothesis[],
    after: readonly Hypothesis[],
    contradiction: Unexplained | null,
  ): BeliefStep {
    const { rules, observed } = this.#judged;
    const ways = before.flatMap((at) => waysDuring(rules, observed.model, at, op));
    const earlier = observed.operations.filter((one) => byEnd(one, op) < 0);
    // What the answer does not tell apart is as it was at an earlier one.
    const isUntold = (at: Hypothesis): boolean =>
      op.kind === 'stream' || at.notBeforeMs < op.fromMs || before.includes(at);
    const told = after.flatMap((at) => (isUntold(at) ? waysDuring(rules, observed.model, at, op) : at));
    const left = this.#beliefs(told, seenBy([...earlier, op], op.byMs));
    const lost = JOB_STATES.filter(
      (state) =>
        ways.some((at) => at.state === state) && !left.some((one) => one.state === DOCUMENT_STATES[state]),
    );
    return {
      call: op.call?.call ?? null,
      fromMs: op.fromMs - this.#beganMs,
      byMs: op.byMs - this.#beganMs,
      before: this.#beliefs(ways, seenBy(earlier, op.byMs)),
      after: left,
      ruledOut: lost.map((state) => {
        const tracer = new Tracer();
        const traced = rules.tracedBy(tracer);
        const from = ways.filter((at) => at.state === state);
        const next = from.flatMap((at) => successors(traced, observed.model, at, op));
        // By the answer alone: the call, or a timer before it, took the job from there.
        return ruledOut(state, op, next.length > 0 ? [] : tracer.unsatisfiedBounds);
      }),
      contradiction,
    };
  }

  #contradiction(op: JobOperation): Unexplained {
    const { verdict } = this.#judged;
    const call = op.call?.call ?? null;
    if (verdict.kind !== 'violation') return { call, suspects: [] };
    const { requirement, suspectRules, explains, proofBy } = verdict.violation;
    const suspects = [...new Set([requirement, ...suspectRules.filter(explains)])];
    return { call, suspects: suspects.map((rule) => ({ requirement: rule, why: proofBy(rule).lines })) };
  }

  /** One for each state and cause, with the earliest and the latest entry. */
  #beliefs(hypotheses: readonly Hypothesis[], seen: Seen): readonly Belief[] {
    const found = new Map<string, Belief>();
    for (const at of hypotheses) {
      const one = this.#beliefOf(at, seen);
      const key = `${one.state} ${one.by} ${one.call}`;
      const known = found.get(key) ?? one;
      const fromMs = Math.min(known.fromMs, one.fromMs);
      found.set(key, { ...one, fromMs, byMs: Math.max(known.byMs, one.byMs) });
    }
    return [...found.values()].sort((one, other) => rankOf(one) - rankOf(other));
  }

  #beliefOf(at: Hypothesis, seen: Seen): Belief {
    const { rules, observed } = this.#judged;
    const { state, zone, lastRetry, purgedBy, previousState, deletedBy } = at;
    const name = DOCUMENT_STATES[state];
    const { goneByMs } = seen;
    const toScript = (ms: number): number => Math.min(ms, seen.atMs) - this.#beganMs;
    const instant = ENTERED_AT[state];
    if (instant === null) {
      const timers = TIMERS_RUNNING_IN.get(previousState ?? 'queued')!.filter(
        ({ since, leadsTo }) =>
          leadsTo.includes('deleted') && (since === TTL_START) === (deletedBy === 'ttl'),
      );
      const from = timers.map((timer) => firesFromMs(rules, observed.model, at, timer));
      const by = timers.map(
        (timer) =>
          zone.latest(timer.since) +
          (timer.mostMs(at, observed.model, zone, null) ?? Infinity) +
          rules.graceMax,
      );
      const byMs = toScript(Math.min(goneByMs, ...by));
      const fromMs = Math.min(byMs, toScript(Math.max(at.notBeforeMs, ...from)));
      return belief(name, fromMs, byMs, deletedBy);
    }
    const [fromMs, byMs] = [toScript(zone.earliest(instant)), toScript(zone.latest(instant))];
    const by = state === 'cancelled' && previousState === 'timed-out' ? 'executionTimeout' : null;
    const call = (state === 'purged' ? purgedBy : lastRetry)?.call ?? null;
    return isGone(at, seen)
      ? belief('GONE', fromMs, toScript(goneByMs), by, call)
      : belief(name, fromMs, byMs, by, call);
  }
}

/** What tells when a record was deleted. */
interface Seen {
  readonly atMs: number;
  /** The first read that did not find it, of those since which none has; else the instant itself. */
  readonly goneByMs: number;
  readonly isNotFound: boolean;
}

function seenBy(ended: readonly JobOperation[], atMs: number): Seen {
  const reads = ended.filter(
    ({ kind, code, observed }) => kind === 'status' && (code === 404 || observed !== null),
  );
  const [first] = reads.slice(reads.findLastIndex(({ code }) => code !== 404) + 1);
  return { atMs, goneByMs: first?.byMs ?? atMs, isNotFound: first !== undefined };
}

/** How long a cancelled or purged job can be read is open: the model keeps it there when it is not found any more. */
const isGone = ({ state }: Hypothesis, { isNotFound }: Seen): boolean =>
  isNotFound && (state === 'cancelled' || state === 'purged' || state === 'deleted');

const NAMES = JOB_STATES.map((state): BelievedState => DOCUMENT_STATES[state]);
const rankOf = ({ state }: Belief): number => NAMES.indexOf(state);

const belief = (
  state: BelievedState,
  fromMs: number,
  byMs: number,
  by: Belief['by'] = null,
  call: number | null = null,
): Belief => ({ state, fromMs, byMs, by, call });

/** The same call as far as it is known then: it may have taken effect, or not. */
const inFlight =
  (ms: number) =>
  (op: JobOperation): JobOperation => ({
    ...op,
    byMs: ms,
    endedTick: null,
    answer: 'unknown',
    code: 0,
    observed: null,
  });

const hasEnded = ({ byMs, endedTick }: JobOperation, ms: number, byTick: number): boolean =>
  byMs <= ms && (endedTick ?? 0) <= byTick;

/** By the obstacle that is exceeded least; of a deletion, of those that forbid it. */
function ruledOut(
  state: JobState,
  op: JobOperation | null,
  obstacles: readonly UnsatisfiedBound[],
): RuledOut {
  const direct = obstacles.filter(({ rule }) => state === 'deleted' && forbidsEarlyDeletion(rule));
  const [nearest] = (direct.length > 0 ? direct : obstacles).toSorted(
    (left, right) => left.overMs - right.overMs,
  );
  // Nothing but a call, or a timer, takes a job there: that there was none is the whole reason.
  const isUncaused =
    (state === 'cancelled' || state === 'purged') && (nearest?.overMs ?? 0) >= FORBIDDEN_COST;
  return {
    state: DOCUMENT_STATES[state],
    call: op?.call?.call ?? null,
    requirement: isUncaused ? null : (nearest?.rule ?? null),
    why: isUncaused ? null : (nearest?.proof[0] ?? null),
  };
}
