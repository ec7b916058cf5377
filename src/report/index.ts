/**
 * `report/` promises to render what the oracle found in every output format: one value (`Report`) and one renderer per
 * format. It never judges, reads no file and no clock, and escapes all text from a target.
 */
export type { Ending, ExitCode } from './conclusion.js';
export { conclude, parseMinDecided, type MinDecided } from './conclusion.js';
export { forReader, replayCommand, type Reader } from './replay-line.js';
export { causesOf, type Cause } from './causes.js';
export type { Report, ReportFailure, ReportRequirement } from './report.js';
export {
  BASELINE_SCHEMA,
  BaselineError,
  parseBaseline,
  updatedBaseline,
  type Baseline,
  type KnownFailure,
} from './compare/baseline.js';
export {
  buildReport,
  historyTotals,
  newCauses,
  sumOfTotals,
  type HistoryTotals,
  type ReportInput,
} from './build.js';
export { failingScripts, failureFiles, type FailureFile, FAILURE_SCHEMA } from './failure-file.js';
export { FAILURE_INDEX_MARK, failureIndex } from './failure-index.js';
export { SHELL_SCRIPT_MARK } from './calls/shell-prelude.js';
export { shellScript } from './calls/shell-script.js';
export { clientReport, judgedByBaseline } from './client/build.js';
export { FIRST_CLIENT_SCHEMA, fromFirstFormat } from './client/first-format.js';
export { renderFormat, type RenderContext } from './formats/index.js';
export { FORMATS, FORMATS_DEFAULT, type Format, type FormatName } from './formats/names.js';
export { mergeReports, MergeError } from './compare/merge.js';
export { diffReports, diffText } from './compare/diff.js';
export { renderTerminal, type TerminalOptions } from './terminal/terminal.js';
export { dialectFile, compareDialect, readDialect, type DialectFile, type LoadedDialect } from './dialect.js';
export { createRedactor, MASK, type Redactor } from './redact.js';
export { curlLine } from './curl.js';
export { sectionTitles } from './document-lines.js';
