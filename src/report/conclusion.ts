/** The exit code of a run and its verdict as a sentence. CI jobs rely on the codes. */
import type { RequirementFinding, Verdict } from '../oracle/ledger/findings.js';
import { failsUnless, type Assumptions } from './assumptions.js';
import { NO_BASELINE, type BaselineMatch } from './compare/baseline.js';
import { checkedOf, moreText, type Offering } from './checked.js';
import type { DialectComparison } from './dialect.js';
import { someOf } from './formatting.js';
import type { Shards } from './report.js';

/** A judged run never ends with 2 or 4; they belong to the type because commands return them. @internal */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 130;

/**
 * How much has to be decided: so many requirements, a share of those that the target can decide, in percent, or a share of all
 * that apply to it (`ofAll`), whatever it lacks to decide them. `{ ofAll: 100 }`: it has to conform.
 *
 * @public
 */
export type MinDecided =
  | { readonly count: number }
  | { readonly percent: number }
  | { readonly ofAll: number };

/** Below a tenth of the decidable requirements, a run says nothing about the target. */
const MIN_DECIDED_DEFAULT: MinDecided = { percent: 10 };
/** Clients call what they need: few requirements are decided by that, and what those say is true. */
const MIN_DECIDED_IN_TRAFFIC: MinDecided = { count: 1 };
const IN_SHARDS = { minDecided: { count: 1 } as MinDecided };

export interface Conclusion {
  readonly exitCode: ExitCode;
  readonly verdict: string;
  /** Nothing failed, and everything was decided that was asked and applies to the target. */
  readonly conforms: boolean;
}

export interface ConcludeOptions {
  /** Default: a tenth; of recorded traffic, one. */
  readonly minDecided?: MinDecided | undefined;
  readonly baseline?: BaselineMatch | undefined;
  readonly dialect?: DialectComparison | null | undefined;
  readonly target?: Offering | undefined;
  readonly assumptions?: Assumptions | null | undefined;
  /** A part of a check: the whole has to decide enough, and says which known failures are gone. */
  readonly shards?: Shards | undefined;
  /** All that failed before, and was checked again, passed or is violated no more by the scripts that violated it. */
  readonly isFixed?: boolean | undefined;
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

/** The part of a finding on which the exit code depends. */
export type Judged = Pick<RequirementFinding, 'id' | 'level' | 'verdict' | 'missed' | 'openByReading'> & {
  readonly reason?: string | null;
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

/** Runs of which nothing more was to be had. */
const STOPPED: { readonly [ending in Ending]?: string } = {
  'target-gone': 'TARGET STOPPED ANSWERING',
  'key-refused': 'KEY REFUSED',
  'control-failed': 'TEST CONTROL FAILED',
  'stopped-early': 'STOPPED EARLY',
};

function fixedText(checked: string, open: number): string {
  const others = `: ${open} no longer violated by the scripts that violated ${open === 1 ? 'it' : 'them'}`;
  return `FIXED: nothing failed again, ${checked}${open === 0 ? '' : others}`;
}

/**
 * A must that fails counts whether it was selected or not: a run that saw a violation never conforms. Nor does one that left
 * something open: it says how much was checked.
 */
export function conclude(
  requirements: readonly Judged[],
  ending: Ending,
  how: ConcludeOptions = {},
): Conclusion {
  const { baseline = NO_BASELINE, dialect = null, target = { capabilities: [] }, shards } = how;
  const usual = target.isRecorded === true ? MIN_DECIDED_IN_TRAFFIC : MIN_DECIDED_DEFAULT;
  const { minDecided = usual } = shards === undefined ? how : IN_SHARDS;
  const end = (exitCode: ExitCode, verdict: string): Conclusion => ({ exitCode, verdict, conforms: false });
  const possible = decidable(requirements);
  const decided = possible.filter(isDecided);
  const failing = requirements.filter(({ level, verdict }) => level === 'must' && verdict === 'fail');
  const { known, expired } = baseline;
  const overdue = (id: string): boolean => expired.some(({ requirement }) => requirement === id);
  const failed = failing.filter(({ id }) => !known.has(id) && !overdue(id));
  const and = known.size === 0 ? '' : ` and ${known.size} known by the baseline`;
  const leftOut = requirements.filter(isLeftOut).map(({ id }) => id);
  const noun = possible.every(({ level }) => level === 'must') ? 'required rules' : 'requirements';
  // Of all that apply, those that cannot be tested on this target included: a verdict covers no more.
  const asked = requirements.filter((one) => isSelected(one) && one.verdict !== 'not-applicable');
  const all = noun === 'requirements' ? asked : asked.filter(({ level }) => level === 'must');
  const of = `${decided.length} of ${all.length} ${noun} checked${inShards(shards)}`;

  if (ending === 'interrupted') return end(130, `INTERRUPTED: ${failed.length} failed, ${of}`);
  if (failed.length > 0) return end(1, `DOES NOT CONFORM: ${failedText(failed)}${and}, ${of}`);
  const drifted = dialect?.drift.length ?? 0;
  if (drifted > 0) {
    const readings = `${drifted} of ${dialect!.held} readings`;
    return end(1, `DIALECT DRIFTED: ${readings} differ, no required rule failed${and}, ${of}`);
  }
  const old = outOfDate(shards === undefined ? baseline : { ...baseline, stale: [] });
  if (old !== null) return end(5, `${old}; ${of}`);
  const stopped = STOPPED[ending];
  if (stopped !== undefined) return end(3, `${stopped}: nothing failed until then, ${of}`);
  if (ending === 'time') return end(7, `TIME ENDED FIRST: nothing failed, ${of}`);

  const checked = checkedOf(requirements, target);
  // What other shards check would count as what an option adds.
  const more = shards === undefined ? moreText(checked) : '';
  const checkedText = more === '' ? of : `${of}; ${more}`;
  if (shards?.missing !== undefined)
    return end(6, `${missingText(shards).toUpperCase()}: nothing failed in the others, ${of}`);
  if (how.isFixed === true) {
    const open = all.length - decided.length;
    return { exitCode: 0, verdict: fixedText(of, open), conforms: failing.length === 0 && open === 0 };
  }
  // A run that decided nothing never succeeds, whatever the user allows.
  const required = Math.max(1, wantedOf(minDecided, possible.length, checked.applying));
  const unless = failsUnless(how.assumptions);
  if (unless !== null) return end(decided.length < required ? 6 : 0, `${unless}; ${of}`);
  if (decided.length < required)
    return ending === 'budget'
      ? end(7, `BUDGET ENDED FIRST: nothing failed, ${of}, ${required} required`)
      : end(6, `TOO LITTLE DECIDED: ${of}, ${required} required${more === '' ? '' : `; ${more}`}`);
  const missed = requirements.filter((one) => one.missed === 'unexplained' && isSelected(one)).length;
  if (missed > 0 && failing.length === 0 && shards === undefined) {
    const rules = `${missed} more required ${missed === 1 ? 'rule' : 'rules'}`;
    const left = `nothing failed, but with a correct server these scenarios decide ${rules}`;
    return end(6, `LEFT OPEN: ${left}; ${of}`);
  }
  // How much fits into a budget varies from run to run: beyond what is required, it must not decide the exit code.
  const until = ending === 'budget' ? ' until the budget ended' : '';
  const code = 'ofAll' in minDecided && minDecided.ofAll === 100 ? 6 : 0;
  if (failing.length > 0)
    return end(code, `NOTHING NEW: ${failing.length} failed, all known by the baseline, ${of}`);
  if (leftOut.length > 0) {
    const skipped = `skipped, although ${leftOut.length === 1 ? 'it' : 'they'} failed: ${someOf(leftOut)}`;
    return end(code, `NOTHING FAILED${until.toUpperCase()}: ${of}; ${skipped}`);
  }
  const isOpen = all.length === decided.length ? false : checked.open > 0;
  if (isOpen || shards !== undefined)
    return end(code, `NOTHING FAILED${until.toUpperCase()}: ${checkedText}`);
  const what = requirements.every(isSelected) ? 'CONFORMS' : 'SELECTION CONFORMS';
  return { exitCode: 0, verdict: `${what}: nothing failed${until}, ${of}`, conforms: true };
}

/** Where not all shards are: `in shard 2 of 4`, `in 3 of 4 shards`. */
function inShards(shards: Shards | undefined): string {
  if (shards === undefined) return '';
  const { of, played } = shards;
  return played.length === 1 ? ` in shard ${played[0]} of ${of}` : ` in ${played.length} of ${of} shards`;
}

/** `shard 3 of 4 is missing`. */
export const missingText = ({ of, missing = [] }: Shards): string =>
  missing.length === 1
    ? `shard ${missing[0]} of ${of} is missing`
    : `shards ${missing.join(', ')} of ${of} are missing`;

function wantedOf(wanted: MinDecided, possible: number, applying: number): number {
  if ('count' in wanted) return wanted.count;
  return Math.ceil('ofAll' in wanted ? (applying * wanted.ofAll) / 100 : (possible * wanted.percent) / 100);
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

/** What has to be edited in the baseline; null: nothing. */
export function outOfDate({ stale, expired }: BaselineMatch): string | null {
  const parts = [
    ...(stale.length > 0 ? [`no longer fails: ${namesOf(stale)}`] : []),
    ...(expired.length > 0 ? [`expired: ${namesOf(expired)}`] : []),
  ];
  return parts.length === 0 ? null : `BASELINE OUT OF DATE: ${parts.join('; ')}`;
}

function namesOf(entries: BaselineMatch['stale']): string {
  return entries.map(({ requirement }) => requirement).join(', ');
}
