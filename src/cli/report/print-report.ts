import { FORMATS_DEFAULT } from '../../report/formats/names.js';
import { documentText } from '../../package-files.js';
import { renderGithub } from '../../report/formats/github.js';
import { forReader } from '../../report/replay-line.js';
import {
  type Reader,
  sectionTitles,
  type ExitCode,
  type MinDecided,
  type Redactor,
  type Report,
} from '../../report/index.js';
import { renderTerminal, type TerminalOptions } from '../../report/terminal/terminal.js';
import { REQUIREMENTS } from '../../spec/index.js';
import { program } from '../../program-name.js';
import { wantsColour, type Io } from '../io.js';
import { nextLines, type NextStep } from './next-steps.js';
import { openPage } from './open-page.js';
import type { Settings } from '../options/option.js';
import type { FORMAT, GENERAL_OPTIONS, MIN_DECIDED, OPEN } from '../options/option-table.js';
import { fileLink } from './terminal-link.js';

/** What the terminal tells besides the report. */
type Told = Pick<TerminalOptions, 'spent' | 'usedPublishedKey'>;

interface Printed extends Told {
  readonly redactor: Redactor;
  /** Where the files of the report are; null if it has none. */
  readonly folder: string | null;
  /** Commands that the user may want to type next. */
  readonly next?: readonly NextStep[];
}

/** How a report is printed. */
export type OutputSettings = Pick<
  Settings<typeof FORMAT & typeof OPEN & typeof GENERAL_OPTIONS>,
  'formats' | 'open' | 'quiet' | 'verbose'
>;

/** How many requirements have to be decided. */
export const minDecidedIn = ({
  requireConforms,
  minDecided,
}: Settings<typeof MIN_DECIDED>): MinDecided | undefined => requireConforms ?? minDecided;

/** Prints the report, or its verdict alone, and gives the exit code. */
export function printReport(
  report: Report,
  { redactor, folder, next = [], ...told }: Printed,
  output: OutputSettings,
  io: Io,
): ExitCode {
  const formats = output.formats ?? FORMATS_DEFAULT;
  const page = folder !== null && formats.includes('html') ? `${folder}/report.html` : null;
  if (output.open && page !== null) openPage(page, io);
  if (output.quiet || !formats.includes('terminal')) {
    io.out(redactor.text(`${report.verdict}  (exit ${report.exitCode})\n`));
    return report.exitCode;
  }
  const reader = { program: program(), directory: folder };
  io.out(redactor.text(terminalText(report, output, reader, io, told)));
  // A workflow of GitHub shows these lines beside the run, unless formats are named without this one.
  if ((output.formats?.includes('github') ?? true) && io.env['GITHUB_ACTIONS'] === 'true')
    io.out(redactor.text(renderGithub(forReader(report, reader))));
  if (folder !== null) io.note(`report: ${fileLink(page ?? folder, io)}\n`);
  for (const line of nextLines(next)) io.note(`${line}\n`);
  return report.exitCode;
}

/** The report as this terminal shows it. */
export const terminalText = (
  report: Report,
  { verbose }: Pick<OutputSettings, 'verbose'>,
  reader: Reader,
  io: Io,
  { spent, usedPublishedKey }: Told = {},
): string =>
  renderTerminal(report, {
    colour: wantsColour(io),
    verbose,
    titles: sectionTitles(documentText()),
    quotes: new Map(REQUIREMENTS.map(({ id, quote }) => [id, quote])),
    ...reader,
    ...{ spent, usedPublishedKey },
    // In a log there is room for all.
    ...(report.subject === 'client' && io.outIsTerminal && { columns: io.columns }),
  });
