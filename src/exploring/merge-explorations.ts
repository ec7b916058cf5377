import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { mergedSummary } from '../explore/tally.js';
import { escapeLines } from '../report/escape.js';
import type { ExitCode } from '../report/index.js';
import { pluralize } from '../report/formatting.js';
import { isRequirementId, requirement } from '../spec/index.js';
import type { TestBedSettings } from '../test-bed/test-bed.js';
import { UsageError } from '../util/errors.js';
import { outcomeText, writeOutcome, type ExploreOutcome, type ShrunkFailure } from './outcome-files.js';
import type { ExploreFile, WrittenReport } from '../files/report-files.js';
import type { SavedFile } from '../files/replay-token.js';
import { readSavedFailure } from '../files/saved-failure.js';
import { readUserJson } from '../files/user-file.js';

type Shard = Extract<WrittenReport, { readonly kind: 'explore' }>;

/**
 * Joins the shards of one exploration, and writes what an exploration leaves behind: of each requirement the failure of the
 * earliest run, grouped by cause. `text`: what came of it, for a reader in `cwd`.
 */
export async function mergeExplorations(
  shards: readonly Shard[],
  folder: string,
  cwd: string,
): Promise<{ readonly exitCode: ExitCode; readonly text: string; readonly page: string | null }> {
  const first = shards[0]!.report as ExploreFile & TestBedSettings;
  for (const { report } of shards) assertAlike(first, report);
  const { seed, edition, mutant, dialect, capabilities, executionTimeoutDefaultMs } = first;
  const summary = mergedSummary(shards.map(({ report }) => report));
  const failures = await earliestFailures(shards, summary.breachCounts, cwd);
  const outcome: ExploreOutcome = {
    ...{ seed, shard: { index: 1, count: 1 }, failures },
    settings: { edition, mutant, dialect, capabilities, executionTimeoutDefaultMs },
    summary: { ...summary, violations: failures.map(({ found }) => found) },
    exitCode: exitCodeOf(shards.map(({ report }) => report.exitCode)),
  };
  const written = writeOutcome(outcome, folder, cwd);
  const parts = [`${pluralize(shards.length, 'part')} of seed ${seed}`, ...missingShards(shards)];
  const text = `${escapeLines(parts.join('\n'))}\n${outcomeText(outcome, written)}`;
  return { exitCode: outcome.exitCode, text, page: written.page };
}

async function earliestFailures(
  shards: readonly Shard[],
  breachCounts: ExploreFile['breachCounts'],
  cwd: string,
): Promise<readonly ShrunkFailure[]> {
  const files = shards.flatMap(({ folder }) => {
    const failures = join(folder, 'failures');
    const names = existsSync(failures) ? readdirSync(failures).filter((name) => name.endsWith('.json')) : [];
    return names.map((name) => join(failures, name));
  });
  const all = await Promise.all(files.map((file) => failureIn(file, breachCounts, cwd)));
  const earliest = new Map<string, ShrunkFailure>();
  for (const failure of all.flatMap((one) => one ?? [])) {
    const { requirement: id, run } = failure.found;
    if (run < (earliest.get(id)?.found.run ?? Infinity)) earliest.set(id, failure);
  }
  return [...earliest.values()].sort(
    ({ found: a }, { found: b }) => a.run - b.run || (a.requirement < b.requirement ? -1 : 1),
  );
}

/** Null for a file that no exploration has written. */
async function failureIn(
  file: string,
  breachCounts: ExploreFile['breachCounts'],
  cwd: string,
): Promise<ShrunkFailure | null> {
  const { script, found } = await readSavedFailure(file, cwd);
  const [violation] = (readUserJson(file, cwd) as SavedFile).failures;
  const id = violation?.requirement ?? '';
  if (found === null || violation === undefined || !isRequirementId(id)) return null;
  const { run, world: environment, alone } = found;
  const shown = { ...violation, level: requirement(id).level };
  return {
    found: { ...shown, run, script, environment },
    shrunk: { script, environment, violations: [{ ...shown, script: 0 }], alone },
    runs: breachCounts[id] ?? 1,
  };
}

function assertAlike(first: ExploreFile, other: ExploreFile): void {
  for (const member of ['seed', 'edition', 'mutant', 'runproof'] as const) {
    if (first[member] !== other[member])
      throw new UsageError(
        `these are not shards of one exploration: ${member} ${first[member]}, and ${member} ${other[member]}`,
      );
  }
  if (
    first.shard.count !== other.shard.count ||
    (first !== other && first.shard.index === other.shard.index)
  ) {
    const both = [first, other].map(({ shard }) => `${shard.index}/${shard.count}`).join(' and ');
    throw new UsageError(`these are not shards of one exploration: shard ${both}`);
  }
}

function missingShards(shards: readonly Shard[]): readonly string[] {
  const { count } = shards[0]!.report.shard;
  const there = new Set(shards.map(({ report }) => report.shard.index));
  const missing = Array.from({ length: count }, (_, index) => index + 1).filter((index) => !there.has(index));
  return missing.length === 0 ? [] : [`! missing: shard ${missing.join(', ')} of ${count}`];
}

function exitCodeOf(codes: readonly ExitCode[]): ExitCode {
  return ([130, 1, 7, 6] as const).find((code) => codes.includes(code)) ?? 0;
}
