/** The options of `explore`, and their values. */
import { MUTANTS } from '../mutants/index.js';
import { ALL_MUTANTS } from '../exploring/proof-files.js';
import type { TestBedSettings } from '../test-bed/test-bed.js';
import { newSeed } from '../checking/plan/plan-run.js';
import { EXPLORE_OPTIONS, RUNS_DEFAULT, RUNS_MAX } from './command-options.js';
import { dialectSettings } from './dialect-option.js';
import type { Io } from './io.js';
import { noSuchFault } from './known-fault.js';
import { settingsOf, type RawOptions, type Settings } from './option.js';

export interface ExploreSettings extends Omit<Settings<typeof EXPLORE_OPTIONS>, 'mutant'> {
  readonly seed: number;
  readonly runs: number;
  readonly runsGiven: boolean;
  readonly testBed: TestBedSettings;
  readonly out: string;
}

/** @throws {UsageError} */
export function exploreSettings(raw: RawOptions, cwd: string): ExploreSettings {
  const { mutant, ...given } = settingsOf(EXPLORE_OPTIONS, raw, cwd);
  const { runs, timeMs, shard, edition = 'document', seed = newSeed() } = given;
  const suffix = shard.count === 1 ? '' : `-${shard.index}-of-${shard.count}`;
  return {
    ...given,
    seed,
    runs: runs ?? (timeMs === undefined ? RUNS_DEFAULT : RUNS_MAX),
    runsGiven: runs !== undefined,
    testBed: { edition, mutant: mutantOf(mutant) },
    out: given.out ?? `reports/explore-${seed}${suffix}`,
  };
}

export function mutantOf(id: string | undefined): string | null {
  if (id === undefined) return null;
  const ids = [...MUTANTS.map((mutant) => mutant.id), ALL_MUTANTS];
  if (!id.split(',').every((each) => ids.includes(each))) throw noSuchFault(id, ids);
  return id;
}

/** With the readings of `--dialect`, if it is given. */
export function withDialect(settings: ExploreSettings, raw: RawOptions, io: Io): ExploreSettings {
  const { testBed } = settings;
  const { held } = dialectSettings(raw, io.cwd, testBed.edition);
  return held === null ? settings : { ...settings, testBed: { ...testBed, dialect: held.dialect } };
}
