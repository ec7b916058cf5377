import type { RunToConclude } from '../app/conclude/conclude-run.js';
import { documentText } from '../package-files.js';
import {
  renderTerminal,
  sectionTitles,
  type ExitCode,
  type FormatName,
  type Report,
} from '../report/index.js';
import { REQUIREMENTS } from '../spec/index.js';
import { wantsColour, type Io } from './io.js';
import type { OutputSettings } from './settings.js';

/** Prints what a person wants to see. */
export function printReport(
  report: Report,
  { redactor, folder }: Pick<RunToConclude, 'redactor' | 'folder'>,
  output: OutputSettings,
  formats: readonly FormatName[],
  io: Io,
): ExitCode {
  if (output.quiet || !formats.includes('terminal')) {
    io.out(redactor.text(`${report.verdict}  (exit ${report.exitCode})\n`));
    return report.exitCode;
  }
  const text = renderTerminal(report, {
    colour: wantsColour(io, output.noColor),
    verbose: output.verbose,
    titles: sectionTitles(documentText()),
    quotes: new Map(REQUIREMENTS.map(({ id, quote }) => [id, quote])),
    directory: folder?.name ?? null,
  });
  io.out(redactor.text(text));
  if (folder !== null) {
    const page = formats.includes('html') ? '/report.html' : '';
    io.err(`report: ${folder.name}${page}\n`);
  }
  return report.exitCode;
}
