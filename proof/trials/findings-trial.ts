/** What the oracle says of one kept history: one line, to be compared with what it said before. */
import { basename, dirname } from 'node:path';
import type { RequirementId } from '../../src/spec/index.js';
import { judge, type Findings } from '../../src/oracle/index.js';
import { HISTORY_ENDING, keptHistory } from '../history-files.js';

export interface FindingsTask {
  readonly kind: 'findings';
  readonly path: string;
  /** Requirements of the life-cycle that are not held; none, as a rule. */
  readonly without?: readonly RequirementId[];
}

/** Of a requirement of which something was decided, or said why it could not be. */
interface FoundRequirement {
  readonly decided: number;
  readonly failed: number;
  readonly level: string;
  readonly verdict: string;
  /** Of the first failures: the calls that contradict each other. */
  readonly calls?: readonly (readonly number[])[];
}

export interface JudgedHistory {
  /** Its folder and its name. */
  readonly history: string;
  /** By id. */
  readonly requirements: { readonly [id: string]: FoundRequirement };
  /** By open question, the readings that were observed, with how often. */
  readonly readings: { readonly [question: string]: { readonly [reading: string]: number } };
  readonly warnings: readonly string[];
  readonly lateness: Findings['lateness'];
  /** What the oracle threw; null as a rule. */
  readonly thrown: string | null;
}

const FAILURES_MAX = 3;

export function judgeKept({ path, without = [] }: FindingsTask): JudgedHistory {
  const history = `${basename(dirname(path))}/${basename(path, HISTORY_ENDING)}`;
  const nothing = { history, requirements: {}, readings: {}, warnings: [], lateness: {} };
  try {
    const findings = judge(keptHistory(path)!, { failuresMax: FAILURES_MAX, without });
    return { history, ...linesOf(findings), thrown: null };
  } catch (error) {
    return { ...nothing, thrown: error instanceof Error ? error.message : String(error) };
  }
}

function linesOf(findings: Findings): Omit<JudgedHistory, 'history' | 'thrown'> {
  const told = findings.requirements.filter(
    ({ decided, verdict }) => decided > 0 || verdict === 'inconclusive',
  );
  const observed = findings.openQuestions.filter(({ readings }) => readings.length > 0);
  return {
    requirements: Object.fromEntries(
      told.map(({ id, decided, failed, level, verdict, failures }) => {
        const calls = failed === 0 ? {} : { calls: failures.map((failure) => failure.calls) };
        return [id, { decided, failed, level, verdict, ...calls }];
      }),
    ),
    readings: Object.fromEntries(observed.map(({ id, counts }) => [id, counts])),
    warnings: findings.warnings,
    lateness: findings.lateness,
  };
}
