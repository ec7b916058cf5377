/** `judge`: judges a recorded history again, without a target. */
import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { TARGET_GONE, type HistoryEvent } from '../history/events.js';
import { whatCounts, WHOLE, type RunSelection } from '../history/selection.js';
import { hasStoppedAnswering } from '../oracle/index.js';
import { formatContradiction } from '../oracle/index.js';
import { truncated, jsonText, escapeControls } from '../report/escape.js';
import { createRedactor, type Ending, type ExitCode } from '../report/index.js';
import { REQUIREMENTS } from '../spec/index.js';
import { baselineFile } from './baseline-file.js';
import { createProgress } from './progress.js';
import { printReport } from './print-report.js';
import { concludeRun, FORMATS_DEFAULT, writeReport, type Concluded } from '../app/conclude/conclude-run.js';
import { exercisedBy } from '../app/conclude/played-scripts.js';
import { ConcludeThread } from '../app/conclude/conclude-thread.js';
import type { RawOptions } from './config-file.js';
import { dialectSettings, saveDialect } from './dialect-option.js';
import { readHistory } from './history-file.js';
import { UsageError } from '../app/errors.js';
import type { Io } from './io.js';
import { shippedScenarios } from '../app/shipped-scenarios.js';
import { StepDeadlines } from '../app/conclude/deadlines.js';
import { openReportFolder } from '../app/files/report-folder.js';
import { select } from '../app/selectors.js';
import { whyStoppedEarly } from '../app/stop-early.js';
import { outputSettings, scopeSettings, text } from './settings.js';
import { durationMs, oneOf } from './values.js';
import { EDITIONS } from './option-values.js';

/** Long, because judging is all that the command does; the user can interrupt it. */
const JUDGE_MS = 600_000;

function endingOf(events: readonly HistoryEvent[]): { ending: Ending; warnings: readonly string[] } {
  const isGone = events.some((event) => event.kind === 'script-end' && event.reason === TARGET_GONE);
  if (isGone || hasStoppedAnswering(events)) return { ending: 'target-gone', warnings: [] };
  const reason = whyStoppedEarly(events);
  return reason === null
    ? { ending: 'finished', warnings: [] }
    : { ending: 'stopped-early', warnings: [`the run stopped early: ${reason}`] };
}

/** By default a history is judged by the question that its run was asked. */
function selectionIn([run]: readonly HistoryEvent[]): RunSelection {
  return (run?.kind === 'run' ? run.selection : undefined) ?? WHOLE;
}

export async function judgeHistory(raw: RawOptions, io: Io): Promise<ExitCode> {
  const output = outputSettings(raw);
  const events = readHistory(text(raw, 'history') ?? '', io.cwd);
  const { only, skip } = scopeSettings(raw);
  const asked =
    only.length + skip.length === 0
      ? selectionIn(events)
      : select(only, skip, REQUIREMENTS, await shippedScenarios()).asked;
  const edition = text(raw, 'edition');
  const grace = text(raw, 'grace');
  const dialect = dialectSettings(raw, io.cwd, null);
  const smallest = text(raw, 'saveSmallest');
  if (smallest !== undefined && existsSync(resolve(io.cwd, smallest)))
    throw new UsageError(`${smallest} exists already: choose another file with --save-smallest`);
  const redactor = createRedactor([]);
  const folder = output.out === null ? null : openReportFolder(output.out, io.cwd, redactor);
  const [begin] = events;
  const capabilities = begin?.kind === 'run' ? begin.capabilities : [];
  const run = {
    events,
    scripts: [],
    url: null,
    replayArguments: [],
    at: null,
    wallMs: 0,
    ...endingOf(events),
    asked,
    exercisedBy: exercisedBy(await shippedScenarios(), { capabilities, limits: { maxWaitMs: Infinity } }),
    minDecided: output.minDecided,
    ...baselineFile(raw, io),
    today: io.timestamp().slice(0, 10),
    dialect: dialect.held?.dialect ?? null,
    judgeOptions: {
      ...(edition === undefined ? {} : { edition: oneOf('edition', edition, EDITIONS) }),
      ...(grace === undefined ? {} : { graceMs: durationMs('grace', grace) }),
    },
    secrets: [],
    redactor,
    folder,
  };
  const stop = new AbortController();
  const forget = io.onInterrupt(() => stop.abort());
  const deadlines = new StepDeadlines(io, stop.signal, null);
  const thread = new ConcludeThread(deadlines, { judgeMs: JUDGE_MS });
  const progress = createProgress(output.progress, null, io, 'judging');
  try {
    for (const event of events) folder?.append(event);
    const formats = output.formats ?? FORMATS_DEFAULT;
    const concluded = await concludeRun(run, thread, deadlines, (decided) =>
      progress.onPhase('shrinking', decided),
    );
    const { report, findings, problem } = concluded;
    saveDialect(findings, dialect, io);
    await writeReport(report, run, formats, thread);
    progress.stop();
    const exitCode = printReport(report, { redactor, folder: folder?.name ?? null }, output, io);
    if (smallest !== undefined) saveSmallest(concluded, asked, smallest, io);
    if (problem !== null) throw problem;
    return exitCode;
  } finally {
    progress.stop();
    forget();
    await thread.end();
    folder?.close();
  }
}

/** The same as in a report on the terminal. */
const ACTUAL_CHARACTERS_MAX = 400;

/** Saves the smallest history of the first failure: that of a must, if one failed. */
function saveSmallest({ findings, shrunk }: Concluded, asked: RunSelection, file: string, io: Io): void {
  const failed = findings.requirements
    .filter(whatCounts(asked, findings.requirements))
    .filter(({ verdict }) => verdict === 'fail');
  const failures = [
    ...failed.filter(({ level }) => level === 'must'),
    ...failed.filter(({ level }) => level !== 'must'),
  ].flatMap(({ failures: all }) => all);
  const found = failures.map((failure) => shrunk.get(failure)).find((each) => each !== undefined);
  if (found === undefined) {
    io.out(
      failures.length === 0
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
