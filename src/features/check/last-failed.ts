/** `check --last-failed`: what failed in the last report of a folder, to be checked again. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { UsageError } from '../../util/errors.js';
import { readSavedFailure } from '../../files/saved-failure.js';
import type { Script } from '../../scenario/index.js';
import { readReport } from '../../files/report-files.js';

export interface LastFailed {
  readonly folder: string;
  /** False: it was interrupted, or its target was lost. */
  readonly hasFinished: boolean;
  /** The seed of that run. */
  readonly seed: number;
  /** Empty: nothing failed. */
  readonly requirements: readonly string[];
  /** The scripts in which they failed, as far as the report has them. */
  readonly scripts: readonly Script[];
}

/** Of what ended by itself or by its limits: an interrupted run, or one of a lost target, has not seen everything. */
const FINISHED: readonly unknown[] = [0, 1, 5, 6];

/**
 * @param folder that of the report
 * @throws {UsageError} without a report there
 */
export async function lastFailed(folder: string, cwd: string): Promise<LastFailed> {
  if (!existsSync(resolve(cwd, folder, 'report.json')))
    throw new UsageError(`--last-failed: there is no report in ${folder}. Run check without it first`);
  const written = readReport(folder, cwd);
  if (written.kind !== 'check' || written.report.subject === 'client') {
    const command = written.kind === 'check' ? 'client' : written.kind;
    throw new UsageError(`--last-failed: ${folder} has a report of ${command}, not of check`);
  }
  const { seed, requirements, exitCode } = written.report;
  const failed = requirements.filter(({ verdict }) => verdict === 'fail');
  const files = failed.flatMap(({ failures }) => failures.map(({ script }) => script));
  const named = [...new Set(files)].filter((file) => file !== null && existsSync(join(written.folder, file)));
  const saved = await Promise.all(named.map((file) => readSavedFailure(join(written.folder, file!), cwd)));
  return {
    folder,
    hasFinished: FINISHED.includes(exitCode),
    seed,
    requirements: failed.map(({ id }) => id),
    scripts: saved.map(({ script }) => script),
  };
}

/**
 * The newest report of a run that finished and failed, whose folder is called so, with any seed behind it:
 * `reports/NAME-SEED`, or `reports/NAME-SEED.2` of the page; without one, the newest that finished, else null.
 */
export function newestReport(name: string, cwd: string): string | null {
  const parent = resolve(cwd, dirname(name));
  const timeOf = (folder: string): number => statSync(join(parent, folder, 'report.json')).mtimeMs;
  const found = (existsSync(parent) ? readdirSync(parent) : [])
    .filter(
      (folder) =>
        folder.startsWith(`${basename(name)}-`) &&
        /^\d+(\.\d+)?$/.test(folder.slice(basename(name).length + 1)),
    )
    .filter((folder) => existsSync(join(parent, folder, 'report.json')))
    .sort((a, b) => timeOf(b) - timeOf(a));
  const codes = found.map((folder) => exitCodeIn(join(parent, folder, 'report.json')));
  const finished = found.filter((_, at) => FINISHED.includes(codes[at]));
  const folder = found.find((_, at) => codes[at] === 1) ?? finished[0];
  return folder === undefined ? null : join(dirname(name), folder);
}

/** Undefined: it cannot be read. */
function exitCodeIn(file: string): unknown {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { readonly exitCode?: unknown }).exitCode;
  } catch {
    return undefined;
  }
}
