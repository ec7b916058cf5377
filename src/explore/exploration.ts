import { batchTask, type BatchResult, type BatchTask } from './batch.js';
import { batchesFor } from './batch-sizes.js';
import {
  EMPTY_TALLY,
  mergedTally,
  summaryOf,
  tallyOf,
  type ExplorationSummary,
  type Tally,
} from './tally.js';

export interface ExplorationOptions {
  /** A safe integer, 0 or more. */
  readonly seed: number;
  /** Number of runs over all shards. */
  readonly runs: number;
  /** Part `index` (from 1) of `count` parts. */
  readonly shard?: { readonly index: number; readonly count: number };
}

/** More would be millions of runs that are all steered by what was covered before them. */
const BATCHES_IN_ROUND_MAX = 65_536;

/**
 * Number of batches of the round that begins after `done` batches. A round waits for all its batches, so that
 * coverage steers the next one identically on any number of cores and machines. Rounds are short at first,
 * when coverage changes much, and grow with what was played, so that many machines have work.
 */
export function batchesInRound(done: number): number {
  return done < 16 ? done + 1 : Math.min(BATCHES_IN_ROUND_MAX, Math.max(16, done >> 3));
}

/** Hands out batches round by round and merges their results. */
export class Exploration {
  private readonly options: ExplorationOptions;
  private tally: Tally = EMPTY_TALLY;
  /** Number of the next batch of this shard. */
  private next = 0;

  constructor(options: ExplorationOptions) {
    this.options = options;
  }

  /** The next batches; empty when all were handed out. The results of a round have to be added first. */
  nextRound(): readonly BatchTask[] {
    const { runs, shard = { index: 1, count: 1 } } = this.options;
    const tasks: BatchTask[] = [];
    for (let left = batchesInRound(this.next); left > 0; left -= 1) {
      const batch = this.next * shard.count + shard.index - 1;
      if (batch >= batchesFor(runs)) break;
      tasks.push(batchTask(this.options, batch, this.tally.coverage));
      this.next += 1;
    }
    return tasks;
  }

  /** A batch must be taken once only. */
  take(result: BatchResult): void {
    this.tally = mergedTally([this.tally, tallyOf(result)]);
  }

  summary(): ExplorationSummary {
    return summaryOf(this.tally);
  }
}
