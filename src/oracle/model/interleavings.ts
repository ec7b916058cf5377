/**
 * All interleavings of pending calls that can be distinguished, up to the end of one of them: the search
 * for linearization points.
 *
 * Two reductions keep the number of orders small:
 *
 * - Reads (partial-order reduction). A read changes nothing. It is delayed while the job stays in its
 *   state, and is answered before a transition after which it might not be possible any more. Of the reads
 *   that are possible in one state, those that were sent earlier are answered first: if the job was there
 *   for the later ones, it was there for all of them.
 * - Equivalent changes (symmetry reduction). Of equivalent changes, one that was sent and answered earlier
 *   takes effect earlier: to exchange the two would change nothing.
 */
import type { RuleSet } from './rule-set.js';
import { subsumes, type Hypothesis } from './hypothesis.js';
import type { JobModel } from './job-model.js';
import { mayRunAgain } from './lifecycle/silent-transitions.js';
import { isRefusedOtherwise, successors } from './operations.js';
import {
  areEquivalent,
  isCanonicallyFirst,
  isNoLongerAnswerable,
  precedes,
  type PendingCall,
} from './pending-call.js';

/**
 * A configuration, as in Wing and Gong's linearizability checker: a hypothesis, and the pending calls that
 * have already taken effect.
 */
export interface Configuration {
  readonly at: Hypothesis;
  /** Indexes of these calls among the job's operations. */
  readonly done: readonly number[];
}

/** Limits the number of effects that are tried before the next call ends. */
export class EffectBudget {
  private left: number;

  constructor(most: number) {
    this.left = most;
  }

  get isSpent(): boolean {
    return this.left <= 0;
  }

  spend(): void {
    this.left -= 1;
  }
}

/** All that pending calls may have done by the end of one of them. */
export class Interleavings {
  private readonly rules: RuleSet;
  private readonly model: JobModel;
  private readonly ending: PendingCall;
  /** The other pending calls; none of them ends before it. */
  private readonly underWay: readonly PendingCall[];
  /** Some of them may change the job. */
  private readonly mayChange: boolean;
  /** The calls of the history, from this one on, that may requeue the job. */
  private readonly retries: readonly PendingCall[];
  private readonly budget: EffectBudget;
  private readonly visited = new Map<string, Hypothesis[]>();
  private readonly found: Configuration[] = [];

  constructor(
    rules: RuleSet,
    model: JobModel,
    ending: PendingCall,
    underWay: readonly PendingCall[],
    retries: readonly PendingCall[],
    budget: EffectBudget,
  ) {
    this.rules = rules;
    this.model = model;
    this.ending = ending;
    this.underWay = underWay;
    this.mayChange = underWay.some(({ answerableIn }) => answerableIn === null);
    this.retries = retries;
    this.budget = budget;
  }

  /**
   * All configurations in which the call that ends has taken effect, after any of the other pending calls.
   */
  completed(configurations: readonly Configuration[]): readonly Configuration[] {
    for (const configuration of configurations) {
      if (configuration.done.includes(this.ending.index)) this.found.push(this.over(configuration));
      else this.visit(configuration);
    }
    const { found } = this;
    if (found.length < 2) return found;
    const possible = found.filter((configuration) => !this.isDoomed(configuration));
    // If none is left, the answer that contradicts them all is the one to report.
    return possible.length > 0 ? possible : found;
  }

  private over({ at, done }: Configuration): Configuration {
    return { at, done: done.length === 1 ? NONE : done.filter((index) => index !== this.ending.index) };
  }

  private visit(configuration: Configuration): void {
    if (this.budget.isSpent) return;
    const { ending } = this;
    let stays = false;
    for (const next of this.taken(configuration, ending)) {
      stays ||= ending.answerableIn !== null && isSameVisit(configuration.at, next.at);
      this.found.push(this.over(next));
    }
    // A read that is possible in the current state need not be tried later. (A refused retry depends on the
    // state in which it is refused.)
    const waits = !stays || ending.op.kind === 'retry' || this.mayComeBack(configuration, ending);
    if ((!waits && !this.mayChange) || this.isVisited(configuration)) return;
    for (const call of this.nextOf(configuration)) {
      if (call.answerableIn !== null && !waits) continue;
      for (const next of this.taken(configuration, call)) if (!this.isLost(next, ending)) this.visit(next);
    }
  }

  private isVisited({ at, done }: Configuration): boolean {
    const key = done.join();
    const known = this.visited.get(key);
    if (known === undefined) this.visited.set(key, [at]);
    else if (known.some((other) => subsumes(other, at))) return true;
    else known.push(at);
    return false;
  }

  /** The pending calls that may take effect next; of equivalent ones only the first. */
  private nextOf({ done }: Configuration): readonly PendingCall[] {
    const open = [this.ending, ...this.underWay].filter(({ index }) => !done.includes(index));
    return open.filter(
      (one) =>
        one !== this.ending &&
        !open.some((other) => other !== one && isCanonicallyFirst(other, one) && areEquivalent(other, one)),
    );
  }

  /**
   * The configurations after the call takes effect. A call that can wait is taken only if it changes
   * something.
   */
  private taken(configuration: Configuration, call: PendingCall): Configuration[] {
    const found: Configuration[] = [];
    const mayWait = call !== this.ending && (call.answerableIn !== null || call.isLost);
    let results = this.after(configuration, call);
    if (mayWait) results = results.filter((at) => hasChanged(configuration.at, at, call));
    for (const [index, at] of results.entries()) {
      // Once for all results with the same state.
      if (results.findIndex((one) => isSame(one, at)) < index) continue;
      const reads = this.leftBehind(configuration, at, call);
      if (reads.length === 0) {
        const done = withOne(configuration.done, call);
        for (const one of results) if (isSame(one, at)) found.push({ at: one, done });
        continue;
      }
      for (const way of this.answered(configuration, reads, { at, done: withOne(configuration.done, call) }))
        for (const one of way === configuration ? results : this.after(way, call))
          if (isSame(one, at)) found.push({ at: one, done: withOne(way.done, call) });
    }
    return found;
  }

  private after({ at }: Configuration, call: PendingCall): readonly Hypothesis[] {
    this.budget.spend();
    if (this.budget.isSpent) return [];
    const { byMs } = this.ending.op;
    // Whatever took effect before the call that ends did so by its end, however long its own answer took.
    const op = call.op.byMs > byMs ? { ...call.op, byMs } : call.op;
    return successors(this.rules, this.model, at, op);
  }

  /**
   * Reads that are possible before this transition but may not be, or may return something else, after it.
   * In order of sending.
   */
  private leftBehind(
    { at: from, done }: Configuration,
    to: Hypothesis,
    call: PendingCall,
  ): readonly PendingCall[] {
    if (!hasChanged(from, to, call)) return [];
    const changes = from.runs !== to.runs || from.retries !== to.retries || call.op.ttlMs !== null;
    const reads = this.underWay.filter(
      ({ index, op, answerableIn }) =>
        answerableIn !== null &&
        index !== call.index &&
        answerableIn.includes(from.state) &&
        (changes || !answerableIn.includes(to.state) || (to.state === 'deleted' && isRefusedOtherwise(op))) &&
        !done.includes(index),
    );
    return reads.sort((left, right) => left.op.fromMs - right.op.fromMs || left.index - right.index);
  }

  /** The ways to answer some of these reads, or none, before the transition. */
  private answered(
    configuration: Configuration,
    reads: readonly PendingCall[],
    to: Configuration,
  ): readonly Configuration[] {
    // Reported times may be consistent with one visit to the state and not with another.
    const apart =
      configuration.at.state === 'completed' ||
      configuration.at.state === 'failed' ||
      configuration.at.state === 'timed-out';
    if (!apart) return this.upToSome(configuration, reads, to);
    let ways: readonly Configuration[] = [configuration];
    for (const read of reads) {
      const alike = reads.filter((other) => areEquivalent(other, read));
      if (alike[0] === read) ways = ways.flatMap((way) => this.upToSome(way, alike, to));
    }
    return ways;
  }

  /**
   * With the first read answered, with the first two, and so on. Without them only if they can still be
   * answered later.
   */
  private upToSome(
    configuration: Configuration,
    reads: readonly PendingCall[],
    to: Configuration,
  ): readonly Configuration[] {
    let fewer: readonly Configuration[] = [];
    let ways: readonly Configuration[] = [configuration];
    for (const read of reads) {
      const more = ways.flatMap((way) =>
        this.after(way, read)
          .filter((at) => isSame(way.at, at))
          .map((at): Configuration => ({ at, done: withOne(way.done, read) })),
      );
      if (more.length === 0) continue;
      const changesNothing = ways.every((way) => more.some(({ at }) => subsumes(at, way.at)));
      if (this.isLost(to, read)) fewer = [];
      else if (!changesNothing) fewer = [...fewer, ...ways];
      ways = more;
    }
    return [...fewer, ...ways];
  }

  /** The read cannot be answered any more. */
  private isLost(configuration: Configuration, read: PendingCall): boolean {
    return isNoLongerAnswerable(read, configuration.at) && !this.mayComeBack(configuration, read);
  }

  private isDoomed(configuration: Configuration): boolean {
    return this.underWay.some(
      (read) => !configuration.done.includes(read.index) && this.isLost(configuration, read),
    );
  }

  /** The job may return to an earlier state before the read is over. */
  private mayComeBack({ at, done }: Configuration, { op }: PendingCall): boolean {
    if (this.rules.allowsForbiddenTransitions || mayRunAgain(this.model, at)) return true;
    return this.retries.some(
      ({ index, op: retry }) => !done.includes(index) && index >= this.ending.index && !precedes(op, retry),
    );
  }
}

const NONE: readonly number[] = [];

function withOne(done: readonly number[], { index }: PendingCall): readonly number[] {
  return done.length === 0 ? [index] : [...done, index].sort((left, right) => left - right);
}

/** More has changed than what is known: the job made a transition, or was given another lifespan. */
function hasChanged(from: Hypothesis, to: Hypothesis, { op }: PendingCall): boolean {
  return op.ttlMs === null ? !isSame(from, to) : from !== to;
}

function isSame(left: Hypothesis, right: Hypothesis): boolean {
  return isSameVisit(left, right) && left.policy === right.policy;
}

function isSameVisit(left: Hypothesis, right: Hypothesis): boolean {
  return left.state === right.state && left.runs === right.runs && left.retries === right.retries;
}
