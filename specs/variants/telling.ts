/**
 * Which scenarios can tell an endpoint from the plain one of its edition: those that go otherwise on the simulator.
 * What a script meets there depends on the seed and the script alone, so that whatever differs is the endpoint's doing.
 */
import { createHash } from 'node:crypto';
import { rulesFor } from '../../src/core/rules.js';
import type { HistoryEvent } from '../../src/history/events.js';
import { createPlayer } from '../../src/runner/player.js';
import { drawPlan } from '../../src/runner/draw-plan.js';
import type { NamedScenario } from '../../src/scenario/scenario.js';
import type { Edition } from '../../src/spec/index.js';
import { simulatorTarget, type SimulatorTarget } from '../../src/target/simulator/simulator-target.js';
import { GRACE_MS, type Conformer } from './conformers.js';

export interface HowToTell {
  readonly seed: number;
  readonly scenarios: readonly NamedScenario[];
  /** Scenarios whose waits do not fit are left out. */
  readonly maxWaitMs: number;
}

type Story = ReadonlyMap<string, string>;

/** The plain endpoint of each edition, played once. */
const plain = new Map<Edition, Story>();

/** Names of scenarios; null where the endpoint cannot be simulated. */
export function scenariosThatTell(
  { simulated, edition }: Conformer,
  how: HowToTell,
): ReadonlySet<string> | null {
  if (simulated === null) return null;
  let usual = plain.get(edition);
  if (usual === undefined) {
    const rules = rulesFor({}, edition);
    usual = storyOn(() => simulatorTarget({ seed: how.seed, edition, rules, graceMs: GRACE_MS }), how);
    plain.set(edition, usual);
  }
  const own = storyOn(() => simulated(how.seed), how);
  return new Set([...own].flatMap(([name, hash]) => (usual.get(name) === hash ? [] : [name])));
}

/** For each scenario a hash of all that happened, each on a simulator of its own so that none shifts the others. */
function storyOn(create: () => SimulatorTarget, { seed, scenarios, maxWaitMs }: HowToTell): Story {
  const { capabilities, limits } = create();
  const within = { ...limits, maxWaitMs: Math.min(limits.maxWaitMs, maxWaitMs) };
  const { scripts } = drawPlan(scenarios, { capabilities, limits: within }, seed, 1);
  return new Map(
    scripts.map((script) => {
      const hash = createHash('sha1');
      const append = (event: HistoryEvent): void => void hash.update(JSON.stringify(event));
      create().playSync([script], { append }, { createPlayer });
      return [script.scenario, hash.digest('hex')];
    }),
  );
}
