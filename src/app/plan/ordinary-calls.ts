/**
 * What a selection plays beside the scenarios that are written for its requirements, so that it names what a whole run does.
 * It may call an operation in one situation only: what fails there could then be taken for an operation that never works, so
 * it also makes the calls of ordinary use. And some violations show only in scenarios that are written for other requirements.
 */
import alsoShown from '../../../scenarios/also-shown.json' with { type: 'json' };
import type { RunSelection } from '../../history/selection.js';
import type { NamedScenario, Script } from '../../scenario/index.js';
import { drawPlan, type Plan } from '../../schedule/draw-plan.js';
import type { PlanTarget } from './plan-target.js';

const ONCE = '1/every-operation-once';
const WITH_WORKER = '1/every-operation-with-a-scripted-worker';
/** In ordinary use a job may have started before it is cancelled. */
const CANCEL = '3/cancel-a-waiting-job';

/** By the kind of a step, the shipped scenarios with such a call that a correct target performs. */
const ORDINARY: { readonly [step: string]: readonly string[] } = {
  run: [ONCE],
  runsync: [ONCE],
  status: [ONCE],
  await: [ONCE],
  stream: [ONCE, WITH_WORKER],
  health: [ONCE],
  cancel: [ONCE, CANCEL],
  retry: [WITH_WORKER],
  'purge-queue': [WITH_WORKER],
};

/** Those of `shipped` that call what the scripts call, and are not among them. */
export function ordinaryCalls(
  scripts: readonly Script[],
  shipped: readonly NamedScenario[],
): readonly NamedScenario[] {
  const steps = new Set(
    scripts.flatMap((script) => script.steps.map((step) => (step.do === 'burst' ? step.op : step.do))),
  );
  const names = new Set([...steps].flatMap((step) => ORDINARY[step] ?? []));
  const drawn = new Set(scripts.map(({ scenario }) => scenario));
  return shipped.filter(({ name }) => names.has(name) && !drawn.has(name));
}

const ALSO_SHOWN: { readonly [requirement: string]: readonly string[] } = alsoShown;

/** Those of `shipped` that show violations of what is asked which the scenarios written for it do not. */
export function alsoShowing(
  { only = [] }: RunSelection,
  shipped: readonly NamedScenario[],
): readonly NamedScenario[] {
  const names = new Set(only.flatMap((id) => ALSO_SHOWN[id] ?? []));
  return shipped.filter(({ name }) => names.has(name));
}

/** With a script of each of these scenarios that the target can play. */
export const withScriptsOf = (
  scenarios: readonly NamedScenario[],
  plan: Plan,
  target: Pick<PlanTarget, 'capabilities' | 'limits'>,
): Plan =>
  scenarios.length === 0
    ? plan
    : { ...plan, scripts: [...plan.scripts, ...drawPlan(scenarios, target, plan.seed, 1).scripts] };
