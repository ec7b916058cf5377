/**
 * The orders in which calls that are under way at once may have taken effect: as few of them as can be told apart.
 *
 * - A read changes nothing. It waits as long as the job stays where it is, and is answered before the job moves on where it
 *   might not find it there any more. Of the reads that find a job at one place, those that were sent earlier are answered
 *   there before those that were sent later: a job that was there for the later ones was there for all of them.
 * - Of changes that are alike, one that was sent and answered earlier takes effect earlier: to exchange two changes nothing.
 */
import type { RuleSet } from './rule-set.js';
import { subsumes, type Hypothesis } from './hypothesis.js';
import type { JobModel } from './job-model.js';
import { mayBeRedispatched } from './silent-transitions.js';
import { successors } from './operations.js';
import {
  areEquivalent,
  isCanonicallyFirst,
  isNoLongerAnswerable,
  precedes,
  type PendingCall,
} from './pending-call.js';

/** One way in which everything up to the end of some call can have come about. */
export interface Configuration {
  readonly at: Hypothesis;
  /** Calls under way that have taken effect already: their places among the operations. */
  readonly done: readonly number[];
}

/** How many calls may be brought to their effects until the next one ends: more are not worth their price. */
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

/** All that calls under way may have done by the end of one of them. */
export class Interleavings {
  private readonly rules: RuleSet;
  private readonly model: JobModel;
  private readonly ending: PendingCall;
  /** The others, none of which ends before it. */
  private readonly underWay: readonly PendingCall[];
  /** Some of them may change the job. */
  private readonly mayChange: boolean;
  /** Those of the whole history, from this end on, that may requeue the job. */
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

  /** Every way to bring the call that ends to its effect, with others under way taking effect before it. */
  completed(configurations: readonly Configuration[]): readonly Configuration[] {
    for (const configuration of configurations) {
      if (configuration.done.includes(this.ending.index)) this.found.push(this.over(configuration));
      else this.visit(configuration);
    }
    const { found } = this;
    if (found.length < 2) return found;
    const possible = found.filter((configuration) => !this.isDoomed(configuration));
    // Where none is left, the answer that contradicts them all is the one to be told.
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
    // What it finds where the job is, it need not look for later. (That a retry was refused counts where the job is then.)
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

  /** The calls that may be the next to take effect: of those that are alike the first. */
  private nextOf({ done }: Configuration): readonly PendingCall[] {
    const open = [this.ending, ...this.underWay].filter(({ index }) => !done.includes(index));
    return open.filter(
      (one) =>
        one !== this.ending &&
        !open.some((other) => other !== one && isCanonicallyFirst(other, one) && areEquivalent(other, one)),
    );
  }

  /** What may be true once the call has taken effect; of calls that need not come now, only if they changed anything. */
  private taken(configuration: Configuration, call: PendingCall): Configuration[] {
    const found: Configuration[] = [];
    const mayWait = call !== this.ending && (call.answerableIn !== null || call.isLost);
    let results = this.after(configuration, call);
    if (mayWait) results = results.filter((at) => hasChanged(configuration.at, at, call));
    for (const [index, at] of results.entries()) {
      // Once for all that lead to the same place.
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
    // What came before the effect of the call that ends had happened by then, however long its own answer took.
    const op = call.op.byMs > byMs ? { ...call.op, byMs } : call.op;
    return successors(this.rules, this.model, at, op);
  }

  /** Reads that find the job where it is, and may not, or may find something else, where it goes. In order of sending. */
  private leftBehind(
    { at: from, done }: Configuration,
    to: Hypothesis,
    call: PendingCall,
  ): readonly PendingCall[] {
    if (!hasChanged(from, to, call)) return [];
    const changes = from.runs !== to.runs || from.retries !== to.retries || call.op.ttlMs !== null;
    const reads = this.underWay.filter(
      ({ index, answerableIn }) =>
        answerableIn !== null &&
        index !== call.index &&
        answerableIn.includes(from.state) &&
        (changes || !answerableIn.includes(to.state)) &&
        !done.includes(index),
    );
    return reads.sort((left, right) => left.op.fromMs - right.op.fromMs || left.index - right.index);
  }

  /** The ways to answer some of the reads, or none, before the job moves on. */
  private answered(
    configuration: Configuration,
    reads: readonly PendingCall[],
    to: Configuration,
  ): readonly Configuration[] {
    // What is told of times may fit one stay and not another.
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

  /** With the first of the reads answered, with the first two, and so on; without them only where they can still be answered later. */
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

  /** The read cannot find the job any more. */
  private isLost(configuration: Configuration, read: PendingCall): boolean {
    return isNoLongerAnswerable(read, configuration.at) && !this.mayComeBack(configuration, read);
  }

  private isDoomed(configuration: Configuration): boolean {
    return this.underWay.some(
      (read) => !configuration.done.includes(read.index) && this.isLost(configuration, read),
    );
  }

  /** The job may come back to where it was before the read is over. */
  private mayComeBack({ at, done }: Configuration, { op }: PendingCall): boolean {
    if (this.rules.allowsForbiddenTransitions || mayBeRedispatched(this.model, at)) return true;
    return this.retries.some(
      ({ index, op: retry }) => !done.includes(index) && index >= this.ending.index && !precedes(op, retry),
    );
  }
}

const NONE: readonly number[] = [];

function withOne(done: readonly number[], { index }: PendingCall): readonly number[] {
  return done.length === 0 ? [index] : [...done, index].sort((left, right) => left - right);
}

/** More has changed than what is known: the job has moved, or was given another lifespan. */
function hasChanged(from: Hypothesis, to: Hypothesis, { op }: PendingCall): boolean {
  return op.ttlMs === null ? !isSame(from, to) : from !== to;
}

function isSame(left: Hypothesis, right: Hypothesis): boolean {
  return isSameVisit(left, right) && left.policy === right.policy;
}

function isSameVisit(left: Hypothesis, right: Hypothesis): boolean {
  return left.state === right.state && left.runs === right.runs && left.retries === right.retries;
}
