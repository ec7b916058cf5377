/**
 * `report/` promises to render what the oracle found in every output format: one value (`Report`) and one renderer per
 * format. It never judges, reads no file and no clock, and escapes all text from a target.
 */
export type { Ending, ExitCode, MinDecided } from './conclusion.js';
export { replayCommand, type Reader } from './replay-line.js';
export type { Cause } from './causes.js';
export type { Report, ReportFailure, ReportRequirement } from './report.js';
export type { Baseline } from './compare/baseline.js';
export { buildReport, type HistoryTotals, type ReportInput } from './build.js';
export { failureFiles, type FailureFile, FAILURE_SCHEMA } from './failure-file.js';
export type { FormatName } from './formats/names.js';
export { createRedactor, type Redactor } from './redact.js';
export { sectionTitles } from './document-lines.js';
