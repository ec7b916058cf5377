/** The options of `explore`, and their values. */
import { availableParallelism } from 'node:os';
import { MUTANTS } from '../mutants/index.js';
import type { RawOptions } from './config-file.js';
import { UsageError } from '../app/errors.js';
import type { TestBedSettings } from '../app/explore/test-bed.js';
import type { OptionTable } from './option-table.js';
import { SEED_MAX } from '../app/plan/plan-run.js';
import { flag, text } from './settings.js';
import { didYouMean } from '../app/suggest.js';
import { durationMs, integer, oneOf } from './values.js';

const RUNS_DEFAULT = 2_000;
const RUNS_MAX = 1_000_000_000;
export const ALL_MUTANTS = 'all';

const option = (describe: string, defaultDescription?: string): OptionTable[string] => ({
  type: 'string',
  requiresArg: true,
  describe,
  ...(defaultDescription === undefined ? {} : { defaultDescription }),
});

export const EXPLORE_OPTIONS: OptionTable = {
  runs: option('Number of scripts, over all shards', `${RUNS_DEFAULT}, or as many as --time holds`),
  time: option('How long to explore, such as 10m'),
  seed: option('Seed: the same seed gives the same scripts', 'a new one'),
  shard: option('I/N: only the I-th of N shards', '1/1'),
  edition: option('Edition to check against: document or runpod', 'document'),
  dialect: option('The endpoint answers open questions as in this file'),
  mutant: option('Known fault of the endpoint, to check that it is found; A,B or all: each in turn'),
  threads: option('Number of threads; does not affect the result', 'one for each core'),
  out: option('Folder for the report', 'reports/explore-<seed>'),
  progress: option('Progress: auto, plain or none', 'auto'),
  verbose: { type: 'boolean', alias: 'v', describe: 'Show stack traces' },
};

export interface ExploreSettings {
  readonly seed: number;
  readonly runs: number;
  readonly runsGiven: boolean;
  readonly timeMs: number | null;
  readonly shard: { readonly index: number; readonly count: number };
  readonly testBed: TestBedSettings;
  readonly threads: number;
  readonly out: string;
  readonly progress: 'auto' | 'plain' | 'none';
}

/** @throws {UsageError} */
export function exploreSettings(raw: RawOptions): ExploreSettings {
  const read = (name: string): string | undefined => text(raw, name);
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
    testBed: { edition, mutant: mutantOf(read('mutant')) },
    threads: integer('threads', read('threads') ?? String(availableParallelism()), 1, 256),
    out: read('out') ?? `reports/explore-${seed}${suffix}`,
    progress: flag(raw, 'quiet')
      ? 'none'
      : oneOf('progress', read('progress') ?? 'auto', ['auto', 'plain', 'none']),
  };
}

function shardOf(value: string): ExploreSettings['shard'] {
  const [, index, count] = /^(\d{1,4})\/(\d{1,4})$/.exec(value.trim()) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  if (index === undefined || shard.index < 1 || shard.index > shard.count) {
    throw new UsageError(`--shard requires I/N such as 3/16, not "${value}"`);
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
