/**
 * `exploring/` promises what an exploration leaves behind, and the threads that explore. Here: a summary for programs, the shrunk
 * scripts, and text.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ExplorationSummary, FoundViolation, ShrunkViolation, Environment } from '../explore/index.js';
import type { Json } from '../history/events.js';
import { packageVersion } from '../package-files.js';
import { fromHere, program } from '../program-name.js';
import { failureFile } from '../report/failure-file.js';
import { replayCommand, type ExitCode, type FailureFile } from '../report/index.js';
import { escapeControls, truncated, jsonText } from '../report/escape.js';
import { pluralize } from '../report/formatting.js';
import type { Step } from '../scenario/index.js';
import { UsageError } from '../util/errors.js';
import { failurePage } from './failure-page.js';
import { foundCauses, groupedByCause, judgedFailures, type CauseGroup } from './found-causes.js';
import type { TestBedSettings } from '../test-bed/test-bed.js';
import { EXPLORE_SCHEMA } from '../files/report-files.js';
import { removeOldFailures } from '../files/report-folder.js';
import { makeFolder } from '../make-folder.js';

/** A failure file that also says where the script was found. */
export interface FoundFile extends FailureFile {
  readonly found: {
    readonly seed: number;
    readonly run: number;
    readonly world: Environment;
    readonly mutant: string | null;
    /** False if it fails only together with the other scripts of its batch. */
    readonly alone: boolean;
  };
}

/** So many failures are shrunk. One fault often breaks many requirements: further ones are only named. */
export const SHRUNK_MAX = 12;

export interface ShrunkFailure {
  readonly found: FoundViolation;
  /** Null if it was not shrunk. */
  readonly shrunk: ShrunkViolation | null;
  /** How many runs broke the requirement. */
  readonly runs: number;
}

export interface ExploreOutcome {
  readonly seed: number;
  readonly shard: { readonly index: number; readonly count: number };
  readonly settings: TestBedSettings;
  readonly summary: ExplorationSummary;
  readonly failures: readonly ShrunkFailure[];
  readonly exitCode: ExitCode;
}

export function foundFile(seed: number, settings: TestBedSettings, failure: ShrunkFailure): FoundFile {
  const { found, shrunk } = failure;
  const about = {
    runproof: packageVersion(),
    edition: settings.edition,
    target: `simulator (edition ${settings.edition})${settings.mutant === null ? '' : `, fault ${settings.mutant}`}`,
  };
  // It was shrunk for this requirement only. Other failures that it shows may not be part of the problem.
  const failures = [shrunk?.violations[0] ?? found];
  return {
    ...failureFile(about, failures, (shrunk?.script ?? found.script) as unknown as Json),
    found: {
      seed,
      run: found.run,
      world: shrunk?.environment ?? found.environment,
      mutant: settings.mutant,
      alone: shrunk?.alone ?? true,
    },
  };
}

export interface Written {
  readonly folder: string;
  /** The file of each requirement, as shown to the user. */
  readonly files: ReadonlyMap<string, string>;
  /** The page that shows the failures; null if there are none. */
  readonly page: string | null;
  readonly groups: readonly CauseGroup[];
}

/** @throws {UsageError} when the folder cannot be written */
export function writeOutcome(outcome: ExploreOutcome, folder: string, cwd: string): Written {
  const path = resolve(cwd, folder);
  const name = fromHere(path, cwd);
  const { seed, shard, settings, summary, failures, exitCode } = outcome;
  const files = new Map<string, string>();
  // Beside other scripts only, a failure cannot be shown by its script.
  const shown = failures.filter(({ shrunk }) => shrunk?.alone !== false);
  const judged = judgedFailures({ settings, failures: shown });
  const causes = foundCauses(judged);
  const page =
    shown.length === 0
      ? null
      : failurePage(outcome, judged, causes, fileOf, { program: program(), directory: name });
  try {
    makeFolder(join(path, 'failures'));
    removeOldFailures(join(path, 'failures'));
    for (const failure of failures) {
      const { requirement } = failure.found;
      const file = fileOf(failure);
      writeFileSync(join(path, file), `${jsonText(foundFile(seed, settings, failure), 2)}\n`);
      files.set(requirement, `${name}/${file}`);
    }
    const { violations: _, ...counts } = summary;
    const head = { schema: EXPLORE_SCHEMA, runproof: packageVersion(), exitCode, seed, shard, ...settings };
    writeFileSync(join(path, 'explore.json'), `${jsonText({ ...head, ...counts, causes }, 2)}\n`);
    if (page === null) rmSync(join(path, PAGE), { force: true });
    else writeFileSync(join(path, PAGE), page);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'error';
    throw new UsageError(`the folder ${path} cannot be written (${code}): choose another with --out`);
  }
  return {
    folder: name,
    files,
    page: page === null ? null : `${name}/${PAGE}`,
    groups: groupedByCause(failures, judged, causes),
  };
}

const PAGE = 'report.html';

const fileOf = ({ found: { requirement, run } }: ShrunkFailure): string =>
  `failures/${requirement.replace(/[^A-Za-z0-9.]+/g, '-')}-${run}.json`;

/** What was covered, in a few lines. */
function coverageText({
  runs,
  calls,
  pairs,
  goals,
  decided,
}: Omit<ExplorationSummary, 'violations'>): readonly string[] {
  return [
    `${runs} runs, ${calls} calls, ${decided.length} requirements decided`,
    `tried ${pairs.reached} of ${pairs.of} pairs of job state and operation${missing(pairs.missing)}`,
    `reached ${goals.reached} of ${goals.of} goals${missing(goals.missing)}`,
  ];
}

export function outcomeText({ summary, failures }: ExploreOutcome, written: Written): string {
  const { folder, page, groups } = written;
  const counts = Object.entries(summary.breachCounts);
  const broken = `${pluralize(counts.length, 'requirement')} broken`;
  return [
    ...coverageText(summary),
    ...groups.flatMap((group) => ['', ...groupText(group, written)]),
    // Of merged shards, whose scripts may be gone.
    ...counts
      .filter(([id]) => !failures.some(({ found }) => found.requirement === id))
      .map(([id, runs]) => `broken ${id}, in ${runs} of the runs; no script of it is left`),
    '',
    counts.length === 0
      ? 'no requirement was broken'
      : groups.length === failures.length
        ? broken
        : `${broken}, by at most ${pluralize(groups.length, 'cause')}`,
    `report: ${page ?? `${folder}/explore.json`}`,
    '',
  ].join('\n');
}

function groupText(
  { answer, first, sameAnswer, consequences }: CauseGroup,
  { files }: Written,
): readonly string[] {
  const named = (failures: readonly ShrunkFailure[], why: string): readonly string[] =>
    failures.length === 0
      ? []
      : [
          `  ${why}:`,
          ...failures.map(
            (failure) =>
              `    ${headline(failure)}\n      ${replayCommand(program(), files.get(failure.found.requirement) ?? '', [])}`,
          ),
        ];
  return [
    ...failureText(first, files),
    ...named(sameAnswer, `in the same way${answer === null ? '' : ` (${escapeControls(answer)})`}`),
    ...named(consequences, 'because of it'),
  ];
}

const headline = ({ found, runs }: ShrunkFailure): string =>
  `${found.level === 'must' ? 'BROKEN' : 'broken'} ${found.requirement}, in ${runs} of the runs, first in run ${found.run}`;

const missing = (names: readonly string[]): string =>
  names.length === 0 ? '' : `; never: ${names.join(', ')}`;

function failureText(failure: ShrunkFailure, files: ReadonlyMap<string, string>): readonly string[] {
  const { found, shrunk } = failure;
  const violation = shrunk?.violations[0] ?? found;
  const script = shrunk?.script ?? found.script;
  return [
    headline(failure),
    `  Expected: ${truncated(violation.expected, 400)}`,
    `    Actual: ${truncated(violation.actual, 400)}`,
    ...violation.proof.map((line) => `            ${truncated(line, 400)}`),
    ...storyText(script.steps),
    ...(shrunk?.alone === false ? ['  only beside the other scripts of its batch'] : []),
    ...(violation.requirement === found.requirement
      ? []
      : [`  by itself it violates ${violation.requirement}`]),
    `  ${replayCommand(program(), files.get(found.requirement) ?? '', [])}`,
  ];
}

/** A script as text, one line per step. */
export function storyText(steps: readonly Step[]): readonly string[] {
  return steps.map((step) => {
    const { do: does, at, lane, ...rest } = step;
    const { job, ...more } = rest as typeof rest & { readonly job?: unknown };
    const words = [
      lane === undefined ? '' : `[${lane}]`,
      timeText(at),
      does,
      job === undefined ? '' : typeof job === 'string' ? job : JSON.stringify(job),
      Object.keys(more).length === 0 ? '' : JSON.stringify(more),
    ];
    return `    ${truncated(words.filter((word) => word !== '').join(' '), 300)}`;
  });
}

function timeText(at: Step['at']): string {
  if (at === undefined) return '';
  if ('waitMs' in at) return `${at.waitMs} ms later:`;
  if ('sinceStartMs' in at) return `at ${at.sinceStartMs} ms:`;
  return `${at.plusMs} ms after ${at.job} was ${at.milestone}:`;
}
