/** `judge`: judges recorded traffic, or the history of a run again, without a target. */
import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { judgeHistory, type JudgedHistory } from './judge-history.js';
import { formatContradiction } from '../../oracle/index.js';
import { truncated, jsonText, escapeControls } from '../../report/escape.js';
import type { ExitCode } from '../../report/index.js';
import { baselineFile } from '../../cli/baseline-file.js';
import { saveDiagram } from '../../cli/diagram-file.js';
import { saveDigests } from './digests-file.js';
import { stepsAfterJudging } from '../../cli/next-steps.js';
import { createProgress } from '../../cli/progress.js';
import { printReport } from '../../cli/print-report.js';
import { settingsOf, type RawOptions } from '../../cli/option.js';
import { dialectSettings, saveDialect } from '../../cli/dialect-option.js';
import { readRecorded } from './recorded-traffic.js';
import { UsageError } from '../../util/errors.js';
import type { Io } from '../../cli/io.js';
import { JUDGE_OPTIONS } from '../../cli/command-options.js';
import { outputSettings, text, texts } from '../../cli/settings.js';

export async function judge(raw: RawOptions, io: Io): Promise<ExitCode> {
  const output = outputSettings(raw, io);
  const {
    only,
    skip,
    edition,
    graceMs,
    world,
    complete,
    crashes,
    clockSkewMs,
    endpoints,
    executionTimeoutDefaultMs,
  } = settingsOf(JUDGE_OPTIONS, raw, io.cwd);
  const capture = {
    others: world && world === 'open',
    complete: complete && complete === 'yes',
    crashes: crashes && crashes === 'yes',
    clockSkewMs,
    executionTimeoutDefaultMs,
    endpoints,
  };
  const dialect = dialectSettings(raw, io.cwd, null);
  const smallest = text(raw, 'saveSmallest');
  if (smallest !== undefined && existsSync(resolve(io.cwd, smallest)))
    throw new UsageError(`${smallest} exists already: choose another file with --save-smallest`);
  const stop = new AbortController();
  const forget = io.onInterrupt(() => stop.abort());
  const progress = createProgress(output.progress, null, io, 'judging');
  try {
    const recorded = readRecorded(texts(raw, 'files'), capture, io.cwd, progress.onRead, edition);
    const digests = text(raw, 'saveDigests');
    if (digests !== undefined) saveDigests(recorded, digests, io);
    const judged = await judgeHistory(recorded, {
      ...output,
      only,
      skip,
      edition,
      graceMs,
      dialect: dialect.held?.dialect,
      ...baselineFile(raw, io),
      cwd: io.cwd,
      signal: stop.signal,
      timestamp: io.timestamp,
      onPhase: (phase, decided) => progress.onPhase(phase, decided),
    });
    progress.stop();
    saveDialect(judged.report, dialect, io);
    saveDiagram(judged.report, output.diagram, io);
    const next = stepsAfterJudging(judged.report, texts(raw, 'files'));
    const exitCode = printReport(judged.report, { ...judged, next }, output, io);
    if (smallest !== undefined) saveSmallest(judged, smallest, io);
    if (judged.problem !== null) throw judged.problem;
    return exitCode;
  } finally {
    progress.stop();
    forget();
  }
}

/** The same as in a report on the terminal. */
const ACTUAL_CHARACTERS_MAX = 400;

function saveSmallest(judged: JudgedHistory, file: string, io: Io): void {
  const { smallest: found, report } = judged;
  if (found === undefined) {
    io.out(
      report.requirements.every(({ failures }) => failures.length === 0)
        ? 'nothing failed: nothing to shrink\n'
        : 'no smaller part of the history shows the failure\n',
    );
    return;
  }
  const { events, failure, operations, callsBefore } = found;
  writeFileSync(resolve(io.cwd, file), events.map((event) => `${jsonText(event)}\n`).join(''));
  const { requirement, actual, contradiction } = failure;
  const lines = [
    `${requirement}: ${callsBefore} calls → ${operations.length}`,
    `  Actual: ${truncated(actual, ACTUAL_CHARACTERS_MAX)}`,
    ...(contradiction === undefined
      ? []
      : formatContradiction(contradiction).map((line) => `  ${escapeControls(line)}`)),
    `saved as ${file}`,
  ];
  io.out(`${lines.join('\n')}\n`);
}
