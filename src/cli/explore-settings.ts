/** The options of `explore`, and their values. */
import { availableParallelism } from 'node:os';
import { MUTANTS } from '../mutants/index.js';
import type { RawOptions } from './config-file.js';
import { UsageError } from '../app/errors.js';
import type { TestBedSettings } from '../app/explore/test-bed.js';
import { ALL_MUTANTS } from '../app/explore/proof-files.js';
import { RUNS_DEFAULT } from './command-options.js';
import { SEED_MAX } from '../app/plan/seed.js';
import { text } from './settings.js';
import { noSuchFault } from './known-fault.js';
import { durationMs, integer, oneOf } from './values.js';
import { EDITIONS, PROGRESS_MODES } from './option-values.js';

const RUNS_MAX = 1_000_000_000;

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
  const edition = oneOf('edition', read('edition') ?? 'document', EDITIONS);
  const suffix = shard.count === 1 ? '' : `-${shard.index}-of-${shard.count}`;
  return {
    seed,
    runs:
      runs !== undefined ? integer('runs', runs, 1, RUNS_MAX) : time !== undefined ? RUNS_MAX : RUNS_DEFAULT,
    runsGiven: runs !== undefined,
    timeMs: time === undefined ? null : durationMs('time', time, 1),
    shard,
    testBed: { edition, mutant: mutantOf(read('mutant')) },
    threads: integer('threads', read('threads') ?? String(availableParallelism()), 1, 256),
    out: read('out') ?? `reports/explore-${seed}${suffix}`,
    progress: oneOf('progress', read('progress') ?? 'auto', PROGRESS_MODES),
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
  if (!id.split(',').every((each) => ids.includes(each))) throw noSuchFault(id, ids);
  return id;
}
