/**
 * `explore`: runs random scripts on the simulator, in many environments and legal variants, on every core.
 */
import { setMaxListeners } from 'node:events';
import type { ExitCode } from '../../report/index.js';
import { openPool, type ExplorePool } from '../../exploring/pool.js';
import { createExploreProgress } from './progress.js';
import { proveMutants } from './prove.js';
import { explored } from './explore.js';
import { outcomeText, writeOutcome } from '../../exploring/outcome-files.js';
import { severalMutants } from '../../exploring/proof-files.js';
import { RUNS_DEFAULT, RUNS_MAX } from '../../cli/options/option-table.js';
import { testBedSettings } from '../../cli/options/test-bed-settings.js';
import type { Io } from '../../cli/io.js';
import { newSeed } from '../../checking/plan/plan-run.js';
import type { ExploreOptions } from './index.js';
import type { ExploreWish } from './explore.js';

export async function explore(given: ExploreOptions, io: Io): Promise<ExitCode> {
  const settings = exploreSettings(given, io);
  const { seed, shard, testBed, threads } = settings;
  io.out(`seed ${seed}, shard ${shard.index}/${shard.count}, edition ${testBed.edition}\n`);
  const pool = openPool(threads);
  const stop = new AbortController();
  // Every running task adds a listener.
  setMaxListeners(0, stop.signal);
  const forget = io.onInterrupt(() => {
    io.note('\nstopping: writing the results so far\n');
    stop.abort();
  });
  try {
    const mutants = severalMutants(testBed.mutant);
    if (mutants !== null) return await proveMutants(mutants, settings, pool, stop.signal, io);
    return await exploreOn(pool, settings, stop.signal, io);
  } finally {
    forget();
    await pool.close();
  }
}

export interface ExploreSettings extends ExploreWish, Pick<ExploreOptions, 'threads' | 'progress'> {
  /** A folder. */
  readonly out: string;
}

/** @throws {UsageError} */
function exploreSettings(given: ExploreOptions, io: Io): ExploreSettings {
  const { runs, timeMs, shard, threads, progress, seed = newSeed() } = given;
  const suffix = shard.count === 1 ? '' : `-${shard.index}-of-${shard.count}`;
  return {
    ...{ seed, shard, timeMs, threads, progress },
    runs: runs ?? (timeMs === undefined ? RUNS_DEFAULT : RUNS_MAX),
    runsGiven: runs !== undefined,
    testBed: testBedSettings(given, io),
    out: given.out ?? `reports/explore-${seed}${suffix}`,
  };
}

async function exploreOn(
  pool: ExplorePool,
  settings: ExploreSettings,
  interrupted: AbortSignal,
  io: Io,
): Promise<ExitCode> {
  const { shard, runs, timeMs = null } = settings;
  const bounds = { runs: Number.isFinite(runs) ? Math.ceil(runs / shard.count) : null, timeMs };
  const progress = createExploreProgress(settings.progress, bounds, io);
  const monotonicMs = (): number => io.monotonicMs();
  const outcome = await explored(settings, { pool, interrupted, monotonicMs, progress }).finally(() =>
    progress.stop(),
  );
  io.out(outcomeText(outcome, writeOutcome(outcome, settings.out, io.cwd)));
  return outcome.exitCode;
}
