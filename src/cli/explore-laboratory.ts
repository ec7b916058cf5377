/** The simulator as the explorer's laboratory: its worlds, its legal variants, and its known faults for proving. */
import { rulesFor } from '../core/rules.js';
import type { Breach, Judged, Laboratory, World } from '../explore/index.js';
import type { HistoryEvent } from '../history/events.js';
import { LEGAL_VARIANTS, MUTANTS } from '../mutants/index.js';
import { judge } from '../oracle/index.js';
import { packageVersion } from '../package-files.js';
import { createPlayer } from '../runner/player.js';
import type { Edition } from '../spec/types.js';
import { simulatorTarget, type SimulatorTarget } from '../target/simulator/simulator-target.js';

/** Plain JSON: which endpoint stands in the laboratory. */
export interface LaboratorySettings {
  readonly edition: Edition;
  /** Id of a known fault, or null. */
  readonly mutant: string | null;
}

export function createLaboratory(settings: LaboratorySettings): Laboratory {
  const { edition, mutant } = settings;
  return {
    // A fault is looked for in the endpoint as it is by default.
    variants:
      mutant === null ? LEGAL_VARIANTS.filter((each) => each.edition === edition).map(({ id }) => id) : [],
    limitsIn: (world) => targetIn(world, settings).limits,
    play(scripts, world) {
      const target = targetIn(world, settings);
      const events: HistoryEvent[] = [runEvent(target, world, edition)];
      target.playSync(scripts, { append: (event) => events.push(event) }, { createPlayer });
      return events;
    },
    judge: judged,
  };
}

function targetIn(world: World, { edition, mutant }: LaboratorySettings): SimulatorTarget {
  const { requestMs, replyMs, timersLateMs, dispatchMs, workersLateMs } = world;
  const fault = mutant === null ? null : MUTANTS.find(({ id }) => id === mutant);
  const variant = world.variant === null ? null : LEGAL_VARIANTS.find(({ id }) => id === world.variant);
  if (fault === undefined || variant === undefined)
    throw new Error(`no such fault or variant: ${mutant}, ${world.variant}`);
  const base = variant?.rules() ?? rulesFor({}, edition);
  return simulatorTarget({
    seed: world.seed,
    edition,
    rules: fault === null ? base : fault.rules(base),
    ...(world.graceMs === null ? {} : { graceMs: world.graceMs }),
    ...(world.ties === 'seeded' ? { ties: 'seeded' as const } : {}),
    arrivals: world.arrivals,
    latency: {
      ...(requestMs === undefined ? {} : { requestMs }),
      ...(replyMs === undefined ? {} : { replyMs }),
    },
    ...(timersLateMs === undefined ? {} : { timersLateMs }),
    ...(dispatchMs === undefined ? {} : { dispatchMs }),
    ...(workersLateMs === undefined ? {} : { workers: { lateMs: workersLateMs } }),
    faults: world.mishaps,
  });
}

function runEvent(target: SimulatorTarget, { seed }: World, edition: Edition): HistoryEvent {
  return {
    kind: 'run',
    schema: 'runproof-history/1',
    runproof: packageVersion(),
    seed,
    edition,
    target: { kind: target.kind, name: target.name },
    capabilities: target.capabilities,
    clock: target.clock,
    graceMs: target.limits.graceMs,
    earlyMs: target.earlyMs,
  };
}

function judged(events: readonly HistoryEvent[], { variant }: World): Judged {
  const { requirements } = judge(events);
  const breaches = requirements.flatMap(({ level, failures }) =>
    (variant !== null && level !== 'must' ? [] : failures).map((failure): Breach => {
      const { requirement, script, expected, actual, proof } = failure;
      return { requirement, level, script, expected, actual, proof };
    }),
  );
  return { breaches, decided: requirements.filter(({ decided }) => decided > 0).map(({ id }) => id) };
}
