/** Where each requirement can be decided: the shipped scenarios are run to find out, whatever they claim. */
import type { HistoryEvent, RunEvent } from '../history/events.js';
import { judge } from '../oracle/index.js';
import { packageVersion } from '../package-files.js';
import { drawPlan } from '../schedule/draw-plan.js';
import { runScripts } from '../target/run-scripts.js';
import type { Limits, NamedScenario } from '../scenario/index.js';
import type { Capability, Requirement } from '../spec/types.js';
import type { Target } from '../target/port.js';
import { simulatorTarget } from '../target/simulator/simulator-target.js';
import { PROFILE_WAIT_MS } from './profiles.js';

/** Kinds of targets, ordered by how much can be decided on them, most first. */
export const TARGET_KINDS = ['simulator', 'controlled', 'full', 'standard', 'quick'] as const;
/** Those in real time, in the same order. */
export const REAL_TIME_KINDS = ['full', 'standard', 'quick'] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

export interface Decidable {
  readonly id: string;
  readonly places: readonly TargetKind[];
  /** Scenarios that decided it on the simulator. */
  readonly scenarios: readonly string[];
  readonly needs: readonly Capability[];
  /** Why it cannot be decided anywhere; otherwise null. */
  readonly reason: string | null;
}

const SEED = 1;
const LIVE_GRACE_MS = 2_000;
const LIVE: Limits = { graceMs: LIVE_GRACE_MS, marginMs: 3_000, maxWaitMs: 0, maxWorkers: 3 };

/** A simulated target of this kind, with the waits, network and capabilities of a real one. */
export function targetAt(place: TargetKind): Target {
  if (place === 'simulator') return simulatorTarget({ seed: SEED, graceMs: 250 });
  if (place === 'controlled') return simulatorTarget({ seed: SEED, graceMs: LIVE_GRACE_MS });
  const latency = { requestMs: { fromMs: 2, toMs: 30 }, replyMs: { fromMs: 2, toMs: 30 } };
  const target = simulatorTarget({ seed: SEED, graceMs: LIVE_GRACE_MS, latency, arrivals: 'hidden' });
  return {
    ...target,
    clock: 'real',
    earlyMs: 50,
    capabilities: target.capabilities.filter((one) => one !== 'test-control' && one !== 'worker-count-known'),
    limits: { ...LIVE, maxWaitMs: PROFILE_WAIT_MS[place] },
  };
}

/** Without test control, scripts get no fresh endpoint, and the number of workers is not known. */
function asInRealTime(event: HistoryEvent): HistoryEvent {
  return event.kind === 'script' ? { ...event, fresh: false, workers: null } : event;
}

/** By requirement: which of the scenarios decide it there, each beside those of ordinary use. */
export async function decidedAt(
  place: TargetKind,
  scenarios: readonly NamedScenario[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const target = targetAt(place);
  const { scripts } = drawPlan(scenarios, target, SEED, 1);
  const { events } = await runScripts(target, scripts, {
    seed: SEED,
    edition: 'document',
    runproof: packageVersion(),
  });
  const [run, ...rest] = place === 'simulator' || place === 'controlled' ? events : events.map(asInRealTime);
  const found = new Map<string, string[]>();
  const each = byScenario(rest);
  const beside = (names: readonly string[]) =>
    addedBy(
      run as RunEvent,
      names.flatMap((name) => each.get(name) ?? []),
    );
  const others = beside(ORDINARY_USE);
  for (const [scenario, own] of each) {
    const by = ORDINARY_USE.includes(scenario)
      ? beside(ORDINARY_USE.filter((name) => name !== scenario))
      : others;
    for (const id of by(own).decided) found.set(id, [...(found.get(id) ?? []), scenario]);
  }
  return found;
}

/** Scenarios of which every run contains one: what they show of the target makes other answers meaningful. */
export const ORDINARY_USE: readonly string[] = [
  '1/every-operation-once',
  '1/every-operation-with-a-scripted-worker',
  '5/missing-key',
  '5/keys-of-purge',
];

/**
 * Which requirements events decide and fail in addition to what the other events of the same run decide by
 * themselves. The other events are on other endpoints.
 */
export function addedBy(
  run: RunEvent,
  others: readonly HistoryEvent[],
): (own: readonly HistoryEvent[]) => {
  readonly decided: readonly string[];
  readonly failed: readonly string[];
} {
  const alone = new Map(judge([run, ...others]).requirements.map((one) => [one.id, one]));
  return (own) => {
    const { requirements } = judge([run, ...others, ...own]);
    const added = (kind: 'decided' | 'failed'): readonly string[] =>
      requirements.filter((one) => one[kind] > (alone.get(one.id)?.[kind] ?? 0)).map(({ id }) => id);
    return { decided: added('decided'), failed: added('failed') };
  };
}

/** The events of each scenario. */
function byScenario(events: readonly HistoryEvent[]): ReadonlyMap<string, readonly HistoryEvent[]> {
  const names = new Map<number, string>();
  const found = new Map<string, HistoryEvent[]>();
  for (const event of events) {
    if (event.kind === 'run') continue;
    if (event.kind === 'script') names.set(event.script, event.scenario);
    const name = names.get(event.script) ?? '';
    const own = found.get(name);
    if (own === undefined) found.set(name, [event]);
    else own.push(event);
  }
  return found;
}

/** @param onPlace called before the scenarios are played on such a target, which takes seconds */
export async function decidability(
  requirements: readonly Requirement[],
  scenarios: readonly NamedScenario[],
  onPlace: (place: TargetKind) => void = () => {},
): Promise<readonly Decidable[]> {
  const decided = new Map<TargetKind, ReadonlyMap<string, readonly string[]>>();
  for (const place of TARGET_KINDS) {
    onPlace(place);
    decided.set(place, await decidedAt(place, scenarios));
  }
  return requirements.map(({ id, needs, untestable, undecided }) => {
    const places = TARGET_KINDS.filter((place) => decided.get(place)!.has(id));
    const reason =
      untestable ?? undecided ?? 'no shipped scenario exercises it in a way that the oracle can decide';
    return {
      id,
      places,
      scenarios: decided.get('simulator')!.get(id) ?? decided.get('full')!.get(id) ?? [],
      needs,
      reason: places.length > 0 ? null : reason,
    };
  });
}
