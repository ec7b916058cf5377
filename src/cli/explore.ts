/**
 * `explore`: runs random scripts on the simulator, in many environments and legal variants, on every core.
 */
import { setMaxListeners } from 'node:events';
import { Exploration, type FoundViolation } from '../explore/index.js';
import type { ExitCode } from '../report/index.js';
import type { RawOptions } from './option.js';
import { dialectSettings } from './dialect-option.js';
import { openPool, type ExplorePool } from '../app/explore/pool.js';
import { createExploreProgress, type ExploreProgress } from './explore-progress.js';
import { proveMutants } from './explore-prove.js';
import { outcomeText, SHRUNK_MAX, writeOutcome, type ShrunkFailure } from '../app/explore/outcome-files.js';
import type { TestBedSettings } from '../app/explore/test-bed.js';
import { severalMutants } from '../app/explore/proof-files.js';
import { exploreSettings, type ExploreSettings } from './explore-settings.js';
import type { Io } from './io.js';

export async function explore(raw: RawOptions, io: Io): Promise<ExitCode> {
  const settings = withDialect(exploreSettings(raw, io.cwd), raw, io);
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

async function exploreOn(
  pool: ExplorePool,
  settings: ExploreSettings,
  interrupted: AbortSignal,
  io: Io,
): Promise<ExitCode> {
  const { seed, shard, runs, testBed } = settings;
  const exploration = new Exploration({ seed, runs, shard });
  const bounds = {
    runs: Number.isFinite(runs) ? Math.ceil(runs / shard.count) : null,
    timeMs: settings.timeMs ?? null,
  };
  const progress = createExploreProgress(settings.progress, bounds, io);
  let ending: Ending;
  let failures: readonly ShrunkFailure[];
  try {
    ending = await playRounds(exploration, pool, settings, interrupted, io, progress);
    const { violations, breachCounts } = exploration.summary();
    let done = 0;
    failures = await Promise.all(
      violations.map(async (found, index) => {
        const shrunk = index < SHRUNK_MAX ? await shrunkBy(pool, testBed, found, interrupted) : null;
        progress.shrinking((done += 1), violations.length);
        return { found, runs: breachCounts[found.requirement] ?? 0, shrunk };
      }),
    );
  } finally {
    progress.stop();
  }
  const summary = exploration.summary();
  const exitCode = exitCodeOf(ending, summary.violations, summary.runs);
  const outcome = { seed, shard, settings: testBed, summary, failures, exitCode };
  io.out(outcomeText(outcome, writeOutcome(outcome, settings.out, io.cwd)));
  return exitCode;
}

type Ending = 'finished' | 'time' | 'budget' | 'interrupted';

async function playRounds(
  exploration: Exploration,
  pool: ExplorePool,
  settings: ExploreSettings,
  interrupted: AbortSignal,
  io: Io,
  progress: ExploreProgress,
): Promise<Ending> {
  const { testBed, timeMs, runsGiven } = settings;
  const startMs = io.monotonicMs();
  const isLate = (): boolean => timeMs !== undefined && io.monotonicMs() - startMs >= timeMs;
  for (let round = exploration.nextRound(); round.length > 0; round = exploration.nextRound()) {
    const waiting = round[Symbol.iterator]();
    // A round may be long: a batch is handed out when a thread has finished one.
    const playWaiting = async (): Promise<void> => {
      for (const task of waiting) {
        if (interrupted.aborted || isLate()) return;
        const result = await pool.run({ kind: 'batch', settings: testBed, task }, interrupted);
        if (result !== null) exploration.take(result);
        progress.draw(() => exploration.summary());
      }
    };
    await Promise.all(Array.from({ length: pool.threads * 2 }, playWaiting));
    if (interrupted.aborted) return 'interrupted';
    if (isLate()) return runsGiven ? 'budget' : 'time';
  }
  return 'finished';
}

function shrunkBy(
  pool: ExplorePool,
  settings: TestBedSettings,
  found: FoundViolation,
  interrupted: AbortSignal,
): Promise<ShrunkFailure['shrunk']> {
  return pool.run({ kind: 'shrink', settings, found }, interrupted);
}

function exitCodeOf(ending: Ending, violations: readonly FoundViolation[], runs: number): ExitCode {
  if (ending === 'interrupted') return 130;
  if (violations.some(({ level }) => level === 'must')) return 1;
  if (ending === 'budget') return 7;
  return runs === 0 ? 6 : 0;
}

export function withDialect(settings: ExploreSettings, raw: RawOptions, io: Io): ExploreSettings {
  const { testBed } = settings;
  const { held } = dialectSettings(raw, io.cwd, testBed.edition);
  return held === null ? settings : { ...settings, testBed: { ...testBed, dialect: held.dialect } };
}
