/** `replay`: runs a saved failure again, and prints FIXED, PASSED, FAILED or ERROR. */
import { UsageError } from '../../util/errors.js';
import { ALL_MUTANTS } from '../../exploring/proof-files.js';
import { readSavedFailure } from '../../files/saved-failure.js';
import { replay, replayOnSimulator, type ReplayResult } from './replay.js';
import { truncated } from '../../report/escape.js';
import type { ExitCode } from '../../report/index.js';
import type { Given } from '../../cli/options/option.js';
import { saveDiagram } from '../../cli/report/diagram-file.js';
import { dialectSettings } from '../../cli/options/dialect-option.js';
import { mutantOf } from '../../cli/options/test-bed-settings.js';
import type { Io } from '../../cli/io.js';
import { withTarget } from '../../cli/open-target.js';
import { printReport } from '../../cli/report/print-report.js';
import { targetSettings } from '../../cli/options/settings.js';
import type { ReplaySettings } from './index.js';

export async function replaySaved(given: ReplaySettings, io: Io, spelt: Given): Promise<ExitCode> {
  const saved = await readSavedFailure(given.file, io.cwd);
  const { mutant, edition = saved.edition ?? 'document' } = given;
  // As it was found: the report says so.
  const isFound = given.edition === undefined && edition !== 'document';
  const told = isFound ? { ...spelt, spelt: { ...spelt.spelt, edition: [edition] } } : spelt;
  const settings = targetSettings({ ...given, edition }, io, told);
  const dialect = dialectSettings(given, io.cwd, settings.edition).held?.dialect;
  if (dialect !== undefined && settings.address !== undefined)
    throw new UsageError('--dialect changes the embedded endpoint: omit the URL or the option');
  const { out, formats } = given;
  const { budgetMs } = settings;
  const options = { ...{ out, formats, edition, budgetMs }, cwd: io.cwd, timestamp: io.timestamp };
  if (settings.address === undefined && (saved.found !== null || mutant !== undefined)) {
    const onEnvironment = (line: string): void => io.note(`${line}\n`);
    const simulated = { dialect, mutant: faultOf(mutant), onEnvironment };
    return print(await replayOnSimulator(saved, { ...options, ...simulated }), given, io);
  }
  return withTarget(
    settings,
    io,
    async ({ target, secrets, interrupted: signal, ...address }, safeIo) =>
      print(await replay(target, saved, { ...options, secrets, signal, address }), given, safeIo),
    dialect,
  );
}

/** Null: without one; undefined: as recorded. */
function faultOf(mutant: string | undefined): string | null | undefined {
  if (mutant === undefined || mutant === 'none') return mutant === undefined ? undefined : null;
  const fault = mutantOf(mutant);
  if (fault === ALL_MUTANTS || fault?.includes(',') === true)
    throw new UsageError('--mutant takes one planted bug here');
  return fault;
}

/** With `--verbose` the report, then every failure and the verdict. */
function print(result: ReplayResult, output: ReplaySettings, io: Io): ExitCode {
  const { report, redactor, problem, failed, word, told, exitCode } = result;
  if (output.verbose) printReport(report, result, { ...output, formats: ['terminal'], open: false }, io);
  saveDiagram(report, output.diagram, io);
  if (problem !== null) throw problem;
  for (const { id, failures } of output.quiet ? [] : failed) {
    const [first] = failures;
    io.out(
      redactor.text(
        `  ${id}\n    Expected: ${truncated(first?.expected ?? '', 400)}\n      Actual: ${truncated(first?.actual ?? '', 400)}\n`,
      ),
    );
  }
  io.out(redactor.text(`${word}: ${told}  (exit ${exitCode})\n`));
  return exitCode;
}
