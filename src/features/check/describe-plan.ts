/** The plan as text, printed before the first request. */
import { EXPLORED } from '../../explore/explored.js';
import { clockInWords, pluralize, formatDuration } from '../../report/formatting.js';
import type { LeftOut, Plan } from '../../schedule/draw-plan.js';
import { CAPABILITY_WORDS } from '../../spec/capability-words.js';
import type { Advice, OverNetwork } from '../../checking/plan/estimate.js';
import type { RunPlan } from '../../checking/plan/plan-run.js';
import type { LongerWaits } from '../../checking/plan/time-limit.js';
import { escapeControls } from '../../report/escape.js';
import type { Lack } from '../../scenario/index.js';
import { callsOf, purgesTheQueue, submissionsOf } from '../../scenario/step-effects.js';
import type { DurationEstimate } from '../../target/http/index.js';

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The plan in a few lines, each safe to print; `all`: with each scenario that is left out. */
export function planLines(plan: RunPlan, all = false, budgetMs?: number): readonly string[] {
  const { target, estimate, limitMs, advice } = plan;
  return [
    ...targetLines(plan),
    ...describePlan(plan, target.clock, estimate, all),
    ...networkLines(plan.overNetwork),
    ...limitLines(limitMs, budgetMs),
    ...waitLines(plan.longerWaits),
    ...adviceLines(advice),
  ].map(escapeControls);
}

/** The scripts alone. */
export const planLine = (plan: RunPlan): string =>
  escapeControls(describePlan(plan, plan.target.clock, plan.estimate)[0]!);

export function targetLines({ target }: RunPlan): readonly string[] {
  return [
    `target ${target.name}, ${clockInWords({ clock: target.clock, speed: target.latency.speed })}`,
    ...target.notes,
  ];
}

/** What the scripts do. `estimate`: null where time can be advanced. */
export function describePlan(
  plan: Plan,
  clock: 'virtual' | 'controlled' | 'real',
  estimate: DurationEstimate | null,
  all = false,
): readonly string[] {
  const steps = plan.scripts.flatMap((script) => script.steps);
  const scenarios = new Set(plan.scripts.map(({ scenario }) => scenario));
  const jobs = sum(steps.map(submissionsOf));
  const bursts = steps.filter((step) => step.do === 'burst');
  const effects = [
    `creates up to ${pluralize(jobs, 'job')}`,
    ...(steps.some(purgesTheQueue) ? ['purges the queue'] : []),
    ...(bursts.length > 0 ? [`sends ${pluralize(bursts.length, 'burst')}`] : []),
  ];
  const calls = estimate?.calls ?? sum(steps.map((step) => callsOf(step)?.count ?? 0));
  const time =
    clock === 'real' && estimate !== null
      ? `about ${formatDuration(estimate.wallMs)}`
      : `no waiting (${clock} clock)`;
  return [
    `seed ${plan.seed}: ${pluralize(plan.scripts.length, 'script')} of ${pluralize(scenarios.size, 'scenario')}, ` +
      `about ${calls} calls, ${time}`,
    `it ${effects.join(', ')}`,
    ...(all ? allLeftOut(plan) : leftOutLines(plan)),
  ];
}

/** When the scripts are stopped, or the whole run if it has a budget. */
export function limitLines(limitMs: number | null, budgetMs?: number): readonly string[] {
  if (limitMs === null) return [];
  const latest = `after ${formatDuration(limitMs)} at the latest, and`;
  return [
    budgetMs === undefined
      ? `the scripts stop ${latest} the run ends the jobs that then exist; judging and --shrink take more time (--budget limits the whole run)`
      : `the whole run ends ${latest} with it the jobs that then exist`,
  ];
}

/** Requirements that cannot be decided because their waits are too long. */
export function waitLines(waits: readonly LongerWaits[]): readonly string[] {
  return waits.map(({ profile, requirements }) => {
    const named = requirements.slice(0, 3).join(', ');
    const others = requirements.length > 3 ? ` and ${requirements.length - 3} more` : '';
    return `--profile ${profile} would also decide ${named}${others}`;
  });
}

/** How long round trips take, and what would make fewer of them wait for each other. */
export function networkLines(over: OverNetwork | null): readonly string[] {
  if (over === null) return [];
  const [replies, wall] = [formatDuration(over.replyMs), formatDuration(over.wallMs)];
  const told = `test control is far away (a reply takes ${replies}): scripts play`;
  return [
    over.atOnceMs === null
      ? `${told} at once, each on its own clock, in about ${wall}`
      : `${told} one after the other, in about ${wall}. If the server offered the feature endpoint-clocks of test ` +
        `control, it would take about ${formatDuration(over.atOnceMs)}`,
  ];
}

/** How many workers would shorten the run. */
export function adviceLines(advice: Advice | null): readonly string[] {
  if (advice === null) return [];
  const { has, wants, wallMs } = advice;
  return [
    `it waits for workers: with ${wants} workers instead of ${has} it would take about ${formatDuration(wallMs)}`,
  ];
}

const allLeftOut = ({ leftOut }: Plan): readonly string[] =>
  leftOut.map((one) => `left out ${one.scenario}: ${reasonOf(one)}`);

/** In how many lines at most what scenarios need is told; the last one is about all others. */
const NEEDS_MAX = 5;

function leftOutLines({ leftOut }: Plan): readonly string[] {
  const random = leftOut.filter(({ scenario }) => scenario === EXPLORED);
  const scenarios = leftOut.filter(({ scenario }) => scenario !== EXPLORED);
  const needy = scenarios.filter((one) => needsOf(one).length > 0);
  const others = scenarios.filter((one) => needsOf(one).length === 0);
  const needs = byFrequency(needy.flatMap(needsOf));
  const [told, rest] = [needs.slice(0, NEEDS_MAX), needs.slice(NEEDS_MAX)];
  return [
    ...(needy.length === 0
      ? []
      : [`left out ${pluralize(needy.length, 'scenario')}, by what they need (-v names them):`]),
    ...told.map(([need, times]) => `  ${times}: ${need}`),
    ...(rest.length === 0 ? [] : [`  ${pluralize(rest.length, 'other need')}`]),
    ...byFrequency(others.map(reasonOf)).map(
      ([reason, times]) => `left out ${pluralize(times, 'scenario')}: ${reason}`,
    ),
    ...random.map((one) => `left out random calls (--explore): ${reasonOf(one)}`),
  ];
}

/** What a scenario needs and the target lacks; none where another reason applies. */
function needsOf({ missing, lack }: LeftOut): readonly string[] {
  return [
    ...missing.map((capability) => CAPABILITY_WORDS[capability]),
    ...(lack === undefined || lack === null ? [] : [LACK_WORDS[lack]]),
  ];
}

const LACK_WORDS: { readonly [lack in Lack]: string } = {
  waits: 'longer waits (--profile)',
  workers: 'more workers',
  'real-time': 'a run in real time; other scenarios test the same rules here',
};

function byFrequency(texts: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([, left], [, right]) => right - left);
}

/** Why a scenario was left out, with the option that would include it, if there is one. */
export function reasonOf({ missing, reason }: LeftOut): string {
  if (missing.length === 0) return reason;
  return `needs ${missing.map((capability) => CAPABILITY_WORDS[capability]).join(', ')}`;
}
