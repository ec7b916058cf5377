/**
 * The orders in which calls that are under way at once may have taken effect: as few of them as can be told apart.
 *
 * - A read changes nothing. It waits as long as the job stays where it is, and is answered before the job moves on where it
 *   might not find it there any more. Of the reads that find a job at one place, those that were sent earlier are answered
 *   there before those that were sent later: a job that was there for the later ones was there for all of them.
 * - Of changes that are alike, one that was sent and answered earlier takes effect earlier: to exchange two changes nothing.
 */
import type { Context } from './context.js';
import { covers, type Hypothesis } from './hypothesis.js';
import type { Life } from './life.js';
import { mayRunAgain } from './moves.js';
import { after } from './operations.js';
import { areAlike, comesFirst, isTooLate, precedes, type Pending } from './pending.js';

/** One way in which everything up to the end of some call can have come about. */
export interface World {
  readonly at: Hypothesis;
  /** Calls under way that have taken effect already: their places among the operations. */
  readonly done: readonly number[];
}

/** How many calls may be brought to their effects until the next one ends: more are not worth their price. */
export class Budget {
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
export class Orders {
  private readonly ctx: Context;
  private readonly life: Life;
  private readonly ending: Pending;
  /** The others, none of which ends before it. */
  private readonly underWay: readonly Pending[];
  /** Some of them may change the job. */
  private readonly mayChange: boolean;
  /** Those of the whole history, from this end on, that may requeue the job. */
  private readonly retries: readonly Pending[];
  private readonly budget: Budget;
  private readonly visited = new Map<string, Hypothesis[]>();
  private readonly found: World[] = [];

  constructor(
    ctx: Context,
    life: Life,
    ending: Pending,
    underWay: readonly Pending[],
    retries: readonly Pending[],
    budget: Budget,
  ) {
    this.ctx = ctx;
    this.life = life;
    this.ending = ending;
    this.underWay = underWay;
    this.mayChange = underWay.some(({ finds }) => finds === null);
    this.retries = retries;
    this.budget = budget;
  }

  /** Every way to bring the call that ends to its effect, with others under way taking effect before it. */
  completed(worlds: readonly World[]): readonly World[] {
    for (const world of worlds) {
      if (world.done.includes(this.ending.index)) this.found.push(this.over(world));
      else this.visit(world);
    }
    const { found } = this;
    if (found.length < 2) return found;
    const possible = found.filter((world) => !this.isDoomed(world));
    // Where none is left, the answer that contradicts them all is the one to be told.
    return possible.length > 0 ? possible : found;
  }

  private over({ at, done }: World): World {
    return { at, done: done.length === 1 ? NONE : done.filter((index) => index !== this.ending.index) };
  }

  private visit(world: World): void {
    if (this.budget.isSpent) return;
    const { ending } = this;
    let stays = false;
    for (const next of this.taken(world, ending)) {
      stays ||= ending.finds !== null && isSameStay(world.at, next.at);
      this.found.push(this.over(next));
    }
    // What it finds where the job is, it need not look for later. (That a retry was refused counts where the job is then.)
    const waits = !stays || ending.op.kind === 'retry' || this.mayReturn(world, ending);
    if ((!waits && !this.mayChange) || this.isVisited(world)) return;
    for (const call of this.nextOf(world)) {
      if (call.finds !== null && !waits) continue;
      for (const next of this.taken(world, call)) if (!this.isLost(next, ending)) this.visit(next);
    }
  }

  private isVisited({ at, done }: World): boolean {
    const key = done.join();
    const known = this.visited.get(key);
    if (known === undefined) this.visited.set(key, [at]);
    else if (known.some((other) => covers(other, at))) return true;
    else known.push(at);
    return false;
  }

  /** The calls that may be the next to take effect: of those that are alike the first. */
  private nextOf({ done }: World): readonly Pending[] {
    const open = [this.ending, ...this.underWay].filter(({ index }) => !done.includes(index));
    return open.filter(
      (one) =>
        one !== this.ending &&
        !open.some((other) => other !== one && comesFirst(other, one) && areAlike(other, one)),
    );
  }

  /** What may be true once the call has taken effect; of calls that need not come now, only if they changed anything. */
  private taken(world: World, call: Pending): World[] {
    const found: World[] = [];
    const mayWait = call !== this.ending && (call.finds !== null || call.isLost);
    let results = this.after(world, call);
    if (mayWait) results = results.filter((at) => hasChanged(world.at, at, call));
    for (const [index, at] of results.entries()) {
      // Once for all that lead to the same place.
      if (results.findIndex((one) => isSame(one, at)) < index) continue;
      const reads = this.leftBehind(world, at, call);
      if (reads.length === 0) {
        const done = withOne(world.done, call);
        for (const one of results) if (isSame(one, at)) found.push({ at: one, done });
        continue;
      }
      for (const way of this.answered(world, reads, { at, done: withOne(world.done, call) }))
        for (const one of way === world ? results : this.after(way, call))
          if (isSame(one, at)) found.push({ at: one, done: withOne(way.done, call) });
    }
    return found;
  }

  private after({ at }: World, call: Pending): readonly Hypothesis[] {
    this.budget.spend();
    if (this.budget.isSpent) return [];
    const { byMs } = this.ending.op;
    // What came before the effect of the call that ends had happened by then, however long its own answer took.
    const op = call.op.byMs > byMs ? { ...call.op, byMs } : call.op;
    return after(this.ctx, this.life, at, op);
  }

  /** Reads that find the job where it is, and may not, or may find something else, where it goes. In order of sending. */
  private leftBehind({ at: from, done }: World, to: Hypothesis, call: Pending): readonly Pending[] {
    if (!hasChanged(from, to, call)) return [];
    const changes = from.runs !== to.runs || from.retries !== to.retries || call.op.ttlMs !== null;
    const reads = this.underWay.filter(
      ({ index, finds }) =>
        finds !== null &&
        index !== call.index &&
        finds.includes(from.place) &&
        (changes || !finds.includes(to.place)) &&
        !done.includes(index),
    );
    return reads.sort((left, right) => left.op.fromMs - right.op.fromMs || left.index - right.index);
  }

  /** The ways to answer some of the reads, or none, before the job moves on. */
  private answered(world: World, reads: readonly Pending[], to: World): readonly World[] {
    // What is told of times may fit one stay and not another.
    const apart =
      world.at.place === 'completed' || world.at.place === 'failed' || world.at.place === 'timed-out';
    if (!apart) return this.upToSome(world, reads, to);
    let ways: readonly World[] = [world];
    for (const read of reads) {
      const alike = reads.filter((other) => areAlike(other, read));
      if (alike[0] === read) ways = ways.flatMap((way) => this.upToSome(way, alike, to));
    }
    return ways;
  }

  /** With the first of the reads answered, with the first two, and so on; without them only where they can still be answered later. */
  private upToSome(world: World, reads: readonly Pending[], to: World): readonly World[] {
    let fewer: readonly World[] = [];
    let ways: readonly World[] = [world];
    for (const read of reads) {
      const more = ways.flatMap((way) =>
        this.after(way, read)
          .filter((at) => isSame(way.at, at))
          .map((at): World => ({ at, done: withOne(way.done, read) })),
      );
      if (more.length === 0) continue;
      const changesNothing = ways.every((way) => more.some(({ at }) => covers(at, way.at)));
      if (this.isLost(to, read)) fewer = [];
      else if (!changesNothing) fewer = [...fewer, ...ways];
      ways = more;
    }
    return [...fewer, ...ways];
  }

  /** The read cannot find the job any more. */
  private isLost(world: World, read: Pending): boolean {
    return isTooLate(read, world.at) && !this.mayReturn(world, read);
  }

  private isDoomed(world: World): boolean {
    return this.underWay.some((read) => !world.done.includes(read.index) && this.isLost(world, read));
  }

  /** The job may come back to where it was before the read is over. */
  private mayReturn({ at, done }: World, { op }: Pending): boolean {
    if (this.ctx.hasBarredMoves || mayRunAgain(this.life, at)) return true;
    return this.retries.some(
      ({ index, op: retry }) => !done.includes(index) && index >= this.ending.index && !precedes(op, retry),
    );
  }
}

const NONE: readonly number[] = [];

function withOne(done: readonly number[], { index }: Pending): readonly number[] {
  return done.length === 0 ? [index] : [...done, index].sort((left, right) => left - right);
}

/** More has changed than what is known: the job has moved, or was given another lifespan. */
function hasChanged(from: Hypothesis, to: Hypothesis, { op }: Pending): boolean {
  return op.ttlMs === null ? !isSame(from, to) : from !== to;
}

function isSame(left: Hypothesis, right: Hypothesis): boolean {
  return isSameStay(left, right) && left.terms === right.terms;
}

function isSameStay(left: Hypothesis, right: Hypothesis): boolean {
  return left.place === right.place && left.runs === right.runs && left.retries === right.retries;
}
