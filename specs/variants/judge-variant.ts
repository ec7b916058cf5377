/** The shipped suite on one correct endpoint: what it is failed or advised without a reason. */
import { leftOpenIn } from '../../proof/left-open.js';
import { planOf, type PlayedRun } from '../../proof/history-files.js';
import { named as shipped } from '../../scenarios/index.js';
import { chooseScripts } from '../../src/app/plan/choose-scripts.js';
import { judge } from '../../src/oracle/index.js';
import { packageVersion } from '../../src/package-files.js';
import type { NamedScenario } from '../../src/scenario/scenario.js';
import { drawPlan } from '../../src/schedule/draw-plan.js';
import { httpTarget } from '../../src/target/http/index.js';
import { runScripts } from '../../src/target/run-scripts.js';
import type { Conformer } from './correct-endpoints.js';

export type Clock = 'simulator' | 'controlled' | 'real';

export interface Alarm {
  readonly conformer: string;
  readonly clock: Clock;
  /** `warning` where the run has a doubt that a correct endpoint gives no reason for. */
  readonly level: 'must' | 'should' | 'may' | 'warning';
  readonly requirement: string;
  readonly failed: number;
  readonly scenario: string;
  /** Expected, actual, and the proof. */
  readonly lines: readonly string[];
}

export interface Judgement {
  readonly alarms: readonly Alarm[];
  /** Requirements that were decided. */
  readonly decided: number;
  /** Open questions of which one answer is wanted and several were seen, each with these. */
  readonly unstable: readonly string[];
}

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

/** Plays and judges it. */
export async function judged(conformer: Conformer, clock: Clock, how: HowToPlay): Promise<Judgement> {
  return judgeVariant(conformer, clock, await playVariant(conformer, clock, how));
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

/** What was played on it, as the oracle judges it. */
export function judgeVariant(
  { name, advised }: Pick<Conformer, 'name' | 'advised'>,
  clock: Clock,
  { events, plan }: PlayedRun,
): Judgement {
  const findings = judge(events);
  const about = { conformer: name, clock };
  const alarms = findings.requirements.flatMap(({ id, level, failed, failures }): Alarm[] => {
    const first = failures[0];
    if (first === undefined) return [];
    if (level !== 'must' && (advised === 'any' || advised.has(id))) return [];
    const { scenario, expected, actual, proof } = first;
    const lines = [`expected ${expected}`, `actual ${actual}`, ...proof];
    return [{ ...about, level, requirement: id, failed, scenario, lines }];
  });
  const unexplained = { ...about, failed: 1, scenario: '' };
  // Of a correct endpoint, whatever its readings, the scenarios decide what they exercise.
  const open = plan === null ? [] : [...leftOpenIn(events, findings, plan)];
  const missed = open.map(([id, why]): Alarm => ({
    ...{ ...unexplained, level: 'must', requirement: `${id} left open`, lines: [why] },
  }));
  const doubts = findings.warnings.map((text): Alarm => ({
    ...{ ...unexplained, level: 'warning', requirement: text, lines: [] },
  }));
  return {
    alarms: [...alarms, ...missed, ...doubts],
    decided: findings.requirements.filter(({ decided }) => decided > 0).length,
    unstable: findings.openQuestions
      .filter(({ stable }) => !stable)
      .map(({ id, counts }) => `${id} ${JSON.stringify(counts)}`),
  };
}
