/** How many requirements have which verdict, and what share of them was decided. */
import type { Verdict } from '../oracle/ledger/findings.js';
import type { Level } from '../spec/types.js';
import { decidable, isDecided, type Judged } from './conclusion.js';
import type { ReportTotals, VerdictCounts } from './report.js';

/** The totals that need no history. */
export function verdictTotals(
  requirements: readonly Judged[],
): Omit<ReportTotals, 'scripts' | 'calls' | 'callsForeseen' | 'webhooks'> {
  const possible = decidable(requirements);
  const decided = possible.filter(isDecided);
  return {
    must: count(requirements, 'must'),
    should: count(requirements, 'should'),
    may: count(requirements, 'may'),
    coveragePercent: percent(decided.length, possible.length),
    conformancePercent: percent(decided.filter(({ verdict }) => verdict === 'pass').length, decided.length),
  };
}

function count(requirements: readonly Judged[], level: Level): VerdictCounts {
  const of = (verdict: Verdict): number =>
    requirements.filter((requirement) => requirement.level === level && requirement.verdict === verdict)
      .length;
  return {
    pass: of('pass'),
    fail: of('fail'),
    inconclusive: of('inconclusive'),
    'not-exercised': of('not-exercised'),
    untestable: of('untestable'),
    'not-applicable': of('not-applicable'),
  };
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.floor((part * 1000) / whole) / 10;
}
