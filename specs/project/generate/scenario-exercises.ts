/**
 * `scenarios/exercises.json`: the requirements that each scenario is written for. What a scenario decides beside
 * them would be many times as much: nearly all of them show, for instance, that `/run` answers with an id.
 */
import { existsSync, readFileSync } from 'node:fs';
import { decidedAt, ORDINARY_USE, TARGET_KINDS, targetAt } from '../../../src/judging/decidable.js';
import { drawPlan } from '../../../src/schedule/draw-plan.js';
import { exercisedOn } from '../../../src/scenario/exercised.js';
import type { NamedScenario } from '../../../src/scenario/index.js';
import { instancesOf } from '../../../src/oracle/observed/instances.js';
import type { RequirementId } from '../../../src/spec/index.js';

const FILE = new URL('../../../scenarios/exercises.json', import.meta.url);
/** What as many scenarios are written for already, a new one only shows as well, unless it has several cases. */
const ENOUGH = 3;

type Exercises = { readonly [scenario: string]: readonly string[] };

/** Entries stay as they are; a scenario without one is run to find out. Delete an entry to have it made anew. */
export async function exercisesOfScenarios(entries = entriesAsTheyAre()): Promise<string> {
  const { named } = await import('../../../scenarios/index.js');
  const lines: string[] = [];
  for (const scenario of named) {
    const { [scenario.name]: entry, ...others } = entries;
    const ids = entry ?? pointed(await decidedBy(scenario, named), Object.values(others).flat());
    lines.push(`  "${scenario.name}": [${ids.map((id) => `"${id}"`).join(', ')}]`);
  }
  return `{\n${lines.join(',\n')}\n}\n`;
}

export function entriesAsTheyAre(): Exercises {
  return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Exercises) : {};
}

/** Of what a scenario decides, what few others are written for: first what fewest are; one at least. */
function pointed(decided: readonly string[], listed: readonly string[]): readonly string[] {
  const times = (id: string): number => listed.filter((one) => one === id).length;
  const ordered = decided.toSorted((a, b) => times(a) - times(b));
  return ordered.filter(
    (id, i) => i === 0 || times(id) < ENOUGH || instancesOf(id as RequirementId).length > 0,
  );
}

/**
 * What it decides on every kind of target that plays it and offers what its requirement needs, and ordinary use
 * does not decide.
 */
async function decidedBy(
  scenario: NamedScenario,
  all: readonly NamedScenario[],
): Promise<readonly RequirementId[]> {
  const { name, onlyWith } = scenario;
  const played = all.filter((one) => one.name === name || ORDINARY_USE.includes(one.name));
  const seen = new Set<RequirementId>();
  const missed = new Set<RequirementId>();
  for (const kind of TARGET_KINDS) {
    const target = targetAt(kind);
    if (drawPlan([scenario], target, 1, 1).scripts.length === 0) continue;
    const decided = await decidedAt(kind, played);
    const exercises = [...decided.keys(), ...seen] as readonly RequirementId[];
    for (const id of exercisedOn({ exercises, onlyWith }, target.capabilities, target.limits.maxWaitMs))
      (decided.get(id)?.every((by) => by === name) ? seen : missed).add(id);
  }
  return [...seen].filter((id) => !missed.has(id));
}
