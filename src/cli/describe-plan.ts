/** The plan in words, for people, before the first request. */
import { EXPLORED } from '../explore/index.js';
import { pluralize, formatDuration } from '../report/formatting.js';
import type { LeftOut, Plan } from '../schedule/draw-plan.js';
import type { Step } from '../scenario/index.js';
import type { Capability } from '../spec/types.js';
import type { Advice } from '../app/plan/plan-run.js';
import { purgesTheQueue, type DurationEstimate } from '../target/http/index.js';

const CAPABILITY_WORDS: { readonly [capability in Capability]: string } = {
  'scripted-worker': 'a scripted worker (--worker scripted)',
  'test-control': 'test control (--control URL)',
  'webhook-reachable': 'a webhook listener that the target reaches (--webhook-listen)',
  dedicated: 'an endpoint of its own (--dedicated)',
  'load-allowed': 'leave to send load (--dedicated)',
  'worker-count-known': 'a known number of workers (--control URL)',
  'scales-from-zero': 'an endpoint of its own that shows no workers at first (--dedicated)',
  'unpermitted-key': 'a key without permission for the endpoint (--unpermitted-api-key-file)',
  'other-user-key': 'a key of another user (--other-api-key-file)',
  'endpoint-in-path': 'paths that begin with /v2/<endpoint_id> (no --base-path)',
};

/** Most waits for a state end after a few polls, though they would go on for days. */
const AWAIT_CALLS = 3;

function callsOf(step: Step): number {
  if (step.do === 'burst') return step.count;
  if (step.do === 'await') return AWAIT_CALLS;
  return step.do === 'pause' || step.do === 'workers' ? 0 : 1;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The plan in a few lines. `forecast`: null where a run costs no waiting, so that nobody has to know. */
export function describePlan(
  plan: Plan,
  clock: 'virtual' | 'controlled' | 'real',
  forecast: DurationEstimate | null,
): readonly string[] {
  const steps = plan.scripts.flatMap((script) => script.steps);
  const scenarios = new Set(plan.scripts.map(({ scenario }) => scenario));
  const jobs = sum(
    steps.map((step) => {
      if (step.do === 'run' || step.do === 'runsync') return 1;
      return step.do === 'burst' && (step.op === 'run' || step.op === 'runsync') ? step.count : 0;
    }),
  );
  const bursts = steps.filter((step) => step.do === 'burst');
  const effects = [
    `creates up to ${pluralize(jobs, 'job')}`,
    ...(steps.some(purgesTheQueue) ? ['purges the queue'] : []),
    ...(bursts.length > 0 ? [`sends ${pluralize(bursts.length, 'burst')}`] : []),
  ];
  const calls = forecast?.calls ?? sum(steps.map(callsOf));
  const time =
    clock === 'real' && forecast !== null
      ? `about ${formatDuration(forecast.wallMs)}`
      : `no waiting (${clock} clock)`;
  return [
    `seed ${plan.seed}: ${pluralize(plan.scripts.length, 'script')} of ${pluralize(scenarios.size, 'scenario')}, ` +
      `about ${calls} calls, ${time}`,
    `it ${effects.join(', ')}`,
    ...leftOutLines(plan),
  ];
}

/** When the run is ended at the latest. */
export function limitLines(limitMs: number | null): readonly string[] {
  return limitMs === null
    ? []
    : [
        `it ends after ${formatDuration(limitMs)}, and with it the jobs that are alive then (--budget sets another time)`,
      ];
}

/** Where workers are what takes the time. */
export function adviceLines(advice: Advice | null): readonly string[] {
  if (advice === null) return [];
  const { has, wants, wallMs } = advice;
  return [
    `it waits for workers: with ${wants} of them instead of ${has} it would take about ${formatDuration(wallMs)}`,
  ];
}

function leftOutLines({ leftOut }: Plan): readonly string[] {
  const byReason = new Map<string, string[]>();
  const random: string[] = [];
  for (const one of leftOut) {
    const reason = reasonOf(one);
    if (one.scenario === EXPLORED) random.push(`left out random calls (--explore): ${reason}`);
    else byReason.set(reason, [...(byReason.get(reason) ?? []), one.scenario]);
  }
  const scenarios = [...byReason].map(
    ([reason, names]) => `left out ${pluralize(names.length, 'scenario')}: ${reason}`,
  );
  return [...scenarios, ...random];
}

/** Says how to mend it, where an option would. */
export function reasonOf({ missing, reason }: LeftOut): string {
  if (missing.length === 0) return reason;
  return `needs ${missing.map((capability) => CAPABILITY_WORDS[capability]).join(', ')}`;
}
