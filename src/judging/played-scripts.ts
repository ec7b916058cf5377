import type { HistoryEvent } from '../history/events.js';
import type { RequirementFinding } from '../oracle/index.js';
import { exercisedOn } from '../scenario/exercised.js';
import type { NamedScenario, Script } from '../scenario/index.js';
import type { Target } from '../target/port.js';
import { ORDINARY_USE } from './decidable.js';
import { isOpenMust, type PlayedScript } from './missed-musts.js';

/**
 * The scripts that were played to their end and exercise an open must of these requirements, with those of ordinary use;
 * none if no must is open.
 */
export function playedScripts(
  requirements: readonly RequirementFinding[],
  events: readonly HistoryEvent[],
  scripts: readonly Script[],
  exercisedBy: (scenario: string) => readonly string[],
): readonly PlayedScript[] {
  const open = new Set(requirements.filter(isOpenMust).map(({ id }) => id));
  const found: PlayedScript[] = [];
  for (const event of events) {
    if (event.kind !== 'script-end' || event.outcome !== 'played') continue;
    const number = event.script;
    const script = scripts[number];
    if (script === undefined) continue;
    const exercises = exercisedBy(script.scenario).filter((id) => open.has(id));
    if (exercises.length > 0 || ORDINARY_USE.includes(script.scenario))
      found.push({ number, script, exercises });
  }
  return found.some(({ exercises }) => exercises.length > 0) ? found : [];
}

/** By the name of a scenario: what it exercises on the target. */
export function exercisedBy(
  scenarios: readonly NamedScenario[],
  {
    capabilities,
    limits,
  }: Pick<Target, 'capabilities'> & { readonly limits: Pick<Target['limits'], 'maxWaitMs'> },
): (scenario: string) => readonly string[] {
  const byName = new Map(scenarios.map((one) => [one.name, one]));
  const known = new Map<string, readonly string[]>();
  return (name) => {
    const scenario = byName.get(name);
    if (scenario === undefined) return [];
    const found = known.get(name) ?? exercisedOn(scenario, capabilities, limits.maxWaitMs);
    known.set(name, found);
    return found;
  };
}
