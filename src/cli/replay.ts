/** `replay`: a saved failure, played once more: FIXED, FAILED or ERROR. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  createRedactor,
  FAILURE_SCHEMA,
  type ExitCode,
  type FailureFile,
  type Report,
} from '../report/index.js';
import { parseScript, ScriptError, type Script } from '../scenario/index.js';
import { clipped } from '../report/escape.js';
import { concludeRun, printReport, writeReport } from './conclude-run.js';
import type { Given } from './config-file.js';
import { UsageError } from './errors.js';
import type { Io } from './io.js';
import { withTarget, type OpenedTarget } from './open-target.js';
import { playOut } from './play-out.js';
import { openReportFolder } from './report-folder.js';
import {
  outputSettings,
  targetSettings,
  text,
  type OutputSettings,
  type TargetSettings,
} from './settings.js';

interface Saved {
  readonly script: Script;
  /** The requirements that failed; empty for a bare script, which fails by any. */
  readonly requirements: readonly string[];
  readonly edition: string | null;
}

/** @throws {UsageError} for a file that cannot be played */
export function readSaved(file: string, cwd: string): Saved {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(resolve(cwd, file), 'utf8'));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw new UsageError(
      code === undefined ? `${file} does not hold JSON` : `${file} cannot be read: ${code}`,
    );
  }
  const saved = isFailureFile(value) ? value : null;
  try {
    return {
      script: parseScript(saved === null ? value : saved.script),
      requirements: saved?.failures.map(({ requirement }) => requirement) ?? [],
      edition: saved?.edition ?? null,
    };
  } catch (error) {
    if (error instanceof ScriptError) throw new UsageError(`${file}: ${error.message}`);
    throw error;
  }
}

function isFailureFile(value: unknown): value is FailureFile {
  return typeof value === 'object' && value !== null && 'schema' in value && value.schema === FAILURE_SCHEMA;
}

export async function replay(given: Given, io: Io): Promise<ExitCode> {
  const file = text(given, 'file') ?? '';
  const saved = readSaved(file, io.cwd);
  const settings = targetSettings(
    given['edition'] === undefined && saved.edition !== null ? { ...given, edition: saved.edition } : given,
    io,
  );
  const output = outputSettings(given);
  return withTarget(settings, io, (opened) => replayOn(opened, saved, settings, output, io));
}

async function replayOn(
  opened: OpenedTarget,
  saved: Saved,
  settings: TargetSettings,
  output: OutputSettings,
  io: Io,
): Promise<ExitCode> {
  const { script, requirements } = saved;
  const missing = script.needs.filter((need) => !opened.target.capabilities.includes(need));
  if (missing.length > 0) {
    throw new UsageError(
      `this script needs ${missing.join(', ')}, which ${opened.target.name} does not offer`,
    );
  }
  const redactor = createRedactor(opened.secrets);
  const folder = output.out === null ? null : openReportFolder(output.out, io.cwd, redactor);
  try {
    const played = await playOut(
      {
        target: opened.target,
        scripts: [script],
        seed: script.seed,
        edition: settings.edition,
        concurrency: null,
        budgetMs: settings.budgetMs,
        onEvent: (event) => folder?.append(event),
        onProgress: () => {},
      },
      io,
    );
    const run = {
      ...played,
      redactor,
      folder,
      scripts: [script],
      url: opened.url,
      replayArguments: opened.replayArguments,
      at: io.timestamp(),
      warnings: [],
      judges: (id: string) => requirements.length === 0 || requirements.includes(id),
      minDecided: { count: 1 },
      judgeOptions: { edition: settings.edition },
    };
    const { report } = concludeRun(run);
    writeReport(report, run, output.formats ?? ['json', 'html']);
    if (output.verbose) printReport(report, run, output, ['terminal'], io);
    return tell(report, requirements, redactor.text, io);
  } finally {
    folder?.close();
  }
}

/** A requirement that this play could not decide is neither mended nor broken. */
function tell(report: Report, wanted: readonly string[], redact: (text: string) => string, io: Io): ExitCode {
  const failed = report.requirements.filter(({ verdict }) => verdict === 'fail');
  const undecided = report.requirements.filter(
    ({ id, verdict }) => wanted.includes(id) && verdict !== 'pass',
  );
  if (report.exitCode === 130 || report.exitCode === 7)
    return say('ERROR', 'stopped early', report.exitCode, io);
  if (failed.length > 0) {
    for (const { id, failures } of failed) {
      const first = failures[0];
      io.out(
        redact(
          `  ${id}\n    Expected: ${clipped(first?.expected ?? '', 400)}\n      Actual: ${clipped(first?.actual ?? '', 400)}\n`,
        ),
      );
    }
    return say('FAILED', failed.map(({ id }) => id).join(', '), 1, io);
  }
  if (undecided.length > 0 || report.exitCode === 6) {
    const ids = undecided.map(({ id }) => id).join(', ');
    return say('ERROR', ids === '' ? 'nothing was decided' : `not decided this time: ${ids}`, 6, io);
  }
  return say('FIXED', wanted.length === 0 ? 'nothing failed' : wanted.join(', '), 0, io);
}

function say(word: string, what: string, code: ExitCode, io: Io): ExitCode {
  io.out(`${word}: ${what}  (exit ${code})\n`);
  return code;
}
