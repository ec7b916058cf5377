/**
 * `features/` promises a folder for each command, which reads its settings, does what it says, and prints. Here: `check`, which
 * opens the target, checks it, and prints the report.
 */
import { checkTarget } from '../../checking/check-target.js';
import { UnreachableError, UsageError } from '../../util/errors.js';
import { newSeed, type RunPlan } from '../../checking/plan/plan-run.js';
import { select } from '../../checking/selectors.js';
import type { CallEvent, HistoryEvent } from '../../history/events.js';
import { createRedactor, type ExitCode } from '../../report/index.js';
import { missingOf } from '../../spec/capability-words.js';
import { REQUIREMENTS } from '../../spec/index.js';
import { baselineFile } from '../../cli/baseline-file.js';
import type { RawOptions } from '../../cli/option.js';
import { planLine, planLines, reasonOf } from './describe-plan.js';
import { saveDiagram } from '../../cli/diagram-file.js';
import { dialectSettings, saveDialect } from '../../cli/dialect-option.js';
import type { Io } from '../../cli/io.js';
import type { LastFailed } from './last-failed.js';
import { loadAllScenarios } from './load-scenarios.js';
import { stepsAfterCheck } from '../../cli/next-steps.js';
import { withTarget, type OpenedTarget } from '../../cli/open-target.js';
import { checkOnRestart } from './watch.js';
import { printReport } from '../../cli/print-report.js';
import { createProgress } from '../../cli/progress.js';
import {
  flag,
  outputSettings,
  scopeSettings,
  targetSettings,
  type OutputSettings,
  type ScopeSettings,
  type TargetSettings,
} from '../../cli/settings.js';
import { TimeSpent } from './time-spent.js';

export async function check(raw: RawOptions, io: Io): Promise<ExitCode> {
  return flag(raw, 'watch') ? checkOnRestart(raw, io, checkOnce) : checkOnce(raw, io);
}

async function checkOnce(raw: RawOptions, io: Io): Promise<ExitCode> {
  const startedMs = io.monotonicMs();
  const output = outputSettings(raw, io);
  const settings = targetSettings(raw, io);
  const last = flag(raw, 'lastFailed') ? await failedBefore(output, settings, io.cwd) : null;
  const scope = again(scopeSettings(raw, io), last, io);
  const scenarios = await loadAllScenarios(scope.scenarios, io);
  // A selector that matches nothing is an error before the target is opened.
  select(scope.only, scope.skip, REQUIREMENTS, scenarios);
  const dialect = dialectSettings(raw, io.cwd, settings.edition);
  const baseline = baselineFile(raw, io);
  const seed = scope.seed ?? newSeed();
  const { concurrency, budgetMs, edition } = settings;
  const spent = new TimeSpent(() => io.monotonicMs(), 'planning', startedMs);
  let progress = createProgress(output.progress, null, io, 'planning');
  const checkOpened = async (opened: OpenedTarget, safeIo: Io): Promise<ExitCode> => {
    const { target, secrets, url } = opened;
    const out = output.out ?? last?.folder ?? `${folderName(opened)}-${seed}`;
    const scripts = last?.scripts.filter(({ needs }) => missingOf(needs, target.capabilities).length === 0);
    const result = await checkTarget(target, {
      ...output,
      ...scope,
      ...baseline,
      seed,
      scripts: scripts?.length === 0 ? undefined : scripts,
      scenarios,
      edition,
      concurrency,
      budgetMs,
      dialect: dialect.held?.dialect,
      shrink: shrinkSetting(raw),
      bail: flag(raw, 'bail'),
      out,
      secrets,
      startedMs,
      cwd: io.cwd,
      address: opened,
      createdJobs: {
        file: opened.createdJobs,
        where: { url: url ?? '', auth: target.auth, basePath: settings.basePath ?? null },
        cleanOptions: settings.cleanOptions,
      },
      signal: opened.interrupted,
      timestamp: safeIo.timestamp,
      onPlan(plan) {
        progress.stop();
        // The embedded endpoint is ours: what is sent to it, and what is left out, concerns no user.
        const brief = url === null && !output.verbose;
        const lines = brief ? [planLine(plan)] : planLines(plan, output.verbose);
        safeIo.note(`${lines.join('\n')}\n`);
        if (plan.scripts.length === 0) throw new UsageError(nothingToRun(plan));
        progress = createProgress(output.progress, plan.estimate?.wallMs ?? null, safeIo);
        spent.begin('running');
      },
      onProgress: (event) => progress.onProgress(event),
      onRun({ events, ending }) {
        if (ending === 'finished' || ending === 'target-gone') assertAnswered(events, target.name);
      },
      onPhase(phase, decided) {
        spent.begin(phase);
        progress.onPhase(phase, decided);
      },
      onMessage: (line) => progress.print(line),
    });
    progress.stop();
    saveDialect(result.findings, dialect, safeIo);
    saveDiagram(result.report, output.diagram, safeIo);
    const redactor = createRedactor(secrets);
    const { folder } = result;
    const isAgain = last !== null && last.requirements.length > 0;
    const next = stepsAfterCheck(result.report, { url, folder, isAgain });
    const printed = { redactor, folder, spent: spent.text(), next };
    const exitCode = printReport(result.report, printed, output, safeIo);
    if (result.problem !== null) throw result.problem;
    return exitCode;
  };
  try {
    return await withTarget(settings, io, checkOpened, dialect.held?.dialect);
  } finally {
    progress.stop();
  }
}

function shrinkSetting(raw: RawOptions): boolean | undefined {
  const [shrinks, never] = [flag(raw, 'shrink'), flag(raw, 'noShrink')];
  if (shrinks && never) throw new UsageError('choose one of --shrink and --no-shrink');
  return shrinks || never ? shrinks : undefined;
}

/** Where no call was answered, or every call was refused because of the key, there is nothing to judge. */
function assertAnswered(events: readonly HistoryEvent[], name: string): void {
  const withKey = events.filter(
    (event) =>
      event.kind === 'call' &&
      // Calls that the end of the run aborted, or a script broke off, had no time to be answered.
      event.lost !== 'aborted' &&
      event.lost !== 'hung-up' &&
      (event.request.auth === 'bare' || event.request.auth === 'bearer'),
  ) as readonly CallEvent[];
  const answered = withKey.filter(({ reply }) => reply !== null);
  if (withKey.length > 0 && answered.length === 0) {
    throw new UnreachableError(`${name} did not answer a single call: is it still running?`);
  }
  if (answered.length > 0 && answered.every(({ reply }) => reply?.status === 401)) {
    throw new UnreachableError(`${name} rejected the API key with 401 in every call: check the key`);
  }
}

function nothingToRun({ leftOut }: RunPlan): string {
  const first = leftOut.find(({ forBudget }) => forBudget === true) ?? leftOut[0];
  return `nothing can be checked on this target${first === undefined ? '' : `: ${first.scenario} ${reasonOf(first)}`}`;
}

/** Where reports of the target are; the seed follows. */
function folderName({ url, endpoint }: Pick<OpenedTarget, 'url' | 'endpoint'>): string {
  const name = url === null ? 'embedded' : `${new URL(url).host}${endpoint === null ? '' : `-${endpoint}`}`;
  return `reports/${name.replace(/[^A-Za-z0-9.]+/g, '-')}`;
}

/** @throws {UsageError} without a report */
async function failedBefore(
  { out }: OutputSettings,
  { address, endpoint }: TargetSettings,
  cwd: string,
): Promise<LastFailed> {
  const { lastFailed, newestReport } = await import('./last-failed.js');
  const name = folderName({ url: address?.baseUrl ?? null, endpoint: endpoint ?? null });
  const folder = out ?? newestReport(name, cwd);
  if (folder !== null) return lastFailed(folder, cwd);
  throw new UsageError(
    `--last-failed: there is no report ${name}-SEED of a run that has finished. Name its folder by --out, or run check without it first`,
  );
}

/** With the question of the last run, where something failed in it. */
function again(scope: ScopeSettings, last: LastFailed | null, io: Io): ScopeSettings {
  if (last === null) return scope;
  if (scope.only.length + scope.skip.length > 0)
    throw new UsageError('--last-failed says what is checked: omit --only and --skip');
  const seed = scope.seed ?? last.seed;
  if (last.requirements.length > 0) {
    io.note(`what failed in ${last.folder} is checked again\n`);
    return { ...scope, seed, only: last.requirements };
  }
  const why = last.hasFinished ? 'nothing failed in' : 'nothing had failed when the run ended early, in';
  io.note(`${why} ${last.folder}: everything is checked\n`);
  return { ...scope, seed };
}
