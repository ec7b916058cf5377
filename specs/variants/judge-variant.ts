/** The shipped suite on one correct endpoint: what it is failed or advised without a reason. */
import { leftOpenIn } from '../../proof/trials/left-open.js';
import type { PlayedRun } from '../../proof/history-files.js';
import { judge } from '../../src/oracle/index.js';
import type { Conformer } from './correct-endpoints.js';
import { playVariant, type Clock, type HowToPlay } from './play-variant.js';

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
  /** It did not fail: it stays open, though the scenarios decide it, and nothing explains that. */
  readonly isOpen?: true;
}

export interface Judgement {
  readonly alarms: readonly Alarm[];
  /** Requirements that were decided. */
  readonly decided: number;
  /** Open questions of which one answer is wanted and several were seen, each with these. */
  readonly unstable: readonly string[];
}

/** Plays and judges it. */
export async function judged(conformer: Conformer, clock: Clock, how: HowToPlay): Promise<Judgement> {
  return judgeVariant(conformer, clock, await playVariant(conformer, clock, how));
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
    ...{ ...unexplained, level: 'must', requirement: `${id} left open`, lines: [why], isOpen: true },
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
