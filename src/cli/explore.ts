/** `explore`: random scripts on the simulator, in all its worlds and legal variants, on every core. */
import { setMaxListeners } from 'node:events';
import { availableParallelism } from 'node:os';
import { Exploration, type FoundBreach } from '../explore/index.js';
import { MUTANTS } from '../mutants/index.js';
import type { ExitCode } from '../report/index.js';
import type { Given } from './config-file.js';
import { dialectSettings } from './dialect-option.js';
import { UsageError } from './errors.js';
import { openPool, type ExplorePool } from './explore-pool.js';
import { createExploreProgress } from './explore-progress.js';
import { proveMutants } from './explore-prove.js';
import { outcomeText, writeOutcome, type ShrunkFailure } from './explore-report.js';
import type { LaboratorySettings } from './explore-laboratory.js';
import type { Io } from './io.js';
import type { OptionTable } from './option-table.js';
import { flag, SEED_MAX, text } from './settings.js';
import { didYouMean } from './suggest.js';
import { durationMs, integer, oneOf } from './values.js';

const RUNS_DEFAULT = 2_000;
const RUNS_MAX = 1_000_000_000;
/** Requirements that one fault breaks are often many; the rest are named, and not shrunk. */
const SHRUNK_MAX = 12;
export const ALL_MUTANTS = 'all';

const option = (describe: string, defaultDescription?: string): OptionTable[string] => ({
  type: 'string',
  requiresArg: true,
  describe,
  ...(defaultDescription === undefined ? {} : { defaultDescription }),
});

export const EXPLORE_OPTIONS: OptionTable = {
  runs: option('Scripts to draw, over all shards', `${RUNS_DEFAULT}, or as many as --time holds`),
  time: option('Draw scripts for so long, such as 10m'),
  seed: option('Draws the same scripts again', 'a new one'),
  shard: option('I/N: only the I-th of N parts', '1/1'),
  edition: option('Hold the endpoint to: document or runpod', 'document'),
  dialect: option('Let the endpoint answer open questions as in this file'),
  mutant: option('Give the endpoint this known fault, to prove that it is found; A,B or all: each in turn'),
  threads: option('How many threads; the result does not depend on it', 'one for each core'),
  out: option('Folder for the report', 'reports/explore-<seed>'),
  progress: option('Progress: auto, plain or none', 'auto'),
  verbose: { type: 'boolean', alias: 'v', describe: 'Show where an error came from' },
};

export interface ExploreSettings {
  readonly seed: number;
  readonly runs: number;
  readonly runsGiven: boolean;
  readonly timeMs: number | null;
  readonly shard: { readonly index: number; readonly count: number };
  readonly laboratory: LaboratorySettings;
  readonly threads: number;
  readonly out: string;
  readonly progress: 'auto' | 'plain' | 'none';
}

export async function explore(given: Given, io: Io): Promise<ExitCode> {
  const settings = withDialect(exploreSettings(given), given, io);
  const { seed, shard, laboratory, threads } = settings;
  io.out(`seed ${seed}, shard ${shard.index}/${shard.count}, edition ${laboratory.edition}\n`);
  const pool = openPool(threads);
  const stop = new AbortController();
  // Every task under way listens.
  setMaxListeners(0, stop.signal);
  const forget = io.onInterrupt(() => {
    io.err('\nstopping: writing what there is\n');
    stop.abort();
  });
  try {
    if (laboratory.mutant === ALL_MUTANTS || laboratory.mutant?.includes(',') === true)
      return await proveMutants(settings, pool, stop.signal, io);
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
  const { seed, shard, runs, laboratory } = settings;
  const exploration = new Exploration({ seed, runs, shard });
  const ending = await playRounds(exploration, pool, settings, interrupted, io);
  const summary = exploration.summary();
  const failures: ShrunkFailure[] = await Promise.all(
    summary.breaches.map(async (found, index) => ({
      found,
      runs: summary.breachCounts[found.requirement] ?? 0,
      shrunk: index < SHRUNK_MAX ? await shrunkBy(pool, laboratory, found, interrupted) : null,
    })),
  );
  const exitCode = exitCodeOf(ending, summary.breaches, summary.runs);
  const outcome = { seed, shard, settings: laboratory, summary, failures, exitCode };
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
): Promise<Ending> {
  const { laboratory, timeMs, runsGiven } = settings;
  const startMs = io.monotonicMs();
  const isLate = (): boolean => timeMs !== null && io.monotonicMs() - startMs >= timeMs;
  const progress = createExploreProgress(settings.progress, () => exploration.summary(), io);
  try {
    for (let round = exploration.nextRound(); round.length > 0; round = exploration.nextRound()) {
      await Promise.all(
        round.map(async (task) => {
          const result = await pool.run({ kind: 'batch', settings: laboratory, task }, interrupted);
          if (result !== null) exploration.take(result);
          progress.draw();
        }),
      );
      if (interrupted.aborted) return 'interrupted';
      if (isLate()) return runsGiven ? 'budget' : 'time';
    }
    return 'finished';
  } finally {
    progress.stop();
  }
}

function shrunkBy(
  pool: ExplorePool,
  settings: LaboratorySettings,
  found: FoundBreach,
  interrupted: AbortSignal,
): Promise<ShrunkFailure['shrunk']> {
  return pool.run({ kind: 'shrink', settings, found }, interrupted);
}

function exitCodeOf(ending: Ending, breaches: readonly FoundBreach[], runs: number): ExitCode {
  if (ending === 'interrupted') return 130;
  if (breaches.some(({ level }) => level === 'must')) return 1;
  if (ending === 'budget') return 7;
  return runs === 0 ? 6 : 0;
}

/** @throws {UsageError} */
export function exploreSettings(given: Given): ExploreSettings {
  const read = (name: string): string | undefined => text(given, name);
  const runs = read('runs');
  const time = read('time');
  const seed = integer('seed', read('seed') ?? String(Math.floor(Math.random() * SEED_MAX)), 0, SEED_MAX);
  const shard = shardOf(read('shard') ?? '1/1');
  const edition = oneOf('edition', read('edition') ?? 'document', ['document', 'runpod']);
  const suffix = shard.count === 1 ? '' : `-${shard.index}-of-${shard.count}`;
  return {
    seed,
    runs:
      runs !== undefined ? integer('runs', runs, 1, RUNS_MAX) : time !== undefined ? RUNS_MAX : RUNS_DEFAULT,
    runsGiven: runs !== undefined,
    timeMs: time === undefined ? null : durationMs('time', time),
    shard,
    laboratory: { edition, mutant: mutantOf(read('mutant')) },
    threads: integer('threads', read('threads') ?? String(availableParallelism()), 1, 256),
    out: read('out') ?? `reports/explore-${seed}${suffix}`,
    progress: flag(given, 'quiet')
      ? 'none'
      : oneOf('progress', read('progress') ?? 'auto', ['auto', 'plain', 'none']),
  };
}

function withDialect(settings: ExploreSettings, given: Given, io: Io): ExploreSettings {
  const { laboratory } = settings;
  const { held } = dialectSettings(given, io.cwd, laboratory.edition);
  return held === null ? settings : { ...settings, laboratory: { ...laboratory, dialect: held.dialect } };
}

function shardOf(value: string): ExploreSettings['shard'] {
  const [, index, count] = /^(\d{1,4})\/(\d{1,4})$/.exec(value.trim()) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  if (index === undefined || shard.index < 1 || shard.index > shard.count) {
    throw new UsageError(`--shard wants I/N such as 3/16, not "${value}"`);
  }
  return shard;
}

export function mutantOf(id: string | undefined): string | null {
  if (id === undefined) return null;
  const ids = [...MUTANTS.map((mutant) => mutant.id), ALL_MUTANTS];
  if (!id.split(',').every((each) => ids.includes(each)))
    throw new UsageError(
      `there is no fault "${id}".${didYouMean(id, ids)} "runproof list mutants" shows them`,
    );
  return id;
}
