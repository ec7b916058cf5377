/** `plan`: what check would send, how long it would take and what it would leave behind. It runs nothing. */
import { escapeControls, jsonText } from '../../report/escape.js';
import type { ExitCode } from '../../report/index.js';
import { pluralize, formatDuration } from '../../report/formatting.js';
import type { Plan } from '../../schedule/draw-plan.js';
import { REQUIREMENTS } from '../../spec/index.js';
import type { DurationEstimate } from '../../target/http/index.js';
import type { Given } from '../../cli/options/option.js';
import {
  adviceLines,
  describePlan,
  limitLines,
  networkLines,
  targetLines,
  waitLines,
} from './describe-plan.js';
import type { Io } from '../../cli/io.js';
import { wantsJson } from '../../cli/options/option-table.js';
import { loadAllScenarios } from './load-scenarios.js';
import { withTarget } from '../../cli/open-target.js';
import { createProgress } from '../../cli/progress.js';
import { estimateOf } from '../../checking/plan/estimate.js';
import { SMALLER_CALLS_MAX } from '../../judging/smaller-scripts.js';
import { simulatedInTime } from '../../checking/plan/choose-scripts.js';
import { planRun, seedOf, type RunPlan } from '../../checking/plan/plan-run.js';
import { select, shardOf } from '../../checking/selectors.js';
import { targetSettings } from '../../cli/options/settings.js';
import type { PlanSettings } from './index.js';

export async function plan(settings: PlanSettings, io: Io, given: Given): Promise<ExitCode> {
  const target = targetSettings(settings, io, given);
  const { only, skip, seed, runs, explored, shard, scenarios: folder } = settings;
  const scenarios = await loadAllScenarios(folder, io);
  const selection = shardOf(select(only, skip, REQUIREMENTS, scenarios), shard);
  const options = {
    selection,
    runs: runs ?? null,
    explored,
    seed: seed ?? seedOf(shard),
    budgetMs: settings.budgetMs ?? null,
  };
  return withTarget(target, io, async ({ target: opened, interrupted }, safeIo) => {
    const progress = createProgress('auto', null, safeIo, 'planning');
    const goesOn = (): boolean => !interrupted.aborted;
    const planned = await planRun(opened, options, goesOn)
      .then(async (all) => {
        // If time can be advanced, the calls are estimated only for this.
        if (all.estimate === null) await simulatedInTime(all, all.target, goesOn);
        return all;
      })
      .finally(() => progress.stop());
    if (interrupted.aborted) return 130;
    safeIo.out(
      wantsJson(settings)
        ? `${jsonText(asJson(planned), 2)}\n`
        : `${allLines(planned, settings).map(escapeControls).join('\n')}\n`,
    );
    return 0;
  });
}

/** The same for programs. Times are real ms. */
function asJson(planned: RunPlan) {
  const { target, seed, scripts, leftOut, limitMs, longerWaits } = planned;
  const { calls, callsByOperation, wallMs } = planned.estimate ?? estimateOf(planned, target);
  return {
    target: target.name,
    clock: target.clock,
    seed,
    calls,
    callsByOperation: Object.fromEntries(callsByOperation),
    wallMs: target.clock === 'real' ? wallMs : null,
    limitMs,
    scripts: scripts.length,
    scenarios: [...scenariosOf(planned)].map(([name, count]) => ({ name, scripts: count })),
    leftOut,
    longerWaits,
  };
}

/** How many scripts each scenario has. */
function scenariosOf({ scripts }: Plan): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { scenario } of scripts) counts.set(scenario, (counts.get(scenario) ?? 0) + 1);
  return counts;
}

/** More than `check` prints. */
function allLines(planned: RunPlan, { verbose: all, budgetMs }: PlanSettings): readonly string[] {
  const { target, limitMs, longerWaits, advice, overNetwork } = planned;
  const estimate = planned.estimate ?? estimateOf(planned, target);
  return [
    ...targetLines(planned),
    ...describePlan(planned, target.clock, estimate, all),
    ...callLines(estimate),
    ...(target.clock === 'real'
      ? []
      : [
          `if something fails, up to ${SMALLER_CALLS_MAX} more calls find its smallest script (check --no-shrink)`,
        ]),
    ...networkLines(overNetwork),
    ...timeLines(planned, estimate, target.clock),
    ...(target.clock === 'real' ? limitLines(limitMs, budgetMs) : []),
    ...waitLines(longerWaits),
    ...adviceLines(advice),
    leftBehind(target.capabilities.includes('worker-count-known')),
    ...(all ? scenarioLines(planned) : ['-v names the scenarios']),
  ];
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
    ? 'it leaves nothing behind: every script has its own endpoint, which is deleted'
    : 'it leaves finished jobs until their retention or ttl is over; unfinished jobs are cancelled at the end';
}

function scenarioLines(planned: Plan): readonly string[] {
  return [...scenariosOf(planned)].map(([name, count]) =>
    count === 1 ? `  ${name}` : `  ${name} (${pluralize(count, 'script')})`,
  );
}
