/** `judge`: judges recorded traffic, or the history of a run again, without a target. */
import { existsSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { judgeHistory, type JudgedHistory } from './judge-history.js';
import { formatContradiction } from '../../oracle/index.js';
import { JUDGED_AFTER_SIGNAL_MS } from '../../judging/deadlines.js';
import { formatDuration } from '../../report/formatting.js';
import { truncated, jsonText, escapeControls } from '../../report/escape.js';
import type { ExitCode } from '../../report/index.js';
import { baselineFile } from '../../cli/report/baseline-file.js';
import { saveDiagram } from '../../cli/report/diagram-file.js';
import { saveDigests } from './digests-file.js';
import { stepsAfterJudging } from '../../cli/report/next-steps.js';
import { createProgress } from '../../cli/progress.js';
import { areClientsJudged, codeWithClients } from '../../cli/report/client-code.js';
import { minDecidedIn, printReport } from '../../cli/report/print-report.js';
import { dialectSettings, saveDialect } from '../../cli/options/dialect-option.js';
import { judgeClients } from './judge-clients.js';
import { readRecorded, type GivenCapture } from './recorded-traffic.js';
import { UsageError } from '../../util/errors.js';
import type { Io } from '../../cli/io.js';
import type { JudgeSettings } from './index.js';

export async function judge(settings: JudgeSettings, io: Io): Promise<ExitCode> {
  const { files, only, skip, edition, graceMs, formats, out, diagram, saveSmallest: smallest } = settings;
  const dialect = dialectSettings(settings, io.cwd, null);
  if (smallest !== undefined && existsSync(resolve(io.cwd, smallest)))
    throw new UsageError(`${smallest} exists already: choose another file with --save-smallest`);
  const stop = new AbortController();
  const forget = io.onInterrupt(() => {
    if (!stop.signal.aborted)
      io.note(
        `\nstopping: judging what was read, for up to ${formatDuration(JUDGED_AFTER_SIGNAL_MS)}. Press Ctrl-C again to exit now\n`,
      );
    stop.abort();
  });
  const progress = createProgress('auto', null, io, 'judging');
  try {
    const recorded = readRecorded(files, captureIn(settings), io.cwd, progress.onRead, edition);
    const { saveDigests: digests } = settings;
    if (digests !== undefined) saveDigests(recorded, digests, io);
    const judged = await judgeHistory(recorded, {
      ...{ only, skip, edition, graceMs, formats, out },
      minDecided: minDecidedIn(settings),
      dialect: dialect.held?.dialect,
      clients: areClientsJudged(settings) ? () => judgeClients(recorded, settings) : undefined,
      ...baselineFile(settings, io),
      cwd: io.cwd,
      signal: stop.signal,
      timestamp: io.timestamp,
      onPhase: (phase, decided) => progress.onPhase(phase, decided),
    });
    progress.stop();
    saveDialect(judged.report, dialect, io);
    saveDiagram(judged.report, diagram, io);
    const next = stepsAfterJudging(judged.report, files, historiesBeside(files, io.cwd));
    const exitCode = printReport(judged.report, { ...judged, next }, settings, io);
    if (smallest !== undefined) saveSmallest(judged, smallest, io);
    if (judged.problem !== null) throw judged.problem;
    return codeWithClients(exitCode, judged.report, settings);
  } finally {
    progress.stop();
    forget();
  }
}

/** Of the checks that wrote these HARs. */
const historiesBeside = (files: readonly string[], cwd: string): readonly string[] =>
  files
    .filter((file) => basename(file) === 'calls.har')
    .map((file) => join(dirname(file), 'history.ndjson'))
    .filter((history) => existsSync(resolve(cwd, history)));

function captureIn(settings: JudgeSettings): GivenCapture {
  const { world, complete, crashes, clockSkewMs, endpoints, executionTimeoutDefaultMs } = settings;
  return {
    others: world && world === 'open',
    complete: complete && complete === 'yes',
    crashes: crashes && crashes === 'yes',
    ...{ clockSkewMs, executionTimeoutDefaultMs, endpoints },
  };
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
