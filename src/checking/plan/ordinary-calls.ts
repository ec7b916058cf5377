/**
 * What a selection plays beside the scenarios that are written for its requirements, so that it names what a whole run does.
 * It may call an operation in one situation only: what fails there could then be taken for an operation that never works, so
 * it also makes the calls of ordinary use. And some violations show only in scenarios that are written for other requirements.
 */
import alsoShown from '../../../scenarios/also-shown.json' with { type: 'json' };
import type { RunSelection } from '../../history/selection.js';
import type { NamedScenario, Script, Step } from '../../scenario/index.js';
import { drawPlan, type Plan } from '../../schedule/draw-plan.js';
import type { Selection } from '../selectors.js';
import type { PlanTarget } from './plan-target.js';

type PlayedOn = Pick<PlanTarget, 'capabilities' | 'limits'>;

const ONCE = '1/every-operation-once';
const WITH_WORKER = '1/every-operation-with-a-scripted-worker';
/** In ordinary use a job may have started before it is cancelled. */
const CANCEL = '3/cancel-a-waiting-job';

/** By the kind of a step, the shipped scenarios with such a call that a correct target performs. */
const ORDINARY: { readonly [step: string]: readonly string[] } = {
  run: [ONCE],
  runsync: [ONCE],
  status: [ONCE],
  stream: [ONCE, WITH_WORKER],
  health: [ONCE],
  cancel: [ONCE, CANCEL],
  retry: [WITH_WORKER],
  'purge-queue': [WITH_WORKER],
};

/** The operation that a step calls, if it does; to await a job is to read its status. */
function calledBy(step: Step): string | null {
  if (step.do === 'burst') return step.op;
  if (step.do === 'await') return 'status';
  return step.do === 'raw' || step.do === 'workers' || step.do === 'pause' ? null : step.do;
}
const calledIn = (scripts: readonly Script[]): ReadonlySet<string | null> =>
  new Set(scripts.flatMap(({ steps }) => steps.map(calledBy)));

/** Those of `shipped` that call what the scripts call, and are not among them. */
export function ordinaryCalls(
  scripts: readonly Script[],
  shipped: readonly NamedScenario[],
): readonly NamedScenario[] {
  const names = new Set([...calledIn(scripts)].flatMap((called) => ORDINARY[called ?? ''] ?? []));
  const drawn = new Set(scripts.map(({ scenario }) => scenario));
  return shipped.filter(({ name }) => names.has(name) && !drawn.has(name));
}

const ALSO_SHOWN: { readonly [requirement: string]: readonly string[] } = alsoShown;

/** Those of `shipped` that show violations of what is asked which the scenarios written for it do not. */
function alsoShowing(
  { only = [] }: RunSelection,
  shipped: readonly NamedScenario[],
): readonly NamedScenario[] {
  const names = new Set(only.flatMap((id) => ALSO_SHOWN[id] ?? []));
  return shipped.filter(({ name }) => names.has(name));
}

/**
 * With scripts of other scenarios that show violations of what is asked. They call nothing that the plan does not call, for a
 * service may lack it, and are left out where they need it.
 *
 * @param runs scripts drawn of each scenario
 */
export function withAlsoShowing(
  plan: Plan,
  { asked, beside = [] }: Selection,
  target: PlayedOn,
  runs: number,
): Plan {
  const { scripts } = drawPlan(alsoShowing(asked, beside), target, plan.seed, runs);
  const called = calledIn(plan.scripts);
  const isNeeded = (step: Step): boolean => CHANGING.has(calledBy(step)) && !called.has(calledBy(step));
  return withoutOtherCalls(
    plan,
    scripts.filter(({ steps }) => !steps.some(isNeeded)),
  );
}

/** With a script of each of these scenarios of ordinary use that the target can play; likewise. */
export const withOrdinary = (scenarios: readonly NamedScenario[], plan: Plan, target: PlayedOn): Plan =>
  withoutOtherCalls(plan, drawPlan(scenarios, target, plan.seed, 1).scripts);

/** What follows such a call waits for what it does. */
const CHANGING: ReadonlySet<string | null> = new Set(['cancel', 'retry', 'purge-queue', 'openai']);

/** With these scripts, but without their calls of operations that the plan does not call, and the jobs submitted by these. */
function withoutOtherCalls(plan: Plan, more: readonly Script[]): Plan {
  // Every service has /run.
  const called = new Set([...calledIn(plan.scripts), null, 'run']);
  const trimmed = more.map(({ steps, ...script }): Script => {
    const isOther = (step: Step): boolean => !called.has(calledBy(step));
    const others = new Set(
      steps.filter(isOther).flatMap((step) => (step.do === 'runsync' ? [step.job] : [])),
    );
    const concernsOther = (step: Step): boolean =>
      'job' in step && typeof step.job === 'string' && others.has(step.job);
    return { ...script, steps: steps.filter((step) => !isOther(step) && !concernsOther(step)) };
  });
  return { ...plan, scripts: [...plan.scripts, ...trimmed] };
}
