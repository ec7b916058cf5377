/** `plan`: what check would send, how long it would take and what it would leave behind. It plays nothing. */
import { escapeControls } from '../report/escape.js';
import type { ExitCode } from '../report/index.js';
import { pluralize, formatDuration } from '../report/formatting.js';
import type { Plan } from '../schedule/draw-plan.js';
import { REQUIREMENTS } from '../spec/index.js';
import type { DurationEstimate } from '../target/http/index.js';
import type { RawOptions } from './config-file.js';
import { adviceLines, describePlan, limitLines } from './describe-plan.js';
import type { Io } from './io.js';
import { loadAllScenarios } from './load-scenarios.js';
import { withTarget, type OpenedTarget } from './open-target.js';
import { forecastOf, newSeed, planRun, workersAdvice, type PlanOptions } from '../app/plan/plan-run.js';
import { select } from '../app/selectors.js';
import type { Profile } from '../app/profiles.js';
import { scopeSettings, targetSettings, text } from './settings.js';
import { timeLimitOf, waitLines } from '../app/plan/time-limit.js';

export async function plan(raw: RawOptions, io: Io): Promise<ExitCode> {
  const settings = targetSettings(raw, io);
  const { only, skip, seed, runs, explored } = scopeSettings(raw);
  const scenarios = await loadAllScenarios(text(raw, 'scenarios'), io.cwd);
  const selection = select(only, skip, REQUIREMENTS, scenarios);
  const wish: PlanOptions = {
    selection,
    runs,
    explored,
    seed: seed ?? newSeed(),
    budgetMs: settings.budgetMs,
  };
  return withTarget(settings, io, (opened, told) => showPlan(opened, wish, settings.profile, told));
}

async function showPlan(
  { target, interrupted }: OpenedTarget,
  wish: PlanOptions,
  profile: Profile,
  io: Io,
): Promise<ExitCode> {
  const planned = await planRun(target, wish, () => !interrupted.aborted);
  if (interrupted.aborted) return 130;
  const forecast = forecastOf(planned, target);
  const lines = [
    `target ${target.name}, ${target.clock} clock`,
    ...target.notes,
    ...describePlan(planned, target.clock, forecast),
    ...callLines(forecast),
    ...timeLines(planned, forecast, target.clock),
    ...(target.clock === 'real' ? limitLines(timeLimitOf(forecast, wish.budgetMs)) : []),
    ...waitLines(target, profile, wish.selection.judges),
    ...adviceLines(workersAdvice(planned, target, forecast)),
    leftBehind(target.capabilities.includes('worker-count-known')),
    ...scenarioLines(planned),
  ];
  io.out(`${lines.map(escapeControls).join('\n')}\n`);
  return 0;
}

function callLines({ callsByOperation }: DurationEstimate): readonly string[] {
  const sorted = [...callsByOperation].sort(([, left], [, right]) => right - left);
  return sorted.length === 0 ? [] : [`calls: ${sorted.map(([op, count]) => `${op} ${count}`).join(', ')}`];
}

function timeLines(
  { scripts }: Plan,
  { longestScriptMs }: DurationEstimate,
  clock: string,
): readonly string[] {
  if (clock !== 'real' || scripts.length === 0) return [];
  return [`the longest script takes ${formatDuration(longestScriptMs)}; waits overlap`];
}

function leftBehind(ownEndpoints: boolean): string {
  return ownEndpoints
    ? 'it leaves nothing behind: every script has an endpoint of its own, which is deleted'
    : 'it leaves finished jobs until their retention or ttl is over; jobs still alive are cancelled at the end';
}

function scenarioLines({ scripts }: Plan): readonly string[] {
  const counts = new Map<string, number>();
  for (const { scenario } of scripts) counts.set(scenario, (counts.get(scenario) ?? 0) + 1);
  return [...counts].map(([name, count]) =>
    count === 1 ? `  ${name}` : `  ${name} (${pluralize(count, 'script')})`,
  );
}
