/**
 * `report`: merge joins the parts of a run, diff compares two runs, render writes a report in another format, matrix
 * shows several side by side, history shows the runs in folders over time, badge is one as a badge.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { jsonText } from '../../report/escape.js';
import { isBinding } from '../../report/formatting.js';
import { historyHtml, historyOf, historyText, type PastRun } from '../../report/compare/history.js';
import { badgeOf, matrixHtml, matrixOf, matrixText } from '../../report/compare/matrix.js';
import { diffReports, diffText } from '../../report/compare/diff.js';
import { sectionTitles, type ExitCode } from '../../report/index.js';
import { documentText } from '../../package-files.js';
import { UsageError } from '../../util/errors.js';
import type { Io } from '../../cli/io.js';
import { minDecidedIn } from '../../cli/report/print-report.js';
import { checksAmong, mergeWritten, showReport } from '../../cli/report/merge-written.js';
import type { ReportSettings } from './index.js';
import {
  historyBeside,
  readReport,
  reportsIn,
  type CheckReport,
  type WrittenReport,
} from '../../files/report-files.js';
import { openPage } from '../../cli/report/open-page.js';
import { fileLink } from '../../cli/report/terminal-link.js';
import { makeFolder } from '../../make-folder.js';
import { program } from '../../program-name.js';
import { writeReport } from '../../cli/report/write-report.js';

export async function report(settings: ReportSettings, io: Io): Promise<ExitCode> {
  const { action, reports, out = 'reports/merged' } = settings;
  if (action === 'history') return history(reports, settings, io);
  if (reports.length === 0) throw new UsageError(`which report? ${program()} report ${action} REPORT`);
  const written = reports.map((name) => readReport(name, io.cwd));
  if (action === 'merge')
    return mergeWritten(once(written, io), out, { ...settings, minDecided: minDecidedIn(settings) }, io);
  if (action === 'diff') return diff(written, settings, io);
  if (action === 'matrix') return matrix(written, settings, io);
  if (action === 'badge') return badge(written, io);
  return render(written, settings, io);
}

/** Without a check that is given twice, such as by two paths: what is in it would count twice. Explorations know their parts. */
function once(written: readonly WrittenReport[], io: Io): readonly WrittenReport[] {
  const names = new Map<string, string>();
  return written.filter(({ kind, report: content, name }) => {
    const text = jsonText(content);
    const same = kind === 'check' ? names.get(text) : undefined;
    if (same === undefined) names.set(text, name);
    else io.err(`${name} is the same report as ${same}: counted once\n`);
    return same === undefined;
  });
}

/** Prints the reports side by side. */
function matrix(written: readonly WrittenReport[], output: ReportSettings, io: Io): ExitCode {
  const reports = checksAmong(written, 'matrix');
  const found = matrixOf(
    reports.map((each) => each.report),
    labelsOf(reports),
  );
  writePage('matrix', found, () => matrixHtml(found, sectionTitles(documentText())), output, io);
  io.out(output.json ? `${jsonText(found, 2)}\n` : matrixText(found));
  return 0;
}

/** Of several clients their names, such as `runpod-sdk 1.1.2`; otherwise folders, which also tell runs of one apart. */
function labelsOf(reports: readonly CheckReport[]): readonly string[] {
  const names = reports.map(({ report }) => (report.subject === 'client' ? report.target.name : ''));
  return new Set(names.filter((name) => name !== '')).size === reports.length
    ? names
    : reports.map(({ name }) => name.replace(/\/(report\.json)?$/, ''));
}

/** Prints the runs in the folders over time. */
function history(folders: readonly string[], output: ReportSettings, io: Io): ExitCode {
  const { reports, leftOut } = reportsIn(folders.length === 0 ? ['reports'] : folders, io.cwd);
  const found = historyOf(reports, leftOut);
  const pages = new Map(reports.map(({ name, folder }) => [name, join(folder, 'report.html')]));
  const linkFrom =
    (folder: string) =>
    ({ name }: PastRun): string | null => {
      const page = pages.get(name)!;
      return existsSync(page) ? relative(folder, page).split(sep).map(encodeURIComponent).join('/') : null;
    };
  writePage('history', found, (folder) => historyHtml(found, linkFrom(folder)), output, io);
  io.out(output.json ? `${jsonText(found, 2)}\n` : historyText(found, output.verbose));
  return 0;
}

/** With --out: what was found as a page, and its data. */
function writePage(
  name: string,
  found: object,
  html: (folder: string) => string,
  { out, open }: ReportSettings,
  io: Io,
): void {
  if (out === undefined) return;
  const folder = resolve(io.cwd, out);
  makeFolder(folder);
  writeFileSync(join(folder, `${name}.html`), html(folder));
  writeFileSync(join(folder, `${name}.json`), `${jsonText(found, 2)}\n`);
  const page = relative(io.cwd, join(folder, `${name}.html`));
  io.note(`written: ${fileLink(page, io)}\n`);
  if (open) openPage(page, io);
}

/** Prints what shields.io takes for a badge. */
function badge(written: readonly WrittenReport[], io: Io): ExitCode {
  io.out(`${jsonText(badgeOf(onlyCheck(written, 'badge').report), 2)}\n`);
  return 0;
}

/** Exit code 1 if a `must`, or a rule for clients, fails that did not fail before. */
function diff(written: readonly WrittenReport[], { verbose, json }: ReportSettings, io: Io): ExitCode {
  const [before, after, ...more] = checksAmong(written, 'diff');
  if (before === undefined || after === undefined || more.length > 0)
    throw new UsageError(`diff compares two reports: ${program()} report diff BEFORE AFTER`);
  const found = diffReports(before.report, after.report);
  io.out(json ? `${jsonText(found, 2)}\n` : diffText(found, verbose));
  const fails = after.report.requirements.filter(isBinding).map(({ id }) => id);
  return found.newlyFailing.some(({ id }) => fails.includes(id)) ? 1 : 0;
}

async function render(written: readonly WrittenReport[], output: ReportSettings, io: Io): Promise<ExitCode> {
  const one = onlyCheck(written, 'render');
  const folder = output.out === undefined ? one.folder : resolve(io.cwd, output.out);
  const formats = output.formats ?? ['terminal'];
  const files = await writeReport(one.report, historyBeside(one), formats, folder, io.cwd);
  showReport(one.report, formats, output, one.folder, io);
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
