/**
 * `report`: merge joins the parts of a run, diff compares two runs, render writes a report in another format, matrix
 * shows several side by side, badge is one as a badge.
 */
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { jsonText } from '../report/escape.js';
import { isBinding } from '../report/formatting.js';
import { badgeOf, matrixHtml, matrixOf, matrixText } from '../report/matrix.js';
import {
  diffReports,
  diffText,
  mergeReports,
  MergeError,
  sectionTitles,
  type ExitCode,
  type FormatName,
  type Report,
} from '../report/index.js';
import type { RawOptions } from './option.js';
import { documentText } from '../package-files.js';
import { FORMATS_DEFAULT } from '../app/conclude/conclude-run.js';
import { UsageError } from '../app/errors.js';
import type { Io } from './io.js';
import { mergeExplorations } from '../app/explore/merge-explorations.js';
import { ACTIONS, MERGED } from './report-options.js';
import { apart, historyBeside, readReport, type WrittenReport } from '../app/files/report-files.js';
import { flag, outputSettings, text, texts, type OutputSettings } from './settings.js';
import { wordOf } from './values.js';
import { openPage } from './open-page.js';
import { terminalText } from './print-report.js';
import { fileLink } from './terminal-link.js';
import { makeFolder } from '../make-folder.js';
import { fromHere, program } from '../program-name.js';
import { writeReport } from './write-report.js';

type CheckReport = Extract<WrittenReport, { readonly kind: 'check' }>;
type ExploreReport = Extract<WrittenReport, { readonly kind: 'explore' }>;

export async function report(raw: RawOptions, io: Io): Promise<ExitCode> {
  const action = wordOf('the action', text(raw, 'action') ?? '', ACTIONS);
  const output = outputSettings(raw, io);
  const written = texts(raw, 'reports').map((name) => readReport(name, io.cwd));
  if (action === 'merge') return merge(written, output, io);
  if (action === 'diff') return diff(written, output, flag(raw, 'json'), io);
  if (action === 'matrix') return matrix(written, output, flag(raw, 'json'), io);
  if (action === 'badge') return badge(written, io);
  return render(written, output, io);
}

/** Prints the reports side by side; with --out also a page and its data. */
function matrix(
  written: readonly WrittenReport[],
  output: OutputSettings,
  asJson: boolean,
  io: Io,
): ExitCode {
  const reports = checksAmong(written, 'matrix');
  const found = matrixOf(
    reports.map((each) => each.report),
    reports.map(({ name }) => name.replace(/\/(report\.json)?$/, '')),
  );
  if (output.out !== undefined) {
    const folder = resolve(io.cwd, output.out);
    makeFolder(folder);
    writeFileSync(join(folder, 'matrix.html'), matrixHtml(found, sectionTitles(documentText())));
    writeFileSync(join(folder, 'matrix.json'), `${jsonText(found, 2)}\n`);
    const page = relative(io.cwd, join(folder, 'matrix.html'));
    io.note(`written: ${fileLink(page, io)}\n`);
    if (output.open) openPage(page, io);
  }
  io.out(asJson ? `${jsonText(found, 2)}\n` : matrixText(found));
  return 0;
}

/** Prints what shields.io takes for a badge. */
function badge(written: readonly WrittenReport[], io: Io): ExitCode {
  io.out(`${jsonText(badgeOf(onlyCheck(written, 'badge').report), 2)}\n`);
  return 0;
}

function merge(written: readonly WrittenReport[], output: OutputSettings, io: Io): ExitCode {
  const folder = resolve(io.cwd, output.out ?? MERGED);
  if (written.every((each): each is ExploreReport => each.kind === 'explore')) {
    const merged = mergeExplorations(written, folder, io.cwd);
    io.out(merged.text);
    return merged.exitCode;
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
  const merged = mergedOf(
    parts.map((part) => part.report),
    { minDecided: output.minDecided, scriptOf },
  );
  writeReport(merged, [], output.formats ?? FORMATS_DEFAULT, folder, io.cwd);
  show(merged, output.formats ?? FORMATS_DEFAULT, output, folder, io);
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

/** Exit code 1 if a `must`, or a rule for clients, fails that did not fail before. */
function diff(
  written: readonly WrittenReport[],
  { verbose }: OutputSettings,
  asJson: boolean,
  io: Io,
): ExitCode {
  const [before, after, ...more] = checksAmong(written, 'diff');
  if (before === undefined || after === undefined || more.length > 0)
    throw new UsageError(`diff compares two reports: ${program()} report diff BEFORE AFTER`);
  const found = diffReports(before.report, after.report);
  io.out(asJson ? `${jsonText(found, 2)}\n` : diffText(found, verbose));
  const fails = after.report.requirements.filter(isBinding).map(({ id }) => id);
  return found.newlyFailing.some(({ id }) => fails.includes(id)) ? 1 : 0;
}

function render(written: readonly WrittenReport[], output: OutputSettings, io: Io): ExitCode {
  const one = onlyCheck(written, 'render');
  const folder = output.out === undefined ? one.folder : resolve(io.cwd, output.out);
  const formats = output.formats ?? ['terminal'];
  const files = writeReport(one.report, historyBeside(one), formats, folder, io.cwd);
  show(one.report, formats, output, one.folder, io);
  for (const file of files) io.note(`written: ${fileLink(relative(io.cwd, file), io)}\n`);
  const page = files.find((file) => file.endsWith('.html'));
  if (output.open && page !== undefined) openPage(page, io);
  return 0;
}

function onlyCheck(written: readonly WrittenReport[], action: string): CheckReport {
  const [one, ...more] = checksAmong(written, action);
  if (one === undefined || more.length > 0) throw new UsageError(`${action} takes one report`);
  return one;
}

function checksAmong(written: readonly WrittenReport[], action: string): readonly CheckReport[] {
  return written.map((each) => {
    if (each.kind === 'check') return each;
    throw new UsageError(`${each.name} is a report of explore: ${action} takes reports of check`);
  });
}

function show(
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
