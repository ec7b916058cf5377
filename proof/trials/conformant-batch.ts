/** Conformant endpoints, each with readings of its own, in worlds with jitter, loss and lateness: nothing may fail. */
import fc from 'fast-check';
import { named } from '../../scenarios/index.js';
import { judged, runEvent, simulatorIn } from '../../src/test-bed/test-bed.js';
import type { Judged } from '../../src/explore/batch.js';
import { RUNS_PER_BATCH } from '../../src/explore/batch-sizes.js';
import { concurrencyBurstScript } from '../../src/explore/concurrency-burst.js';
import { runBatch, type Violation, type Environment } from '../../src/explore/index.js';
import { randomSourceOf, type RandomSource } from '../../src/explore/random-source.js';
import { drawEnvironment, GRACE_MS } from '../../src/explore/environment.js';
import type { HarnessLag, HistoryEvent } from '../../src/history/events.js';
import type { Edition } from '../../src/spec/types.js';
import { drawPlan } from '../../src/schedule/draw-plan.js';
import type { Script } from '../../src/scenario/index.js';
import type { SimulatorTarget } from '../../src/target/simulator/simulator-target.js';
import { createRandom } from '../../src/time/random.js';
import { readDifferently } from './reading-patterns.js';
import { rulesOf, WORLD_VARIANTS } from './random-dialect.js';

export interface ConformantTask {
  readonly kind: 'conformant';
  readonly seed: number;
  readonly batch: number;
}

export interface Alarm {
  readonly batch: number;
  readonly requirement: string;
  readonly level: string;
  readonly world: Environment;
  readonly variants: readonly string[];
  readonly script: Script;
  readonly expected: string;
  readonly actual: string;
  readonly proof: readonly string[];
}

export interface BatchSummary {
  readonly batch: number;
  readonly calls: number;
  readonly alarms: readonly Alarm[];
  /** Open questions that seemed to be answered in several ways. */
  readonly doubts: readonly string[];
}

/** By turns, two batches each. */
const editionOf = (batch: number): Edition => (batch % 4 < 2 ? 'document' : 'runpod');
/** Thousands of calls at once are there for limits, not for lives; the specs play them. */
const CROWDED = /^8\/(rate-of-(run|runsync|status|stream|openai)|concurrency)/;
const SCENARIOS = named.filter(({ name }) => !CROWDED.test(name));
const SCENARIOS_PER_BATCH = 24;

/** What was played: an endpoint that conforms, so that nothing of it may fail. */
export interface PlayedBatch {
  readonly world: Environment;
  readonly scripts: readonly Script[];
  readonly events: readonly HistoryEvent[];
}

type Which = Omit<ConformantTask, 'kind'>;

/** Depends on the task alone. */
export function playBatch({ seed, batch }: ConformantTask): BatchSummary {
  const { world, scripts, events } = batchHistory({ seed, batch });
  const { violations, doubts } = judged(events, world);
  const alarms = violations.map((violation) =>
    alarmOf(batch, world, { ...violation, script: scripts[violation.script]! }),
  );
  return { batch, calls: events.filter(({ kind }) => kind === 'call').length, alarms, doubts };
}

/** By turns the explorer's scripts, some of the shipped scenarios, and many clients of one job. */
export function batchHistory({ seed, batch }: Which): PlayedBatch {
  const edition = editionOf(batch);
  if (batch % 3 === 0)
    return explorerHistory({ seed, batch, edition }, WORLD_VARIANTS, (world) => targetIn(world, edition));
  return batch % 3 === 1 ? directed({ seed, batch }) : crowded({ seed, batch });
}

const NOT_JUDGED: Judged = { violations: [], decided: [], doubts: [] };

/** Random scripts, in a world drawn with one of the variants, on the endpoint that the world asks for. */
export function explorerHistory(
  { seed, batch, edition }: Which & { readonly edition: Edition },
  variants: readonly string[],
  endpointIn: (world: Environment) => SimulatorTarget,
): PlayedBatch {
  let played: PlayedBatch | undefined;
  const task = { seed, batch, runs: RUNS_PER_BATCH, coverage: {} };
  runBatch(task, {
    variants,
    limitsIn: (world) => endpointIn(world).limits,
    run(scripts, world) {
      const events = play(scripts, world, edition, endpointIn(world));
      played = { world, scripts, events };
      return events;
    },
    judge: () => NOT_JUDGED,
  });
  return played!;
}

const CROWDS_PER_BATCH = 6;

function crowded({ seed, batch }: Which): PlayedBatch {
  const stream = createRandom(seed).fork('crowded').fork(String(batch));
  const edition = editionOf(batch);
  const dice = randomSourceOf((lo, hi) => stream.intBetween(lo, hi));
  // Calls on a job are under way at once where they take their time; there and back it is less than what is excused.
  const onTheWay = { fromMs: 0, toMs: dice.pick([100, 400, 900]) };
  const drawn = drawEnvironment(dice, stream.nextUint32(), WORLD_VARIANTS);
  const world = heldUp({ ...drawn, graceMs: GRACE_MS, requestMs: onTheWay, replyMs: onTheWay }, dice);
  const scripts = Array.from({ length: CROWDS_PER_BATCH }, () =>
    concurrencyBurstScript(dice, stream.nextUint32()),
  );
  return { world, scripts, events: play(scripts, world, edition, targetIn(world, edition)) };
}

function directed({ seed, batch }: Which): PlayedBatch {
  const stream = createRandom(seed).fork('conformant').fork(String(batch));
  const edition = editionOf(batch);
  const dice = randomSourceOf((lo, hi) => stream.intBetween(lo, hi));
  const world = heldUp(drawEnvironment(dice, stream.nextUint32(), WORLD_VARIANTS), dice);
  const chosen = fc.sample(fc.constantFrom(...SCENARIOS), {
    seed: stream.nextUint32() >>> 1,
    numRuns: SCENARIOS_PER_BATCH,
  });
  const plan = drawPlan([...new Set(chosen)], targetIn(world, edition), stream.nextUint32() >>> 1, 1);
  const scripts = dice.chance(50)
    ? plan.scripts.map((script) => readDifferently(script, dice))
    : plan.scripts;
  return { world, scripts, events: play(scripts, world, edition, targetIn(world, edition)) };
}

/** For how long the harness is held up at a time, at most, in ms. */
const HELD_UP_MAX_MS = 3_000;
/** The oracle looks back for a lag as far. */
const HELD_UP_EVERY_MS = 10_000;

/** An endpoint that is later than tolerated while the harness is held up: they share a machine. */
function heldUp(world: Environment, dice: RandomSource): Environment {
  if (!dice.chance(30)) return world;
  const graceMs = dice.pick([250, GRACE_MS]);
  const late = { fromMs: 0, toMs: graceMs + dice.between(500, HELD_UP_MAX_MS) };
  return { ...world, graceMs, timersLateMs: late, dispatchMs: late, workersLateMs: late };
}

/** What the endpoint may be late beyond the grace, the harness was held up, again and again. */
function withLags(world: Environment, events: readonly HistoryEvent[]): readonly HistoryEvent[] {
  const { graceMs, timersLateMs } = world;
  const lostMs = graceMs === null ? 0 : (timersLateMs?.toMs ?? 0) - graceMs;
  if (lostMs <= 0) return events;
  const begunMs = new Map<number, number>();
  return events.map((event) => {
    if (event.kind === 'script') begunMs.set(event.script, event.atMs);
    if (event.kind !== 'script-end') return event;
    const harnessLags: HarnessLag[] = [];
    for (let fromMs = begunMs.get(event.script)! - 1; fromMs <= event.atMs; fromMs += HELD_UP_EVERY_MS)
      harnessLags.push({ fromMs, toMs: fromMs + lostMs, lostMs });
    return { ...event, harnessLagMs: lostMs, harnessLags };
  });
}

const dialectIn = ({ seed, variant }: Environment, edition: Edition) =>
  rulesOf(createRandom(seed).fork('dialect'), variant, edition);

function targetIn(world: Environment, edition: Edition): SimulatorTarget {
  const { rules, lateMs } = dialectIn(world, edition);
  return simulatorIn(world, edition, rules, lateMs, null);
}

function play(
  scripts: readonly Script[],
  world: Environment,
  edition: Edition,
  target: SimulatorTarget,
): readonly HistoryEvent[] {
  const events: HistoryEvent[] = [runEvent(target, world, edition)];
  target.runSynchronously(scripts, { append: (event) => events.push(event) });
  return withLags(world, events);
}

function alarmOf(
  batch: number,
  world: Environment,
  {
    requirement,
    level,
    script,
    expected,
    actual,
    proof,
  }: Omit<Violation, 'script'> & { readonly script: Script },
): Alarm {
  const { variants } = dialectIn(world, editionOf(batch));
  return { batch, requirement, level, world, variants, script, expected, actual, proof };
}
