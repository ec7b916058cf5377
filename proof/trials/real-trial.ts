/**
 * Mutants in real time over HTTP. What waiting costs is time only, so many servers run side by side; and of the suite,
 * only those scripts are played that are known, from the simulator, to show the fault within the profile's longest wait.
 */
import { named } from '../../scenarios/index.js';
import { rulesFor, type Rules } from '../../src/core/rules.js';
import { MUTANTS, type Mutant } from '../../src/mutants/index.js';
import { judge } from '../../src/oracle/index.js';
import { packageVersion } from '../../src/package-files.js';
import { drawPlan } from '../../src/schedule/draw-plan.js';
import { runScripts } from '../../src/target/run-scripts.js';
import type { Script } from '../../src/scenario/index.js';
import type { HttpTarget } from '../../src/target/http/index.js';
import type { Target } from '../../src/target/port.js';
import { simulatorTarget } from '../../src/target/simulator/simulator-target.js';
import type { Failed } from './trial.js';
import { onServer } from './with-local-server.js';

/** The longest wait of `--profile standard`. */
const STANDARD_WAIT_MS = 130_000;
/** So many scripts that show the fault are played. */
const SCRIPTS_MAX = 3;

export interface RealTask {
  readonly kind: 'real';
  readonly ids: readonly string[];
  /** Servers side by side. */
  readonly atOnce: number;
  readonly seed: number;
}

/** For each mutant what failed; null where nothing within the profile's waits shows it even on the simulator. */
export type RealAnswer = readonly (readonly [id: string, failed: Failed | null])[];

export async function tryInRealTime({ ids, atOnce, seed }: RealTask): Promise<RealAnswer> {
  const mutants = MUTANTS.filter(({ id }) => ids.includes(id));
  // All of that before any server has to answer in time: it leaves no time for them.
  const plans = await inRealTime(null, async (target) => {
    const found: { mutant: Mutant; scripts: readonly Script[] }[] = [];
    for (const mutant of mutants) found.push({ mutant, scripts: await telling(mutant, target, seed) });
    return found;
  });
  const waiting = [...plans];
  const answers: [string, Failed | null][] = [];
  const next = async (): Promise<void> => {
    for (let plan = waiting.shift(); plan !== undefined; plan = waiting.shift())
      answers.push([
        plan.mutant.id,
        plan.scripts.length === 0 ? null : await tryOne(plan.mutant, plan.scripts, seed),
      ]);
  };
  await Promise.all(Array.from({ length: atOnce }, next));
  return answers;
}

/** Each script on a server of its own: a fault may remember what it saw. */
async function tryOne(mutant: Mutant, scripts: readonly Script[], seed: number): Promise<Failed> {
  const failed = await Promise.all(
    scripts.map((script) => inRealTime(mutant, (target) => failedOf(target, [script], seed))),
  );
  return new Map(failed.flatMap((each) => [...each]));
}

function inRealTime<T>(mutant: Mutant | null, use: (target: HttpTarget) => Promise<T>): Promise<T> {
  const server = { clock: 'real', control: true, rules: rulesOf(mutant) } as const;
  return onServer(server, { maxWaitMs: STANDARD_WAIT_MS }, use);
}

function rulesOf(mutant: Mutant | null): Rules {
  const base = rulesFor({}, 'document');
  return mutant === null ? base : mutant.rules(base);
}

/** Scripts that this target can play and that show the fault on the simulator; those with the fewest steps. */
async function telling(mutant: Mutant, target: HttpTarget, seed: number): Promise<readonly Script[]> {
  const broken: readonly string[] = mutant.breaks;
  const scenarios = named.filter(({ exercises }) => exercises.some((id) => broken.includes(id)));
  const { scripts } = drawPlan(scenarios, target, seed, 1);
  const found: Script[] = [];
  for (const script of [...scripts].sort((left, right) => left.steps.length - right.steps.length)) {
    const { graceMs } = target.limits;
    // As over HTTP, nobody knows when a call has arrived.
    const simulator = simulatorTarget({
      seed,
      rules: rulesOf(mutant),
      graceMs,
      arrivals: 'hidden',
      latency: { requestMs: { fromMs: 1, toMs: 10 }, replyMs: { fromMs: 1, toMs: 10 } },
    });
    const failed = await failedOf(simulator, [script], seed);
    if (broken.some((id) => failed.has(id))) found.push(script);
    if (found.length === SCRIPTS_MAX) break;
  }
  return found;
}

async function failedOf(target: Target, scripts: readonly Script[], seed: number): Promise<Failed> {
  const run = { seed, edition: 'document', runproof: packageVersion() } as const;
  const { events } = await runScripts(target, scripts, run);
  const failed = new Map<string, string>();
  for (const { id, verdict, failures } of judge(events).requirements)
    if (verdict === 'fail') failed.set(id, failures[0]?.scenario ?? '');
  return failed;
}
