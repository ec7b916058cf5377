/** The shipped suite on one correct endpoint: what it is failed or advised without a reason. */
import { checkTarget } from '../../src/app/check-target.js';
import type { NamedScenario } from '../../src/scenario/scenario.js';
import { httpTarget } from '../../src/target/http/index.js';
import type { Target } from '../../src/target/port.js';
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

export interface HowToJudge {
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

export async function judged(conformer: Conformer, clock: Clock, how: HowToJudge): Promise<Judgement> {
  if (clock === 'simulator') return judgedOn(conformer.simulated!(how.seed), conformer, clock, how);
  const served = await conformer.served(clock);
  try {
    const target = await httpTarget({
      url: served.url,
      apiKey: served.apiKey,
      controlUrl: served.controlUrl,
      worker: 'scripted',
      // Any default of an endpoint's own is right where none is stated.
      executionTimeoutDefaultMs: null,
      ...(clock === 'real' ? { maxWaitMs: QUICK_WAIT_MS } : {}),
    });
    try {
      return await judgedOn(target, conformer, clock, how);
    } finally {
      await target.close();
    }
  } finally {
    await served.close();
  }
}

async function judgedOn(
  target: Target,
  { name, edition, advised }: Conformer,
  clock: Clock,
  { seed, runs, scenarios }: HowToJudge,
): Promise<Judgement> {
  const { findings, report } = await checkTarget(target, {
    seed,
    runs,
    edition,
    ...(scenarios === undefined ? {} : { scenarios }),
  });
  const alarms = findings.requirements.flatMap(({ id, level, failed, failures }): Alarm[] => {
    const first = failures[0];
    if (first === undefined) return [];
    if (level !== 'must' && (advised === 'any' || advised.has(id))) return [];
    const { scenario, expected, actual, proof } = first;
    const lines = [`expected ${expected}`, `actual ${actual}`, ...proof];
    return [{ conformer: name, clock, level, requirement: id, failed, scenario, lines }];
  });
  // Of a correct endpoint, whatever its readings, the scenarios decide what they exercise.
  const missed = report.requirements.flatMap(({ id, missed, reason }): Alarm[] =>
    missed !== 'unexplained'
      ? []
      : [
          {
            conformer: name,
            clock,
            level: 'must',
            requirement: `${id} left open`,
            failed: 1,
            scenario: '',
            lines: [reason ?? ''],
          },
        ],
  );
  const doubts = findings.warnings.map((text): Alarm => ({
    conformer: name,
    clock,
    level: 'warning',
    requirement: text,
    failed: 1,
    scenario: '',
    lines: [],
  }));
  return {
    alarms: [...alarms, ...missed, ...doubts],
    decided: findings.requirements.filter(({ decided }) => decided > 0).length,
    unstable: findings.openQuestions
      .filter(({ stable }) => !stable)
      .map(({ id, counts }) => `${id} ${JSON.stringify(counts)}`),
  };
}
