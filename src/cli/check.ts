/** `check`: target → limits → scripts → plan → play → judge → report. */
import { join } from 'node:path';
import type { CallEvent, HistoryEvent } from '../history/events.js';
import type { Findings } from '../oracle/index.js';
import { createRedactor, type ExitCode } from '../report/index.js';
import { escapeControls } from '../report/escape.js';
import type { Plan } from '../schedule/draw-plan.js';
import type { NamedScenario, Script } from '../scenario/index.js';
import { REQUIREMENTS } from '../spec/index.js';
import type { DurationEstimate, HttpTarget } from '../target/http/index.js';
import { baselineFile } from './baseline-file.js';
import { printReport } from './print-report.js';
import {
  concludeRun,
  FORMATS_DEFAULT,
  writeReport,
  type BaselineFile,
} from '../app/conclude/conclude-run.js';
import { ConcludeThread } from '../app/conclude/conclude-thread.js';
import type { RawOptions } from './config-file.js';
import { dialectSettings, saveDialect, type DialectSettings } from './dialect-option.js';
import { adviceLines, describePlan, limitLines, reasonOf } from './describe-plan.js';
import { UnreachableError, UsageError } from '../app/errors.js';
import { withTarget, type OpenedTarget } from './open-target.js';
import type { Io } from './io.js';
import { shippedScenarios } from '../app/shipped-scenarios.js';
import { loadAllScenarios } from './load-scenarios.js';
import { forecastOf, newSeed, planRun, workersAdvice } from '../app/plan/plan-run.js';
import { confirmFailures, type ConfirmedFailure } from '../app/confirm/confirmed-failures.js';
import { StepDeadlines } from '../app/conclude/deadlines.js';
import { runWithinLimit, type LimitedRun } from '../app/run-within-limit.js';
import { createProgress } from './progress.js';
import { openReportFolder, type ReportFolder } from '../app/files/report-folder.js';
import { tokenOf } from '../app/files/replay-token.js';
import { withConfirmed } from '../app/confirm/add-to-report.js';
import { warningsOf } from '../app/run-warnings.js';
import { select, type Selection } from '../app/selectors.js';
import {
  playedBy,
  timeLimitOf,
  tooLittleTime,
  waitLines,
  type PlayedInTime,
} from '../app/plan/time-limit.js';
import {
  outputSettings,
  scopeSettings,
  targetSettings,
  text,
  type OutputSettings,
  type TargetSettings,
} from './settings.js';

const LEDGER = 'jobs.ndjson';

interface Job {
  readonly settings: TargetSettings;
  readonly output: OutputSettings;
  readonly selection: Selection;
  readonly dialect: DialectSettings;
  /** Those that `replay` has at hand as well. */
  readonly scenarios: readonly NamedScenario[];
  readonly baseline: BaselineFile | null;
  readonly seed: number;
  readonly runs: number | null;
  readonly explored: number;
  /** Failing scripts are made small and played again. */
  readonly shrink: boolean;
  /** When the command was given, on the clock of `io`: the budget counts from there. */
  readonly begunMs: number;
}

export async function check(raw: RawOptions, io: Io): Promise<ExitCode> {
  const begunMs = io.monotonicMs();
  const output = outputSettings(raw);
  const settings = targetSettings(raw, io);
  const { only, skip, seed, runs, explored } = scopeSettings(raw);
  const scenarios = await loadAllScenarios(text(raw, 'scenarios'), io.cwd);
  const selection = select(only, skip, REQUIREMENTS, scenarios);
  const dialect = dialectSettings(raw, io.cwd, settings.edition);
  const job: Job = {
    settings,
    output,
    selection,
    baseline: baselineFile(raw, io),
    dialect,
    runs,
    explored,
    shrink: raw['shrink'] === true,
    begunMs,
    seed: seed ?? newSeed(),
    scenarios: await shippedScenarios(),
  };
  return withTarget(settings, io, (opened, told) => checkTarget(opened, job, told), dialect.held?.dialect);
}

/** A key that every call was refused with, or a target that never answered, is nothing to judge. */
function assertAnswered(events: readonly HistoryEvent[], name: string): void {
  const withKey = events.filter(
    (event) =>
      event.kind === 'call' &&
      // What the end of the run cut off had no time to be answered.
      event.lost !== 'aborted' &&
      (event.request.auth === 'bare' || event.request.auth === 'bearer'),
  ) as readonly CallEvent[];
  const answered = withKey.filter(({ reply }) => reply !== null);
  if (withKey.length > 0 && answered.length === 0) {
    throw new UnreachableError(`${name} did not answer a single call: is it still running?`);
  }
  if (answered.length > 0 && answered.every(({ reply }) => reply?.status === 401)) {
    throw new UnreachableError(`${name} refuses the key with 401 everywhere: is it the right one?`);
  }
}

/** Of a budget: what is not planned by then is not played. */
const PLANNED_SHARE = 0.5;

async function checkTarget(opened: OpenedTarget, job: Job, io: Io): Promise<ExitCode> {
  const { target } = opened;
  const { budgetMs } = job.settings;
  const budgetEndsMs = budgetMs === null ? null : job.begunMs + budgetMs;
  const plannedByMs = job.begunMs + PLANNED_SHARE * (budgetMs ?? Infinity);
  const goesOn = (): boolean => !opened.interrupted.aborted && io.monotonicMs() < plannedByMs;
  const plan = await planRun(target, { ...job, budgetMs }, goesOn);
  const foreseen = target.clock === 'real' ? forecastOf(plan, target) : null;
  const limitMs = timeLimitOf(foreseen, budgetMs);
  announce(plan, target, foreseen, job, io);
  if (plan.scripts.length === 0) throw new UsageError(nothingToRun(plan));
  const redactor = createRedactor(opened.secrets);
  const folder = openReportFolder(job.output.out ?? defaultFolder(opened, job.seed), io.cwd, redactor);
  opened.createdJobs.attach(
    join(folder.path, LEDGER),
    {
      url: opened.url ?? '',
      auth: target.auth,
      basePath: job.settings.basePath,
    },
    opened.secrets,
  );
  const deadlines = new StepDeadlines(io, opened.interrupted, budgetEndsMs);
  const thread = new ConcludeThread(deadlines);
  try {
    const at = io.timestamp();
    const playMs =
      budgetEndsMs === null ? limitMs : Math.max(0, playedBy(budgetMs!) + job.begunMs - io.monotonicMs());
    const played = await play(opened, plan, job, playMs, folder, io);
    const inTime: PlayedInTime = {
      target,
      scripts: plan.scripts,
      leftOut: plan.leftOut,
      scenarios: job.selection.scenarios,
      events: played.events,
      profile: job.settings.profile,
      limitMs,
      wasCut: played.ending === 'time' || played.ending === 'budget',
    };
    if (played.ending === 'finished' || played.ending === 'target-gone')
      assertAnswered(played.events, target.name);
    const run = {
      ...played,
      at,
      secrets: opened.secrets,
      redactor,
      folder,
      foreseen,
      scripts: plan.scripts,
      url: opened.url,
      basePath: opened.basePath,
      replayArguments: opened.replayArguments,
      whyUndecided: tooLittleTime(inTime),
      warnings: warningsOf(played, inTime, foreseen, opened.createdJobs.open(), join(folder.name, LEDGER)),
      judges: job.selection.judges,
      minDecided: job.output.minDecided,
      baseline: job.baseline,
      today: at.slice(0, 10),
      dialect: job.dialect.held?.dialect ?? null,
      tokenOf: (script: Script, requirements: readonly string[]) =>
        tokenOf(script, { ...job, requirements, edition: job.settings.edition, limits: target.limits }),
      judgeOptions: { edition: job.settings.edition },
    };
    const formats = job.output.formats ?? FORMATS_DEFAULT;
    const concluded = await concludeRun(run, thread, deadlines);
    const { findings } = concluded;
    saveDialect(findings, job.dialect, io);
    const small = await smallFailures(opened, findings, plan, job, played, thread, io);
    const report = withConfirmed(concluded, small, { ...run, edition: job.settings.edition });
    await writeReport(report, run, formats, thread);
    const exitCode = printReport(report, run, job.output, formats, io);
    if (concluded.problem !== null) throw concluded.problem;
    return exitCode;
  } finally {
    await thread.end();
    folder.close();
  }
}

/** Nobody who has had enough waits for more, and what is left of a budget is spent. */
async function smallFailures(
  { target, interrupted }: OpenedTarget,
  findings: Findings,
  { scripts }: Plan,
  { shrink, selection, settings }: Job,
  { ending }: LimitedRun,
  thread: ConcludeThread,
  io: Io,
): Promise<readonly ConfirmedFailure[]> {
  if (!shrink || ending !== 'finished') return [];
  const say = (line: string): void => io.err(`${line}\n`);
  const { edition } = settings;
  return confirmFailures({
    findings,
    scripts,
    judges: selection.judges,
    edition,
    target,
    signal: interrupted,
    thread,
    say,
  });
}

async function play(
  opened: OpenedTarget,
  plan: Plan,
  job: Job,
  limitMs: number | null,
  folder: ReportFolder,
  io: Io,
): Promise<LimitedRun> {
  const progress = createProgress(job.output.progress, job.output.quiet, io);
  try {
    return await runWithinLimit(
      {
        target: opened.target,
        scripts: plan.scripts,
        seed: plan.seed,
        edition: job.settings.edition,
        concurrency: job.settings.concurrency,
        limitMs,
        limit: job.settings.budgetMs === null ? 'time' : 'budget',
        interrupted: opened.interrupted,
        onEvent: (event) => folder.append(event),
        onProgress: progress.onProgress,
      },
      io,
    );
  } finally {
    progress.stop();
  }
}

function announce(
  plan: Plan,
  target: HttpTarget,
  foreseen: DurationEstimate | null,
  { output, settings, selection }: Job,
  io: Io,
): void {
  if (output.quiet) return;
  const lines = [
    `target ${target.name}, ${target.clock} clock`,
    ...target.notes,
    ...describePlan(plan, target.clock, foreseen),
    ...limitLines(timeLimitOf(foreseen, settings.budgetMs)),
    ...waitLines(target, settings.profile, selection.judges),
    ...(foreseen === null ? [] : adviceLines(workersAdvice(plan, target, foreseen))),
  ];
  io.err(`${lines.map(escapeControls).join('\n')}\n`);
}

function nothingToRun({ leftOut }: Plan): string {
  const first = leftOut.find(({ forBudget }) => forBudget === true) ?? leftOut[0];
  return `nothing can be checked on this target${first === undefined ? '' : `: ${first.scenario} ${reasonOf(first)}`}`;
}

function defaultFolder({ url, endpoint }: OpenedTarget, seed: number): string {
  const name = url === null ? 'embedded' : `${new URL(url).host}${endpoint === null ? '' : `-${endpoint}`}`;
  return `reports/${name.replace(/[^A-Za-z0-9.]+/g, '-')}-${seed}`;
}
