/** Joins the reports of the parts of a run, for `report merge` and for the checks of a campaign. */
import { copyFileSync, existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { mergeReports, MergeError } from '../../report/compare/merge.js';
import type { ExitCode, FormatName, MinDecided, Report } from '../../report/index.js';
import { FORMATS_DEFAULT } from '../../report/formats/names.js';
import { UsageError } from '../../util/errors.js';
import type { Io } from '../io.js';
import { mergeExplorations } from '../../exploring/merge-explorations.js';
import { apart, type CheckReport, type WrittenReport } from '../../files/report-files.js';
import { openPage } from './open-page.js';
import { terminalText, type OutputSettings } from './print-report.js';
import { fileLink } from './terminal-link.js';
import { makeFolder } from '../../make-folder.js';
import { fromHere, program } from '../../program-name.js';
import { writeReport } from './write-report.js';

type ExploreReport = Extract<WrittenReport, { readonly kind: 'explore' }>;

/** @param out folder for what is joined, relative to the working directory */
export async function mergeWritten(
  written: readonly WrittenReport[],
  out: string,
  output: OutputSettings & { readonly minDecided: MinDecided | undefined },
  io: Io,
): Promise<ExitCode> {
  const folder = resolve(io.cwd, out);
  if (written.every((each): each is ExploreReport => each.kind === 'explore')) {
    const other = output.formats?.find((format) => !FORMATS_DEFAULT.includes(format));
    const forms = `has no format ${other}: it is merged as ${FORMATS_DEFAULT.join(', ')}`;
    if (other !== undefined)
      throw new UsageError(`${written[0]!.name} is a report of explore, which ${forms}`);
    const { text, page, exitCode } = await mergeExplorations(written, folder, io.cwd);
    io.out(text);
    if (output.open && page !== null) openPage(page, io);
    return exitCode;
  }
  const parts = checksAmong(written, 'merge');
  const scriptOf = (part: number, script: string): string | null => {
    const from = join(parts[part]?.folder ?? '', script);
    if (!existsSync(from)) return null;
    const name = apart(part, script);
    makeFolder(dirname(join(folder, name)));
    copyFileSync(from, join(folder, name));
    return name;
  };
  const merged: Report = {
    ...mergedOf(
      parts.map((part) => part.report),
      { minDecided: output.minDecided, scriptOf },
    ),
    parts: parts.map((part) => relative(folder, part.folder).split(sep).join('/')),
  };
  const formats = output.formats ?? FORMATS_DEFAULT;
  await writeReport(merged, [], formats, folder, io.cwd);
  showReport(merged, formats, output, folder, io);
  const place = formats.includes('html') ? join(folder, 'report.html') : folder;
  if (formats.includes('terminal') && !output.quiet)
    io.note(`report: ${fileLink(relative(io.cwd, place), io)}\n`);
  if (output.open) openPage(join(folder, 'report.html'), io);
  return merged.exitCode;
}

function mergedOf(...[reports, options]: Parameters<typeof mergeReports>): Report {
  try {
    return mergeReports(reports, options);
  } catch (error) {
    if (error instanceof MergeError) throw new UsageError(error.message);
    throw error;
  }
}

export function checksAmong(written: readonly WrittenReport[], action: string): readonly CheckReport[] {
  return written.map((each) => {
    if (each.kind === 'check') return each;
    throw new UsageError(`${each.name} is a report of explore: ${action} takes reports of check`);
  });
}

/** Prints the report, where the terminal is one of the formats. */
export function showReport(
  of: Report,
  formats: readonly FormatName[],
  output: OutputSettings,
  folder: string,
  io: Io,
): void {
  if (!formats.includes('terminal')) return;
  if (output.quiet) return io.out(`${of.verdict}  (exit ${of.exitCode})\n`);
  io.out(terminalText(of, output, { program: program(), directory: fromHere(folder, io.cwd) }, io));
}
