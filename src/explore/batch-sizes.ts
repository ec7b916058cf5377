/** Which runs of an exploration are played in which batch. Runs and batches are numbered over all shards. */

/** Runs of a batch, save the first ones. */
export const RUNS_PER_BATCH = 32;
/**
 * Many faults show in the first ten runs, and are found as soon if batches are small. Later ones are larger, since
 * each has an endpoint of its own and is judged by itself.
 */
const RUNS_PER_FIRST_BATCH = 8;
const FIRST_BATCHES = 16;
const RUNS_IN_FIRST_BATCHES = RUNS_PER_FIRST_BATCH * FIRST_BATCHES;

/** Number of the first run of a batch. */
export function firstRunOf(batch: number): number {
  return batch < FIRST_BATCHES
    ? batch * RUNS_PER_FIRST_BATCH
    : RUNS_IN_FIRST_BATCHES + (batch - FIRST_BATCHES) * RUNS_PER_BATCH;
}

/** Number of the batch that plays a run. */
export function batchOf(run: number): number {
  return run < RUNS_IN_FIRST_BATCHES
    ? Math.floor(run / RUNS_PER_FIRST_BATCH)
    : FIRST_BATCHES + Math.floor((run - RUNS_IN_FIRST_BATCHES) / RUNS_PER_BATCH);
}

/** Number of batches of an exploration with so many runs, of which the last may be shorter. */
export function batchesFor(runs: number): number {
  return runs === 0 ? 0 : batchOf(runs - 1) + 1;
}
