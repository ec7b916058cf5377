/**
 * Specs that failed beside others and passed alone. Real time is not the same twice, so one such failure is told and
 * counted; a spec that does so again within the next runs fails them.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

const RUNS_KEPT = 30;
/** So often in these runs, and it is a failure. */
export const FLAKY_MAX = 2;

/** What passed only alone, for each of the last runs on this machine, the oldest first. */
export type FlakyRuns = readonly (readonly string[])[];

/** Outside the clone, so that it outlives it. */
const FILE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'runproof', 'flaky-specs.json');

export const pastRuns = (file = FILE): FlakyRuns =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as FlakyRuns) : [];

export function withRun(past: FlakyRuns, flaky: readonly string[]): FlakyRuns {
  return [...past, flaky].slice(-RUNS_KEPT);
}

export function save(runs: FlakyRuns, file = FILE): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(runs)}\n`);
}

/** How often each spec that was flaky in the last run was so in all of them. */
export function timesFlaky(runs: FlakyRuns): ReadonlyMap<string, number> {
  return new Map((runs.at(-1) ?? []).map((spec) => [spec, runs.filter((run) => run.includes(spec)).length]));
}
