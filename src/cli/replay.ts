/** `replay`: runs a saved failure again, and prints FIXED, FAILED or ERROR. */
import { createRedactor, type ExitCode, type Report } from '../report/index.js';
import { WHOLE } from '../history/selection.js';
import type { Dialect } from '../spec/index.js';
import type { Edition } from '../spec/types.js';
import { truncated } from '../report/escape.js';
import { ConcludeThread } from '../app/conclude/conclude-thread.js';
import { printReport } from './print-report.js';
import { concludeRun, writeReport, type RunToConclude } from '../app/conclude/conclude-run.js';
import type { RawOptions } from './config-file.js';
import { dialectSettings } from './dialect-option.js';
import { UsageError } from '../app/errors.js';
import { plainEnvironment, type Environment } from '../explore/index.js';
import { ALL_MUTANTS } from '../app/explore/proof-files.js';
import { mutantOf } from './explore-settings.js';
import { createTestBed } from '../app/explore/test-bed.js';
import type { Io } from './io.js';
import { withTarget, type OpenedTarget } from './open-target.js';
import { StepDeadlines } from '../app/conclude/deadlines.js';
import { runWithinLimit } from '../app/run-within-limit.js';
import type { SavedFailure } from '../app/files/replay-token.js';
import { openReportFolder } from '../app/files/report-folder.js';
import { readSavedFailure } from '../app/files/saved-failure.js';
import {
  outputSettings,
  targetSettings,
  text,
  type OutputSettings,
  type TargetSettings,
} from './settings.js';

export async function replay(raw: RawOptions, io: Io): Promise<ExitCode> {
  const saved = await readSavedFailure(text(raw, 'file') ?? '', io.cwd);
  const output = outputSettings(raw);
  const edition = raw['edition'] === undefined ? saved.edition : null;
  const settings = targetSettings(edition === null ? raw : { ...raw, edition }, io);
  const mutant = text(raw, 'mutant');
  const { held } = dialectSettings(raw, io.cwd, settings.edition);
  if (held !== null && settings.address !== null)
    throw new UsageError('--dialect changes the embedded endpoint: omit the URL or the option');
  if (settings.address === null && (saved.found !== null || mutant !== undefined))
    return replayOnSimulator(saved, mutant, settings.edition, held?.dialect, output, io);
  return withTarget(
    settings,
    io,
    (opened, safeIo) => replayOn(opened, saved, settings, output, safeIo),
    held?.dialect,
  );
}

/** In the environment in which the explorer found it, with its fault unless another is named. */
async function replayOnSimulator(
  { script, requirements, found }: SavedFailure,
  mutantOption: string | undefined,
  edition: Edition,
  dialect: Dialect | undefined,
  output: OutputSettings,
  io: Io,
): Promise<ExitCode> {
  const environment = found?.world ?? plainEnvironment(script.seed);
  const mutant =
    mutantOption === undefined
      ? (found?.mutant ?? null)
      : mutantOption === 'none'
        ? null
        : mutantOf(mutantOption);
  if (mutant === ALL_MUTANTS || mutant?.includes(',') === true)
    throw new UsageError('--mutant takes one fault here');
  io.note(`${environmentLine(environment, mutant)}\n`);
  const startMs = io.monotonicMs();
  const events = createTestBed({ edition, mutant, ...(dialect && { dialect }) }).run([script], environment);
  const report = await concluded(
    {
      events,
      ending: 'finished',
      wallMs: Math.round(io.monotonicMs() - startMs),
      secrets: [],
      redactor: createRedactor([]),
      scripts: [script],
      url: null,
      replayArguments: [],
      at: io.timestamp(),
      judgeOptions: { edition },
    },
    output,
    new StepDeadlines(io, new AbortController().signal, null),
    io,
  );
  if (found?.alone === false && report.exitCode === 0)
    return say(
      'ERROR',
      `it failed only together with other scripts: runproof explore --seed ${found.seed}`,
      6,
      io,
    );
  return printVerdict(report, requirements, null, (line) => line, output, io);
}

function environmentLine({ variant, mishaps, seed }: Environment, mutant: string | null): string {
  const things = [
    ...(mutant === null ? [] : [`fault ${mutant}`]),
    ...(variant === null ? [] : [`variant ${variant}`]),
    ...(mishaps.length === 0 ? [] : ['a network that loses calls']),
    `seed ${seed}`,
  ];
  return `on the simulator: ${things.join(', ')}`;
}

async function replayOn(
  opened: OpenedTarget,
  { script, requirements, runSeed }: SavedFailure,
  settings: TargetSettings,
  output: OutputSettings,
  io: Io,
): Promise<ExitCode> {
  const missing = script.needs.filter((need) => !opened.target.capabilities.includes(need));
  if (missing.length > 0) {
    throw new UsageError(
      `this script needs ${missing.join(', ')}, which ${opened.target.name} does not offer`,
    );
  }
  const { secrets } = opened;
  const redactor = createRedactor(secrets);
  const { budgetMs } = settings;
  const budgetEndsMs = budgetMs === null ? null : io.monotonicMs() + budgetMs;
  const deadlines = new StepDeadlines(io, opened.interrupted, budgetEndsMs);
  const done = await runWithinLimit({
    target: opened.target,
    scripts: [script],
    seed: script.seed,
    edition: settings.edition,
    concurrency: null,
    limitMs: budgetMs,
    limit: 'budget',
    interrupted: opened.interrupted,
    onEvent: () => {},
    onProgress: () => {},
  });
  const run = {
    ...done,
    secrets,
    redactor,
    scripts: [script],
    url: opened.url,
    basePath: opened.basePath,
    replayArguments: opened.replayArguments,
    at: io.timestamp(),
    judgeOptions: { edition: settings.edition },
  };
  const whole =
    runSeed === null ? null : ['runproof check', ...opened.replayArguments, `--seed ${runSeed}`].join(' ');
  return printVerdict(
    await concluded(run, output, deadlines, io),
    requirements,
    whole,
    redactor.text,
    output,
    io,
  );
}

type ReplayedRun = Omit<RunToConclude, 'folder' | 'warnings' | 'asked' | 'minDecided'>;

/** Judges all requirements, writes the report if there is a folder, and prints it with `--verbose`. */
async function concluded(
  done: ReplayedRun,
  output: OutputSettings,
  deadlines: StepDeadlines,
  io: Io,
): Promise<Report> {
  const { redactor } = done;
  const folder = output.out === null ? null : openReportFolder(output.out, io.cwd, redactor);
  const thread = new ConcludeThread(deadlines);
  try {
    for (const event of done.events) folder?.append(event);
    const run: RunToConclude = {
      ...done,
      folder,
      warnings: [],
      asked: WHOLE,
      minDecided: { count: 1 },
    };
    const { report, problem } = await concludeRun(run, thread, deadlines);
    await writeReport(report, run, output.formats ?? ['json', 'html'], thread);
    const printed = { ...output, formats: ['terminal' as const] };
    if (output.verbose) printReport(report, { redactor, folder: folder?.name ?? null }, printed, io);
    if (problem !== null) throw problem;
    return report;
  } finally {
    await thread.end();
    folder?.close();
  }
}

/**
 * Prints every failure, those that are replayed first: by itself, a script may show another cause than among
 * other scripts. A requirement that this run could not decide is neither fixed nor failed. `whole`: the command that
 * plays the script together with those among which it failed; null: not known.
 */
function printVerdict(
  report: Report,
  wanted: readonly string[],
  whole: string | null,
  redact: (text: string) => string,
  { quiet }: OutputSettings,
  io: Io,
): ExitCode {
  const isWanted = ({ id }: { readonly id: string }): boolean => wanted.length === 0 || wanted.includes(id);
  const failing = report.requirements.filter(({ verdict }) => verdict === 'fail');
  const again = failing.filter(isWanted);
  const failed = [...again, ...failing.filter((one) => !isWanted(one) && one.level === 'must')];
  const undecided = report.requirements.filter(
    ({ id, verdict }) => wanted.includes(id) && verdict !== 'pass',
  );
  if (report.exitCode === 130 || report.exitCode === 7)
    return say('ERROR', 'stopped early', report.exitCode, io);
  if (report.exitCode === 3) return say('ERROR', 'the target stopped answering', 3, io);
  if (failed.length > 0) {
    for (const { id, failures } of quiet ? [] : failed) {
      const first = failures[0];
      io.out(
        redact(
          `  ${id}\n    Expected: ${truncated(first?.expected ?? '', 400)}\n      Actual: ${truncated(first?.actual ?? '', 400)}\n`,
        ),
      );
    }
    const ids = failed.map(({ id }) => id).join(', ');
    const instead = again.length === 0 ? `, and no longer ${wanted.join(', ')}` : '';
    return say('FAILED', `${ids}${instead}`, 1, io);
  }
  if (undecided.length > 0 || report.exitCode === 6) {
    const ids = undecided.map(({ id }) => id).join(', ');
    const told = ids === '' ? 'nothing was decided' : `not decided this time: ${ids}`;
    const others =
      whole === null
        ? ''
        : `; where that takes the other scripts of its run, play them all: ${redact(whole)}`;
    return say('ERROR', `${told}${others}`, 6, io);
  }
  return say('FIXED', wanted.length === 0 ? 'nothing failed' : wanted.join(', '), 0, io);
}

function say(word: string, what: string, code: ExitCode, io: Io): ExitCode {
  io.out(`${word}: ${what}  (exit ${code})\n`);
  return code;
}
