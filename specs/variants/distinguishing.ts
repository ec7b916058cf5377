/**
 * Finds the scenarios that distinguish an endpoint from the default one of its edition: those that run
 * differently on the simulator. A run depends on the seed and the script alone, so any difference comes from
 * the endpoint.
 */
import { createHash } from 'node:crypto';
import { rulesFor } from '../../src/core/rules.js';
import type { HistoryEvent } from '../../src/history/events.js';
import { drawPlan } from '../../src/schedule/draw-plan.js';
import type { NamedScenario } from '../../src/scenario/scenario.js';
import type { Script } from '../../src/scenario/script.js';
import type { Edition } from '../../src/spec/index.js';
import { simulatorTarget, type SimulatorTarget } from '../../src/target/simulator/simulator-target.js';
import { GRACE_MS, type Conformer } from './correct-endpoints.js';

export interface DistinguishOptions {
  readonly seed: number;
  readonly scenarios: readonly NamedScenario[];
  /** Scenarios whose waits do not fit are left out. */
  readonly maxWaitMs: number;
}

/** By edition and scenario: what the plain endpoint makes of it. */
const plain = new Map<Edition, Map<string, string>>();

/** Names of scenarios; null where the endpoint cannot be simulated. */
export function distinguishingScenarios(
  { simulated, edition }: Conformer,
  how: DistinguishOptions,
): ReadonlySet<string> | null {
  if (simulated === null) return null;
  const rules = rulesFor({}, edition);
  const usual = () => simulatorTarget({ seed: how.seed, edition, rules, graceMs: GRACE_MS });
  const { light, heavy } = scriptsFor(usual(), how);
  const traces = plain.get(edition) ?? new Map<string, string>();
  plain.set(edition, traces);
  const differs = (script: Script): boolean => {
    const known = traces.get(script.scenario) ?? traceOf(usual(), script);
    traces.set(script.scenario, known);
    return traceOf(simulated(how.seed), script) !== known;
  };
  const distinguishing = light.filter(differs);
  // Scripts with megabytes cost more than all others together: they are run only if nothing else
  // distinguishes the endpoint.
  return new Set(
    (distinguishing.length > 0 ? distinguishing : heavy.filter(differs)).map(({ scenario }) => scenario),
  );
}

/** Numbers from which on a body is one of megabytes, in the words of scripts, and a script's own text. */
const MANY_BYTES = /Bytes":[0-9]{6}/;
const LONG_CHARS = 100_000;

interface Drawn {
  readonly light: readonly Script[];
  readonly heavy: readonly Script[];
}

/** Most endpoints have the same limits, and so the same scripts. */
const drawn = new WeakMap<readonly NamedScenario[], Map<string, Drawn>>();

function scriptsFor(
  { capabilities, limits }: SimulatorTarget,
  { seed, scenarios, maxWaitMs }: DistinguishOptions,
): Drawn {
  const within = { ...limits, maxWaitMs: Math.min(limits.maxWaitMs, maxWaitMs) };
  const of = drawn.get(scenarios) ?? new Map<string, Drawn>();
  drawn.set(scenarios, of);
  const key = JSON.stringify([seed, capabilities, within]);
  const known =
    of.get(key) ?? divided(drawPlan(scenarios, { capabilities, limits: within }, seed, 1).scripts);
  of.set(key, known);
  return known;
}

function divided(scripts: readonly Script[]): Drawn {
  const isHeavy = ({ steps }: Script): boolean => {
    const text = JSON.stringify(steps);
    return text.length > LONG_CHARS || MANY_BYTES.test(text);
  };
  return { light: scripts.filter((script) => !isHeavy(script)), heavy: scripts.filter(isHeavy) };
}

/** A hash of all that happens, on a simulator of its own so that no script shifts another. */
function traceOf(target: SimulatorTarget, script: Script): string {
  const hash = createHash('sha1');
  const append = (event: HistoryEvent): void => void hash.update(JSON.stringify(event));
  target.runSynchronously([script], { append });
  return hash.digest('hex');
}
