/** What is played on many endpoints side by side, as if each were alone on a quiet machine. */
import { setTimeout as sleep } from 'node:timers/promises';
import { chooseScripts } from '../../src/checking/plan/choose-scripts.js';
import { drawPlan } from '../../src/schedule/draw-plan.js';
import type { NamedScenario, Script } from '../../src/scenario/index.js';
import { httpTarget, type HttpTarget, type HttpTargetOptions } from '../../src/target/http/index.js';
import type { Target } from '../../src/target/port.js';

/** As a live run allows. */
export const GRACE_MS = 2_000;
/** As on a machine with nothing else to do: many endpoints side by side must not change what is played on each. */
const QUIET_MARGIN_MS = GRACE_MS + 300;
/** What is rehearsed of a script is kept with it: the same scripts for all endpoints save half the work. */
const drawn = new Map<string, Promise<readonly Script[]>>();

/** The scripts of these scenarios on the target. */
export function scriptsFor(
  target: HttpTarget,
  scenarios: readonly NamedScenario[],
  seed: number,
): Promise<readonly Script[]> {
  const { clock, capabilities, workers } = target;
  const limits = clock === 'real' ? { ...target.limits, marginMs: QUIET_MARGIN_MS } : target.limits;
  const names = scenarios.map(({ name }) => name);
  const key = JSON.stringify([seed, clock, capabilities, limits, workers, names]);
  const known = drawn.get(key);
  if (known !== undefined) return known;
  const selection = { scenarios, asked: {} };
  const planned = { ...target, limits };
  const scripts = chooseScripts(planned, { selection, seed, runs: 1, explored: 0, budgetMs: null }).then(
    (plan) => plan.scripts,
  );
  drawn.set(key, scripts);
  return scripts;
}

/** By target and scenario. */
const scripts = new Map<string, Map<string, readonly Script[]>>();

/** The same where nothing is to be chosen; each scenario is drawn once for all endpoints with these limits. */
export function drawnFor(
  target: Pick<Target, 'capabilities' | 'limits'>,
  scenarios: readonly NamedScenario[],
  seed: number,
): readonly Script[] {
  const key = JSON.stringify([seed, target.capabilities, target.limits]);
  const known = scripts.get(key) ?? new Map<string, readonly Script[]>();
  scripts.set(key, known);
  return scenarios.flatMap((scenario) => {
    const one = known.get(scenario.name) ?? drawPlan([scenario], target, seed, 1).scripts;
    known.set(scenario.name, one);
    return one;
  });
}

/** A run has most to do when it begins: in one thread no two begin within so many ms. */
const BEGIN_EVERY_MS = 4_500;
let begun: Promise<unknown> = Promise.resolve();

/** One endpoint after the other is asked how quick it is. */
export function lookAt(options: HttpTargetOptions): Promise<HttpTarget> {
  const target = begun.then(() => httpTarget(options));
  const pauseMs = options.controlUrl === undefined ? BEGIN_EVERY_MS : 0;
  begun = target.catch(() => {}).then(() => sleep(pauseMs));
  return target;
}
