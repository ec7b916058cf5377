/**
 * Several recorders have several clocks. By how much they differ is not recorded: what several files say of one job bounds it, and
 * the times of all but one of them are widened by what is left.
 */
import type { JobStatus } from '../spec/index.js';
import { answerOf, replyIn } from '../history/exchange.js';
import type { Interval } from './instants.js';
import { isAnsweredByEndpoint, jobIn, submittedJobOf, type Call } from './calls.js';

/** What one file tells of a job, ms of its own clock. */
interface Sight {
  readonly file: number;
  /** It was submitted then or later. */
  submittedFromMs: number;
  /** Its id was known by then. */
  namedByMs: number;
  /** By stage: it had come so far by then, and had come no further then. */
  readonly reachedByMs: Stages;
  readonly stayedFromMs: Stages;
}

/** A job in a later stage is never again in an earlier one: after a failure it may be, by a retry. */
const STAGES: { readonly [status in JobStatus]?: number } = {
  IN_QUEUE: 0,
  IN_PROGRESS: 0,
  COMPLETED: 1,
  CANCELLED: 1,
};
const GONE = 2;
type Stages = [waitsOrRuns: number, over: number, gone: number];

/** What has to be added to the times of one file, to have them by the clock of another; in order of the files. */
interface Pair {
  readonly files: readonly [number, number];
  /** By what cannot be otherwise: no client asks for a job before it is submitted. */
  readonly known: Interval;
  /** By what cannot be otherwise if the service is right. */
  readonly seeming: Interval;
}

const ANY: Interval = { fromMs: -Infinity, byMs: Infinity };

/** Which clock seems to be behind another one, and by how much. */
export interface SkewFound extends Interval {
  readonly files: readonly [number, number];
}

export class Clocks {
  readonly #jobs = new Map<string, Sight[]>();
  readonly #skews = new Map<string, SkewFound>();
  /** A purge concerns the jobs of all files. */
  #hasPurge = false;
  /** Between any two files. */
  #widest: Interval = { fromMs: 0, byMs: 0 };

  see(call: Call, file: number): void {
    this.#hasPurge ||= call.names.operation === 'purge-queue';
    const id = jobIn(call);
    if (id === null) return;
    const sights = this.#jobs.get(id) ?? [];
    this.#jobs.set(id, sights);
    let sight = sights.find((one) => one.file === file);
    if (sight === undefined) {
      sight = {
        ...{ file, submittedFromMs: Infinity, namedByMs: Infinity },
        reachedByMs: [Infinity, Infinity, Infinity],
        stayedFromMs: [-Infinity, -Infinity, -Infinity],
      };
      sights.push(sight);
    }
    const { fromMs, byMs } = call;
    if (submittedJobOf(call) !== null) sight.submittedFromMs = Math.min(sight.submittedFromMs, fromMs);
    if (byMs === null) return;
    sight.namedByMs = Math.min(sight.namedByMs, byMs);
    const stage = stageIn(call);
    if (stage === undefined) return;
    sight.reachedByMs[stage] = Math.min(sight.reachedByMs[stage]!, byMs);
    sight.stayedFromMs[stage] = Math.max(sight.stayedFromMs[stage]!, fromMs);
  }

  /**
   * Settles by how much the clocks may differ. Only jobs in several files are kept.
   *
   * @param statedMs at most by so much, as the user says; null: not said
   * @param defaultMs by so much if nothing is known
   */
  settle(statedMs: number | null, defaultMs: number): void {
    const pairs = new Map<string, Pair>();
    for (const [id, sights] of this.#jobs) {
      if (sights.length === 1) this.#jobs.delete(id);
      else
        for (const pair of pairsOf(sights))
          pairs.set(keyOf(pair.files), both(pair, pairs.get(keyOf(pair.files))));
    }
    const skewMs = statedMs ?? defaultMs;
    if (this.#hasPurge) this.#widest = { fromMs: -skewMs, byMs: skewMs };
    for (const [key, pair] of pairs) {
      const skew = skewOf(pair, skewMs, statedMs === null);
      this.#skews.set(key, { ...skew, files: pair.files });
      this.#widest = {
        fromMs: Math.min(this.#widest.fromMs, skew.fromMs),
        byMs: Math.max(this.#widest.byMs, skew.byMs),
      };
    }
  }

  /** Of files that have jobs in common. */
  get skews(): readonly SkewFound[] {
    return [...this.#skews.values()];
  }

  /** By how much the clocks of two files may differ at most, ms. */
  get mostMs(): number {
    return Math.max(-this.#widest.fromMs, this.#widest.byMs);
  }

  /** How much longer a call may seem than it was, ms. */
  get widestMs(): number {
    return this.#widest.byMs - this.#widest.fromMs;
  }

  /** The call by the clock of the first file that has its job. */
  byOneClock<One extends Call>(call: One, file: number): One {
    const skew = call.names.operation === 'purge-queue' ? this.#widest : this.#skewOf(jobIn(call), file);
    if (skew === undefined) return call;
    const { fromMs, byMs } = call;
    return { ...call, fromMs: fromMs + skew.fromMs, byMs: byMs === null ? null : byMs + skew.byMs };
  }

  #skewOf(id: string | null, file: number): Interval | undefined {
    const sights = id === null ? undefined : this.#jobs.get(id);
    if (sights === undefined) return undefined;
    const first = Math.min(...sights.map((sight) => sight.file));
    return first === file ? undefined : this.#skews.get(keyOf([first, file]));
  }
}

const keyOf = (files: readonly [number, number]): string => files.join(' ');

function stageIn(call: Call): number | undefined {
  if (call.names.operation === 'status' && answerOf(call)?.status === 404) return GONE;
  if (!isAnsweredByEndpoint(call)) return undefined;
  const { status } = replyIn(call) as { readonly status: JobStatus };
  return STAGES[status];
}

/** Of each two files that tell of one job. */
function pairsOf(sights: readonly Sight[]): readonly Pair[] {
  const inOrder = sights.toSorted((left, right) => left.file - right.file);
  return inOrder.flatMap((first, index) =>
    inOrder.slice(index + 1).map((second) => ({
      files: [first.file, second.file] as const,
      known: {
        fromMs: first.submittedFromMs === Infinity ? -Infinity : first.submittedFromMs - second.namedByMs,
        byMs: second.submittedFromMs === Infinity ? Infinity : first.namedByMs - second.submittedFromMs,
      },
      seeming: { fromMs: -atMost(second, first), byMs: atMost(first, second) },
    })),
  );
}

/** `later` was at some stage no later than `first` had come further. */
function atMost(first: Sight, later: Sight): number {
  const bounds = [1, GONE].map((stage) => {
    const reachedMs = Math.min(...first.reachedByMs.slice(stage));
    return reachedMs - Math.max(...later.stayedFromMs.slice(0, stage));
  });
  return Math.min(...bounds);
}

function both(
  pair: Pair,
  { known, seeming }: Pick<Pair, 'known' | 'seeming'> = { known: ANY, seeming: ANY },
): Pair {
  return { ...pair, known: overlap(pair.known, known), seeming: overlap(pair.seeming, seeming) };
}

const overlap = (left: Interval, right: Interval): Interval => ({
  fromMs: Math.max(left.fromMs, right.fromMs),
  byMs: Math.min(left.byMs, right.byMs),
});

/** @param mayBeMore the clocks may differ by more than `skewMs` where a service that is right seems to be wrong otherwise */
function skewOf({ known, seeming }: Pair, skewMs: number, mayBeMore: boolean): Interval {
  // A clock was set meanwhile.
  if (known.fromMs > known.byMs) return { fromMs: known.byMs - skewMs, byMs: known.fromMs + skewMs };
  const seems = overlap(seeming, known);
  // What clocks cannot explain is no matter of clocks.
  const isPossible = mayBeMore && seems.fromMs <= seems.byMs;
  const { fromMs, byMs } = isPossible ? seems : ANY;
  return overlap(known, {
    fromMs: Math.min(-skewMs, byMs - skewMs, known.byMs - 2 * skewMs),
    byMs: Math.max(skewMs, fromMs + skewMs, known.fromMs + 2 * skewMs),
  });
}
