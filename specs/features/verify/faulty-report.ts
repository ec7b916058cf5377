/** What `check` reports of the simulator with a planted bug, when asked about what the bug violates. */
import { checkTarget } from '../../../src/checking/check-target.js';
import { rulesFor } from '../../../src/core/rules.js';
import type { HistoryEvent } from '../../../src/history/events.js';
import type { Mutant } from '../../../src/mutants/index.js';
import type { Report } from '../../../src/report/index.js';
import { simulatorTarget } from '../../../src/target/simulator/simulator-target.js';

const SEED = 12;

export interface FaultyReport {
  readonly report: Report;
  readonly history: readonly HistoryEvent[];
}

/** @param mutant null: the correct endpoint, and `only` what it is asked */
export async function reportOn(mutant: Mutant | null, only: readonly string[] = []): Promise<FaultyReport> {
  const rules = rulesFor({}, 'document');
  const target = simulatorTarget({ seed: SEED, rules: mutant?.rules(rules) ?? rules, graceMs: 2_000 });
  const { report, history } = await checkTarget(target, {
    ...{ seed: SEED, runs: 1, shrink: false },
    only: mutant?.breaks ?? only,
  });
  return { report, history };
}
