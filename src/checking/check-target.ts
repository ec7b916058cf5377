/**
 * `checking/` promises the way from a target to a report, to the command line, the library and vitest alike: it plans a run,
 * checks the target, and confirms its failures. It reads no arguments and prints nothing.
 */
import { join } from 'node:path';
import type { HistoryEvent } from '../history/events.js';
import { whatCounts, WHOLE } from '../history/selection.js';
import type { Findings } from '../oracle/index.js';
import type { Report } from '../report/index.js';
import type { Script } from '../scenario/index.js';
import type { LeftOut } from '../schedule/draw-plan.js';
import { REQUIREMENTS } from '../spec/index.js';
import { Bail } from './bail.js';
import type { CheckTargetOptions } from './check-options.js';
import { conclude, type Conclusions } from '../judging/conclude.js';
import { decidedIn, type Concluded, type RunToConclude } from '../judging/conclude-run.js';
import type { ConcludeThread } from '../judging/conclude-thread.js';
import type { StepDeadlines } from '../judging/deadlines.js';
import { withConfirmed } from './confirm/add-to-report.js';
import type { ReportFolder } from '../files/report-folder.js';
import { nonconformance } from './nonconformance.js';
import { planGivenScripts, planRun, type RunPlan } from './plan/plan-run.js';
import type { PlannedTarget } from './plan/plan-target.js';
import { limitAtPaceMs, runsUntilMs } from './plan/time-limit.js';
import { CREATED_JOBS, runToConclude, type Check, type PlayedCheck } from './run-to-conclude.js';
import { slowerNow } from './slower.js';
import { runWithinLimit, type LimitedRun } from './run-within-limit.js';
import { select, shardOf, type Selection } from './selectors.js';
import { shippedScenarios } from '../files/shipped-scenarios.js';

export type { CheckTargetOptions } from './check-options.js';

/** What `checkTarget` found, and what it found it from. @public */
export interface CheckResult {
  /**
   * No `must` failed, except those that `skip` leaves out, at least one of those that were selected was decided, and
   * none of them stayed open without another explanation than the target although the scenarios that were played
   * decide it. What was not played counts only in `report.conforms`.
   */
  readonly conforms: boolean;
  /** Every requirement with its verdict, the readings of open questions, the lateness of timers. */
  readonly findings: Findings;
  /** What was sent and what came back, without the target's keys; `judge` accepts it. */
  readonly history: readonly HistoryEvent[];
  /** Script n of the history is script n of this list. */
  readonly scripts: readonly Script[];
  /** Scenarios that were not run on this target, each with the reason. */
  readonly leftOut: readonly LeftOut[];
  /** The report, as `report.json` contains it. Its `exitCode` is that of `runproof check`. */
  readonly report: Report;
  /** The folder of the report; null without `out`. */
  readonly folder: string | null;
  /** An error of Runproof itself while judging, otherwise null. With an error, nothing is decided. */
  readonly problem: Error | null;
  /** Returns if the target conforms. @throws {RunproofError} `does-not-conform`, with the causes and their proof */
  assertConforms(): void;
}

/** Part of the budget that planning may take. Scripts that are not planned by then are left out. */
const PLANNING_SHARE = 0.5;

/**
 * Checks a target: plans which scripts to run, runs them, judges the history, and builds the report.
 * The target stays open: close it yourself.
 *
 * @throws {TargetError} when the target cannot be used at all. What an implementation answers never throws.
 * @throws {RunproofError} `usage` when `only` or `skip` match nothing, or the folder `out` cannot be written
 *
 * @example
 *     import { checkTarget, scenario, simulatorTarget } from 'runproof';
 *
 *     const health = scenario({
 *       title: 'reads the health record',
 *       exercises: ['4/operation-health'],
 *       script: (_, s) => [s.health()],
 *     });
 *     const target = simulatorTarget({ seed: 1 });
 *     // Without `scenarios` all those that ship are run.
 *     const { conforms, findings } = await checkTarget(target, {
 *       seed: 1,
 *       scenarios: [{ name: 'own/health', ...health }],
 *     });
 *     for (const { id, verdict, text } of findings.requirements) {
 *       if (verdict === 'fail') console.log(id, text);
 *     }
 *     await target.close();
 *     if (!conforms) process.exitCode = 1;
 *
 * @public
 */
export async function checkTarget(
  target: PlannedTarget,
  options: CheckTargetOptions = {},
): Promise<CheckResult> {
  const startedMs = options.startedMs ?? performance.now();
  const signal = options.signal ?? new AbortController().signal;
  const selection = await selectionOf(options);
  const plan = await planOf(target, options, selection, signal, startedMs);
  options.onPlan?.(plan);
  const secrets = [...new Set([...(options.secrets ?? []), ...(target.keys ?? [])])];
  const { budgetMs, onPhase } = options;
  const check = { target, options, selection, plan, signal, startedMs, secrets };
  const concluded = await conclude(
    {
      out: options.out,
      cwd: options.cwd,
      formats: options.formats,
      secrets,
      signal,
      endsMs: budgetMs === undefined ? undefined : startedMs + budgetMs,
      // Without files to write and without a budget, nothing needs a thread.
      inThread: options.out !== undefined || budgetMs !== undefined || options.shrink === true,
      // What is shrunk without a call is part of the proof.
      onPhase: (phase, ...decided) =>
        onPhase?.(phase === 'shrinking' && options.shrink === false ? 'judging' : phase, ...decided),
      confirm: (...done) => confirm(check, ...done),
    },
    (folder, deadlines, thread) => play(check, folder, deadlines, thread),
  );
  return resultOf(check, concluded);
}

async function selectionOf({
  only = [],
  skip = [],
  scenarios,
  shard,
}: CheckTargetOptions): Promise<Selection> {
  const all = scenarios ?? (await shippedScenarios());
  const whole =
    only.length === 0 && skip.length === 0
      ? { scenarios: all, asked: WHOLE }
      : select(only, skip, REQUIREMENTS, all);
  return shardOf(whole, shard);
}

function planOf(
  target: PlannedTarget,
  options: CheckTargetOptions,
  selection: Selection,
  signal: AbortSignal,
  startedMs: number,
): Promise<RunPlan> {
  const { seed = 0, runs = null, explored = 0, budgetMs = null, scripts } = options;
  if (scripts !== undefined)
    return Promise.resolve(planGivenScripts(target, scripts, { selection, seed, budgetMs }));
  const plannedByMs = startedMs + PLANNING_SHARE * (budgetMs ?? Infinity);
  const goesOn = (): boolean => !signal.aborted && performance.now() < plannedByMs;
  return planRun(target, { selection, seed, runs, explored, budgetMs }, goesOn);
}

/** Runs the scripts. */
async function play(
  check: Check,
  folder: ReportFolder | null,
  deadlines: StepDeadlines,
  thread: ConcludeThread,
): Promise<PlayedCheck> {
  const { options, secrets } = check;
  const { createdJobs } = options;
  if (folder !== null) createdJobs?.file.attach(join(folder.path, CREATED_JOBS), createdJobs.where, secrets);
  const at = options.timestamp?.() ?? new Date().toISOString();
  const done = await runScriptsOf(check, folder, deadlines, thread);
  options.onRun?.(done);
  options.onPhase?.('judging', null);
  if (done.stoppedBecause !== null) options.onMessage?.(`stopped early: ${done.stoppedBecause}`);
  return runToConclude(check, done, at, folder, deadlines);
}

async function runScriptsOf(
  { target, options, plan, selection, signal, startedMs }: Check,
  folder: ReportFolder | null,
  deadlines: StepDeadlines,
  thread: ConcludeThread,
): Promise<LimitedRun> {
  const { edition = 'document', concurrency, budgetMs, baseline = null } = options;
  const { asked } = selection;
  const watched = { asked, edition, baseline, isShared: target.clock === 'real', scripts: plan.scripts };
  const bail = options.bail === true ? new Bail(watched, deadlines) : null;
  const limitMs =
    budgetMs === undefined
      ? (plan.limitMs ?? undefined)
      : Math.max(0, runsUntilMs(budgetMs) + startedMs - performance.now());
  let isSlower = false;
  const done = await runWithinLimit({
    target,
    scripts: plan.scripts,
    seed: plan.seed,
    edition,
    selection: asked === WHOLE ? undefined : asked,
    concurrency,
    limitMs,
    limit: budgetMs === undefined ? 'time' : 'budget',
    interrupted: signal,
    onEvent(event, stop) {
      folder?.append(event);
      thread.hear(event, { edition, selection: asked });
      bail?.see(event, (id) => stop(`${id} failed (--bail)`));
    },
    onProgress: (progress) => options.onProgress?.(progress),
    onSlower(callsPerSecond) {
      if (!isSlower) options.onMessage?.(slowerNow(callsPerSecond));
      isSlower = true;
      return budgetMs === undefined ? limitAtPaceMs(plan.estimate, callsPerSecond) : undefined;
    },
  });
  await bail?.end();
  return done;
}

/** Plays the scripts that failed a must again: with `shrink` smaller ones, otherwise where that is cheap. */
async function confirm(
  { target, options, selection, signal }: Check,
  concluded: Concluded,
  run: RunToConclude,
  thread: ConcludeThread,
  deadlines: StepDeadlines,
): Promise<Report> {
  const { findings, played, stepsBefore, report } = concluded;
  const { edition = 'document', concurrency } = options;
  const { causes = [] } = report;
  const isSure = target.kind === 'simulator' || causes.length === 0 || options.shrink === false;
  if (run.ending !== 'finished' || (options.shrink !== true && isSure)) return report;
  options.onPhase?.('confirming', decidedIn(findings, selection.asked));
  const about = { findings, scripts: played.scripts, stepsBefore, edition, target, concurrency };
  if (options.shrink !== true) {
    const { intermittentIn } = await import('./confirm/intermittent.js');
    const played = { causes, events: concluded.played.events, deadlines };
    const { intermittent, notRunAgain } = await intermittentIn({ ...about, ...played });
    return withConfirmed(concluded, intermittent, { run, edition, notRunAgain });
  }
  const { confirmFailures } = await import('./confirm/confirmed-failures.js');
  const say = (line: string): void => options.onMessage?.(line);
  const confirmed = await confirmFailures({ ...about, asked: selection.asked, signal, thread, say });
  return withConfirmed(concluded, confirmed, { run, edition });
}

function resultOf(
  { selection, plan }: Check,
  { findings, played, report, problem, folder, redactor }: Conclusions,
): CheckResult {
  const musts = findings.requirements
    .filter(whatCounts(selection.asked, findings.requirements))
    .filter(({ level }) => level === 'must');
  const conforms =
    musts.every(({ verdict, missed }) => verdict !== 'fail' && missed !== 'unexplained') &&
    musts.some(({ verdict }) => verdict === 'pass');
  let history: readonly HistoryEvent[] | null = null;
  return {
    conforms,
    findings,
    scripts: played.scripts,
    leftOut: plan.leftOut,
    report,
    problem,
    folder,
    assertConforms() {
      if (problem !== null) throw problem;
      if (!conforms) throw nonconformance(report, folder);
    },
    get history() {
      return (history ??= played.events.map((event) => redactor.event(event)));
    },
  };
}
