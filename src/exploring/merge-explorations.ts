import { copyFileSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mergedSummary } from '../explore/tally.js';
import { escapeLines, jsonText } from '../report/escape.js';
import { replayCommand, type ExitCode } from '../report/index.js';
import { fromHere, program } from '../program-name.js';
import { pluralize } from '../report/formatting.js';
import { UsageError } from '../util/errors.js';
import { coverageText } from './outcome-files.js';
import { apart, type ExploreFile, type WrittenReport } from '../files/report-files.js';
import { makeFolder } from '../make-folder.js';

type Shard = Extract<WrittenReport, { readonly kind: 'explore' }>;

/** Joins the shards of one exploration, and copies their failures. `text`: what came of it, for a reader in `cwd`. */
export function mergeExplorations(
  shards: readonly Shard[],
  folder: string,
  cwd: string,
): { readonly exitCode: ExitCode; readonly text: string } {
  const first = shards[0]!.report;
  for (const { report } of shards) assertAlike(first, report);
  const summary = mergedSummary(shards.map(({ report }) => report));
  const exitCode = exitCodeOf(shards.map(({ report }) => report.exitCode));
  const failures = shards.flatMap((shard, index) => copyFailures(shard, index, folder));
  const { schema, runproof, seed, edition, mutant } = first;
  const head = { schema, runproof, exitCode, seed, shard: { index: 1, count: 1 }, edition, mutant };
  makeFolder(folder);
  writeFileSync(join(folder, 'explore.json'), `${jsonText({ ...head, ...summary }, 2)}\n`);
  const broken = Object.entries(summary.breachCounts).map(
    ([requirement, runs]) => `broken ${requirement}, in ${runs} of the runs`,
  );
  const lines = [
    `${pluralize(shards.length, 'part')} of seed ${seed}`,
    ...missingShards(shards),
    ...coverageText(summary),
    ...broken,
    ...failures.map((file) => `  ${replayCommand(program(), fromHere(file, cwd), [])}`),
    broken.length === 0 ? 'no requirement was broken' : `${pluralize(broken.length, 'requirement')} broken`,
  ];
  return { exitCode, text: `${escapeLines(lines.join('\n'))}\n` };
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

function copyFailures({ folder: from }: Shard, index: number, to: string): readonly string[] {
  const failures = join(from, 'failures');
  if (!existsSync(failures)) return [];
  makeFolder(join(to, 'failures'));
  return readdirSync(failures)
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      const path = join(to, apart(index, name));
      copyFileSync(join(failures, name), path);
      return path;
    });
}

function exitCodeOf(codes: readonly ExitCode[]): ExitCode {
  return ([130, 1, 7, 6] as const).find((code) => codes.includes(code)) ?? 0;
}
