/** What will be sent, drawn and told before the first request. */
import {
  drawOrLeaveOut,
  type Limits,
  type NamedScenario,
  type Script,
  type Step,
} from '../scenario/index.js';
import type { Capability } from '../spec/types.js';
import { counted, duration } from '../report/words.js';
import { createRandom } from '../time/random.js';

export interface Plan {
  readonly seed: number;
  readonly scripts: readonly Script[];
  readonly scenarios: number;
  readonly leftOut: readonly { readonly scenario: string; readonly reason: string }[];
}

export interface PlanFor {
  readonly capabilities: readonly Capability[];
  readonly limits: Limits;
  readonly clock: 'virtual' | 'controlled' | 'real';
}

const CAPABILITY_WORDS: { readonly [capability in Capability]: string } = {
  'scripted-worker': 'a scripted worker (--worker scripted)',
  'test-control': 'test control (--control URL)',
  'webhook-reachable': 'a webhook listener that the target reaches (--webhook-listen)',
  dedicated: 'an endpoint of its own (--dedicated)',
  'load-allowed': 'leave to send load (--dedicated)',
  'worker-count-known': 'a known number of workers (--control URL)',
};

/** A scenario's seeds depend on the root seed, its name and the run alone, so that a selection draws the same. */
function scriptSeed(seed: number, scenario: string, run: number): number {
  return createRandom(seed).fork('scenario').fork(scenario).fork(String(run)).nextUint32() & 0x7fff_ffff;
}

export function drawPlan(
  scenarios: readonly NamedScenario[],
  target: PlanFor,
  seed: number,
  runs: number,
): Plan {
  const scripts: Script[] = [];
  const leftOut: { scenario: string; reason: string }[] = [];
  const drawn = new Set<string>();
  for (const scenario of scenarios) {
    const missing = scenario.needs.filter((need) => !target.capabilities.includes(need));
    if (missing.length > 0) {
      leftOut.push({
        scenario: scenario.name,
        reason: `needs ${missing.map((need) => CAPABILITY_WORDS[need]).join(', ')}`,
      });
      continue;
    }
    for (let run = 0; run < runs; run += 1) {
      const result = drawOrLeaveOut(scenario, scriptSeed(seed, scenario.name, run), target.limits);
      if ('leftOut' in result) {
        leftOut.push({ scenario: scenario.name, reason: result.leftOut });
        break;
      }
      // A scenario without parameters draws the same steps every time.
      const steps = `${scenario.name} ${JSON.stringify(result.script.steps)}`;
      if (!drawn.has(steps)) scripts.push(result.script);
      drawn.add(steps);
    }
  }
  return { seed, scripts, leftOut, scenarios: new Set(scripts.map(({ scenario }) => scenario)).size };
}

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

/** Waits overlap, save those of scripts that want the endpoint to themselves. */
export function predictedMs(scripts: readonly Script[]): number {
  const shared = scripts.filter(({ exclusive }) => !exclusive).map(({ expectedMs }) => expectedMs);
  const alone = scripts.filter(({ exclusive }) => exclusive).map(({ expectedMs }) => expectedMs);
  return Math.max(0, ...shared) + sum(alone);
}

/** The plan in a few lines. */
export function describePlan(plan: Plan, { clock }: PlanFor): readonly string[] {
  const steps = plan.scripts.flatMap((script) => script.steps);
  const jobs = sum(
    steps.map((step) => {
      if (step.do === 'run' || step.do === 'runsync') return 1;
      return step.do === 'burst' && (step.op === 'run' || step.op === 'runsync') ? step.count : 0;
    }),
  );
  const purges = steps.filter(
    (step) => step.do === 'purge-queue' || (step.do === 'burst' && step.op === 'purge-queue'),
  );
  const bursts = steps.filter((step) => step.do === 'burst');
  const effects = [
    `creates up to ${counted(jobs, 'job')}`,
    ...(purges.length > 0 ? ['purges the queue'] : []),
    ...(bursts.length > 0 ? [`sends ${counted(bursts.length, 'burst')}`] : []),
  ];
  const time =
    clock === 'real' ? `about ${duration(predictedMs(plan.scripts))}` : `no waiting (${clock} clock)`;
  return [
    `seed ${plan.seed}: ${counted(plan.scripts.length, 'script')} of ${counted(plan.scenarios, 'scenario')}, ` +
      `about ${sum(steps.map(callsOf))} calls, ${time}`,
    `it ${effects.join(', ')}`,
    ...leftOutLines(plan),
  ];
}

function leftOutLines({ leftOut }: Plan): readonly string[] {
  const byReason = new Map<string, string[]>();
  for (const { scenario, reason } of leftOut) {
    byReason.set(reason, [...(byReason.get(reason) ?? []), scenario]);
  }
  return [...byReason].map(([reason, names]) => `left out ${counted(names.length, 'scenario')}: ${reason}`);
}
