/** Plays the shipped suite, or some of it, on one correct endpoint. It judges nothing. */
import { planOf, type PlayedRun } from '../../proof/history-files.js';
import { named as shipped } from '../../scenarios/index.js';
import { chooseScripts } from '../../src/checking/plan/choose-scripts.js';
import { packageVersion } from '../../src/package-files.js';
import type { NamedScenario } from '../../src/scenario/scenario.js';
import { drawPlan } from '../../src/schedule/draw-plan.js';
import { httpTarget } from '../../src/target/http/index.js';
import { runScripts } from '../../src/target/run-scripts.js';
import type { Conformer } from './correct-endpoints.js';

export type Clock = 'simulator' | 'controlled' | 'real';

export interface HowToPlay {
  readonly seed: number;
  readonly runs: number;
  /** Default: the shipped ones. */
  readonly scenarios?: readonly NamedScenario[];
}

/** The longest wait of the profile `quick`. */
export const QUICK_WAIT_MS = 70_000;

/** False where the clock has nothing to say of it, or the run could not be reached by what it is to judge. */
export function canBeJudged({ simulated, realTimeOnly, callsNobodyHere }: Conformer, clock: Clock): boolean {
  if (clock === 'simulator') return simulated !== null;
  return (clock === 'real' || !realTimeOnly) && !callsNobodyHere;
}

export async function playVariant(
  { edition, simulated, served }: Conformer,
  clock: Clock,
  { seed, runs, scenarios = shipped }: HowToPlay,
): Promise<PlayedRun> {
  const run = { seed, edition, runproof: packageVersion() };
  if (clock === 'simulator') {
    const target = simulated!(seed);
    const { scripts } = drawPlan(scenarios, target, seed, runs);
    return { events: (await runScripts(target, scripts, run)).events, plan: planOf(scripts, target) };
  }
  const server = await served(clock);
  try {
    const target = await httpTarget({
      url: server.url,
      apiKey: server.apiKey,
      controlUrl: server.controlUrl,
      worker: 'scripted',
      // Any default of an endpoint's own is right where none is stated.
      executionTimeoutDefaultMs: null,
      ...(clock === 'real' ? { maxWaitMs: QUICK_WAIT_MS } : {}),
    });
    try {
      const selection = { scenarios, asked: {} };
      const { scripts } = await chooseScripts(target, { selection, seed, runs, explored: 0, budgetMs: null });
      return { events: (await runScripts(target, scripts, run)).events, plan: planOf(scripts, target) };
    } finally {
      await target.close();
    }
  } finally {
    await server.close();
  }
}
