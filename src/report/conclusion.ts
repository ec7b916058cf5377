/** The exit code of a run and its verdict as a sentence. CI jobs rely on the codes. */
import type { RequirementFinding, Verdict } from '../oracle/ledger/findings.js';
import { NO_BASELINE, type BaselineMatch } from './baseline.js';
import type { DialectComparison } from './dialect.js';

/** A judged run never ends with 2 or 4; they belong to the type because commands return them. @internal */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 130;

/** How many requirements have to be decided for a run to conform. @public */
export type MinDecided = { readonly count: number } | { readonly percent: number };

/** Below a tenth of the decidable requirements, a run says nothing about the target. */
export const MIN_DECIDED_DEFAULT: MinDecided = { percent: 10 };

export interface Conclusion {
  readonly exitCode: ExitCode;
  readonly verdict: string;
}

/**
 * How the run ended: completely, by its budget or time limit, by the user, because target or test control stopped answering,
 * because the key was refused from some moment on, or because no script would have taught anything more.
 *
 * @internal
 */
export type Ending =
  | 'finished'
  | 'budget'
  | 'time'
  | 'interrupted'
  | 'target-gone'
  | 'key-refused'
  | 'control-failed'
  | 'stopped-early';

/** Parses `12` or `40%`; null for anything else. */
export function parseMinDecided(text: string): MinDecided | null {
  const match = /^(\d{1,6})(%?)$/.exec(text.trim());
  if (match === null) return null;
  const number = Number(match[1]);
  if (match[2] === '') return { count: number };
  return number <= 100 ? { percent: number } : null;
}

/** The part of a finding on which the exit code depends. */
export type Judged = Pick<RequirementFinding, 'id' | 'level' | 'verdict' | 'missed'> & {
  /** False: the run was not asked about it. */
  readonly selected?: false;
  readonly failed?: number;
};

const UNDECIDABLE: readonly Verdict[] = ['untestable', 'not-applicable'];

/**
 * The requirements that this run could have decided: each selected `must`, or all selected ones if no `must` was selected.
 */
export function decidable(all: readonly Judged[]): readonly Judged[] {
  const requirements = all.filter(isSelected);
  const possible = requirements.filter(({ verdict }) => !UNDECIDABLE.includes(verdict));
  const musts = possible.filter(({ level }) => level === 'must');
  const asked = requirements.filter(({ verdict }) => verdict !== 'not-applicable');
  return asked.some(({ level }) => level === 'must') ? musts : possible;
}

/** It failed, and `--skip` names it. */
const isLeftOut = ({ level, verdict, failed = 0 }: Judged): boolean =>
  level === 'must' && verdict === 'not-applicable' && failed > 0;

const isSelected = ({ selected }: Judged): boolean => selected !== false;

export function isDecided({ verdict }: { readonly verdict: Verdict }): boolean {
  return verdict === 'pass' || verdict === 'fail';
}

/** A must that fails counts whether it was selected or not: a run that saw a violation never conforms. */
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
  const and = known.size === 0 ? '' : ` and ${known.size} known by the baseline`;
  const leftOut = requirements.filter(isLeftOut).map(({ id }) => id);
  const noun = possible.every(({ level }) => level === 'must') ? 'musts' : 'requirements';
  // Of all that apply, those that cannot be tested on this target included: a verdict covers no more.
  const asked = requirements.filter((one) => isSelected(one) && one.verdict !== 'not-applicable');
  const all = noun === 'musts' ? asked.filter(({ level }) => level === 'must') : asked;
  const of = `${decided.length} of ${all.length} ${noun} checked`;
  const wanted =
    'count' in minDecided ? minDecided.count : Math.ceil((possible.length * minDecided.percent) / 100);

  if (ending === 'interrupted')
    return { exitCode: 130, verdict: `INTERRUPTED: ${failed.length} failed, ${of}` };
  if (failed.length > 0)
    return { exitCode: 1, verdict: `DOES NOT CONFORM: ${failedText(failed)}${and}, ${of}` };
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
    return { exitCode: 3, verdict: `TARGET STOPPED ANSWERING: nothing failed until then, ${of}` };
  if (ending === 'key-refused')
    return { exitCode: 3, verdict: `KEY REFUSED: nothing failed until then, ${of}` };
  if (ending === 'control-failed')
    return { exitCode: 3, verdict: `TEST CONTROL FAILED: nothing failed until then, ${of}` };
  if (ending === 'stopped-early')
    return { exitCode: 3, verdict: `STOPPED EARLY: nothing failed until then, ${of}` };
  if (ending === 'time') return { exitCode: 7, verdict: `TIME ENDED FIRST: nothing failed, ${of}` };
  // A run that decided nothing never succeeds, whatever the user allows.
  const required = Math.max(wanted, 1);
  if (decided.length < required)
    return ending === 'budget'
      ? { exitCode: 7, verdict: `BUDGET ENDED FIRST: nothing failed, ${of}, ${required} required` }
      : { exitCode: 6, verdict: `TOO LITTLE DECIDED: ${of}, ${required} required` };
  const missed = requirements.filter((one) => one.missed === 'unexplained' && isSelected(one)).length;
  if (missed > 0 && failing.length === 0) {
    const musts = missed === 1 ? '1 must' : `${missed} musts`;
    return {
      exitCode: 6,
      verdict: `LEFT OPEN: nothing failed, ${musts} stayed open that these scenarios decide, ${of}`,
    };
  }
  // How much fits into a budget varies from run to run: beyond what is required, it must not decide the exit code.
  const until = ending === 'budget' ? ' until the budget ended' : '';
  if (failing.length > 0) {
    const all = `${failing.length} failed, all known by the baseline`;
    return { exitCode: 0, verdict: `NOTHING NEW: ${all}, ${of}` };
  }
  if (leftOut.length > 0) {
    const besides = `only what --skip leaves out failed${until} (${someOf(leftOut)})`;
    return { exitCode: 0, verdict: `NOTHING ELSE FAILED: ${besides}, ${of}` };
  }
  return { exitCode: 0, verdict: `CONFORMS: nothing failed${until}, ${of}` };
}

/** `3 failed`, `3 failed and 1 outside the selection (4.7/keeps-finished)`. */
function failedText(failed: readonly Judged[]): string {
  const outside = failed.filter((one) => !isSelected(one)).map(({ id }) => id);
  const inside = failed.length - outside.length;
  if (outside.length === 0) return `${inside} failed`;
  if (inside > 0) return `${inside} failed and ${outside.length} outside the selection (${someOf(outside)})`;
  const who = outside.length === 1 ? 'a requirement' : `${outside.length} requirements`;
  return `${who} outside the selection failed (${someOf(outside)})`;
}

const NAMED_MAX = 3;

const someOf = (ids: readonly string[]): string =>
  ids.length <= NAMED_MAX
    ? ids.join(', ')
    : `${ids.slice(0, NAMED_MAX).join(', ')} and ${ids.length - NAMED_MAX} more`;

function namesOf(entries: BaselineMatch['stale']): string {
  return entries.map(({ requirement }) => requirement).join(', ');
}
