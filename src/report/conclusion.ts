/** What a run amounts to: its exit code and the sentence that says it. The codes are a promise to CI jobs. */
import type { RequirementFinding, Verdict } from '../oracle/ledger/findings.js';
import { NO_BASELINE, type BaselineMatch } from './baseline.js';
import type { DialectComparison } from './dialect.js';

/** 2 and 4 are never conclusions of a judged run; they are listed for the report's sake. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 130;

/** How much has to be decided before a run may be called conforming. */
export type MinDecided = { readonly count: number } | { readonly percent: number };

/** A run that decided less than a tenth of what it could says nothing about the target. */
export const MIN_DECIDED_DEFAULT: MinDecided = { percent: 10 };

export interface Conclusion {
  readonly exitCode: ExitCode;
  readonly verdict: string;
}

/** How the run ended: by itself, by its budget or the time that it may take, by the user, or because nobody answered any more. */
export type Ending = 'finished' | 'budget' | 'time' | 'interrupted' | 'target-gone' | 'control-failed';

/** `12` or `40%`; null when it is neither. */
export function parseMinDecided(text: string): MinDecided | null {
  const match = /^(\d{1,6})(%?)$/.exec(text.trim());
  if (match === null) return null;
  const number = Number(match[1]);
  if (match[2] === '') return { count: number };
  return number <= 100 ? { percent: number } : null;
}

/** As much of a requirement as an exit code rests on. */
export type Judged = Pick<RequirementFinding, 'id' | 'level' | 'verdict'>;

const UNDECIDABLE: readonly Verdict[] = ['untestable', 'not-applicable'];

/**
 * What this run could have decided: the `must` requirements. Where the user asked for weaker ones alone, those.
 */
export function decidable(requirements: readonly Judged[]): readonly Judged[] {
  const possible = requirements.filter(({ verdict }) => !UNDECIDABLE.includes(verdict));
  const musts = possible.filter(({ level }) => level === 'must');
  const asked = requirements.filter(({ verdict }) => verdict !== 'not-applicable');
  return asked.some(({ level }) => level === 'must') ? musts : possible;
}

export function isDecided({ verdict }: { readonly verdict: Verdict }): boolean {
  return verdict === 'pass' || verdict === 'fail';
}

/** `requirements` are those the user asked for. */
export function conclude(
  requirements: readonly Judged[],
  ending: Ending,
  minDecided: MinDecided = MIN_DECIDED_DEFAULT,
  baseline: BaselineMatch = NO_BASELINE,
  dialect: DialectComparison | null = null,
): Conclusion {
  const possible = decidable(requirements);
  const decided = possible.filter(isDecided);
  const failing = requirements.filter(({ level, verdict }) => level === 'must' && verdict === 'fail');
  const { known, stale, expired } = baseline;
  const overdue = (id: string): boolean => expired.some(({ requirement }) => requirement === id);
  const failed = failing.filter(({ id }) => !known.has(id) && !overdue(id));
  const and = known.size === 0 ? '' : ` and ${known.size} as the baseline says`;
  const noun = possible.every(({ level }) => level === 'must') ? 'musts' : 'requirements';
  const of = `${decided.length} of ${possible.length} decidable ${noun} decided`;
  const wanted =
    'count' in minDecided ? minDecided.count : Math.ceil((possible.length * minDecided.percent) / 100);

  if (ending === 'interrupted')
    return { exitCode: 130, verdict: `INTERRUPTED: ${failed.length} failed, ${of}` };
  if (failed.length > 0)
    return { exitCode: 1, verdict: `DOES NOT CONFORM: ${failed.length} failed${and}, ${of}` };
  const drifted = dialect?.drift.length ?? 0;
  if (drifted > 0) {
    const readings = `${drifted} of ${dialect!.held} readings`;
    return { exitCode: 1, verdict: `DIALECT DRIFTED: ${readings} differ, no must failed${and}, ${of}` };
  }
  if (stale.length + expired.length > 0) {
    const parts = [
      ...(stale.length > 0 ? [`no longer fails: ${namesOf(stale)}`] : []),
      ...(expired.length > 0 ? [`expired: ${namesOf(expired)}`] : []),
    ];
    return { exitCode: 5, verdict: `BASELINE OUT OF DATE: ${parts.join('; ')}; ${of}` };
  }
  if (ending === 'target-gone')
    return { exitCode: 3, verdict: `TARGET STOPPED ANSWERING: nothing failed by then, ${of}` };
  if (ending === 'control-failed')
    return { exitCode: 3, verdict: `TEST CONTROL FAILED: nothing failed by then, ${of}` };
  if (ending === 'time') return { exitCode: 7, verdict: `TIME ENDED FIRST: nothing failed, ${of}` };
  if (ending === 'budget') return { exitCode: 7, verdict: `BUDGET ENDED FIRST: nothing failed, ${of}` };
  // Nothing decided is never green, whatever the user allows.
  if (decided.length < Math.max(wanted, 1)) {
    return { exitCode: 6, verdict: `TOO LITTLE DECIDED: ${of}, ${Math.max(wanted, 1)} wanted` };
  }
  const but = failing.length === 0 ? 'nothing failed' : `${failing.length} failed as the baseline says`;
  return { exitCode: 0, verdict: `${failing.length === 0 ? 'CONFORMS' : 'NOTHING NEW'}: ${but}, ${of}` };
}

function namesOf(entries: BaselineMatch['stale']): string {
  return entries.map(({ requirement }) => requirement).join(', ');
}
