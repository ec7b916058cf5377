/** The differences between two reports of one target, the second being newer. */
import { escapedTexts } from '../escape.js';
import { compareSections, sectionOf } from '../document-lines.js';
import type { Report, ReportRequirement } from '../report.js';
import { clockInWords, pluralize, LEVEL_WORDS } from '../formatting.js';

interface Difference {
  readonly id: string;
  readonly level: 'must' | 'should' | 'may';
  readonly was: ReportRequirement['verdict'];
  readonly is: ReportRequirement['verdict'];
}

export interface ReportDiff {
  readonly schema: 'runproof-diff/1';
  readonly newlyFailing: readonly Difference[];
  /** Ids of what failed before and fails now. */
  readonly stillFailing: readonly string[];
  readonly newlyPassing: readonly Difference[];
  /** Decided before, undecided now. */
  readonly newlyUndecided: readonly Difference[];
  /** Open questions whose observed readings differ. */
  readonly readings: readonly {
    readonly id: string;
    readonly was: readonly string[];
    readonly is: readonly string[];
  }[];
  /** Differences that make the two hard to compare: target, edition or version. */
  readonly warnings: readonly string[];
}

/** Requirements that only one of the two contains count as undecided in the other. */
export function diffReports(before: Report, after: Report): ReportDiff {
  const earlier = new Map(before.requirements.map((requirement) => [requirement.id, requirement]));
  const later = new Map(after.requirements.map((requirement) => [requirement.id, requirement]));
  const all = [...later.values(), ...before.requirements.filter(({ id }) => !later.has(id))];
  const differences = all
    .map(({ id, level }): Difference => ({
      id,
      level,
      was: earlier.get(id)?.verdict ?? 'not-exercised',
      is: later.get(id)?.verdict ?? 'not-exercised',
    }))
    .filter(({ was, is }) => was !== is)
    .sort((a, b) => compareSections(sectionOf(a.id), sectionOf(b.id)) || (a.id < b.id ? -1 : 1));
  const isDecided = (verdict: Difference['was']): boolean => verdict === 'pass' || verdict === 'fail';
  return {
    schema: 'runproof-diff/1',
    newlyFailing: differences.filter(({ is }) => is === 'fail'),
    stillFailing: after.requirements.flatMap(({ id, verdict }) =>
      verdict === 'fail' && earlier.get(id)?.verdict === 'fail' ? [id] : [],
    ),
    newlyPassing: differences.filter(({ is }) => is === 'pass'),
    newlyUndecided: differences.filter(({ was, is }) => isDecided(was) && !isDecided(is)),
    readings: readingsOf(before, after),
    warnings: warningsOf(before, after),
  };
}

function readingsOf(before: Report, after: Report): ReportDiff['readings'] {
  return after.openQuestions.flatMap(({ id, readings }) => {
    const was = before.openQuestions.find((question) => question.id === id)?.readings ?? [];
    const differs =
      was.length > 0 && readings.length > 0 && [...was].sort().join() !== [...readings].sort().join();
    return differs ? [{ id, was, is: readings }] : [];
  });
}

function warningsOf(before: Report, after: Report): readonly string[] {
  const pairs: readonly (readonly [string, string, string])[] = [
    ['edition', before.edition, after.edition],
    ['target', before.target.name, after.target.name],
    ['version of Runproof', before.runproof, after.runproof],
    ['clock', clockInWords(before.target), clockInWords(after.target)],
  ];
  return pairs.flatMap(([what, was, is]) => (was === is ? [] : [`different ${what}: ${was} → ${is}`]));
}

/** Differences of one change that are listed one by one, where nothing failed before or after. */
const LISTED_MAX = 3;

/**
 * What newly fails and what is fixed one by one, the rest by change and section.
 *
 * @param all list every difference
 */
export function diffText(given: ReportDiff, all = false): string {
  const diff = escapedTexts(given);
  const groups: readonly (readonly [string, readonly Difference[]])[] = [
    ['newly failing', diff.newlyFailing],
    ['newly passing', diff.newlyPassing],
    ['newly undecided', diff.newlyUndecided],
  ];
  const lines = groups.flatMap(([title, differences]) => [
    `${title}: ${differences.length}`,
    ...byChange(differences).flatMap((same) => changeLines(same, all)),
  ]);
  return [
    ...diff.warnings.map((warning) => `! ${warning}`),
    ...lines,
    `still failing: ${diff.stillFailing.length}`,
    ...diff.stillFailing.map((id) => `  ${id}`),
    ...(diff.readings.length === 0
      ? []
      : [`different readings: ${pluralize(diff.readings.length, 'open question')}`]),
    ...diff.readings.map(({ id, was, is }) => `  ${id}  ${was.join(', ')} → ${is.join(', ')}`),
    '',
  ].join('\n');
}

const isFailure = ({ was, is }: Difference): boolean => was === 'fail' || is === 'fail';

/** Those with the same change together: failures first, then the most frequent. */
function byChange(differences: readonly Difference[]): readonly (readonly Difference[])[] {
  const groups = new Map<string, Difference[]>();
  for (const one of differences) {
    const change = `${one.was} ${one.is}`;
    groups.set(change, [...(groups.get(change) ?? []), one]);
  }
  return [...groups.values()].sort(
    (a, b) => Number(isFailure(b[0]!)) - Number(isFailure(a[0]!)) || b.length - a.length,
  );
}

function changeLines(same: readonly Difference[], all: boolean): readonly string[] {
  const { was, is } = same[0]!;
  if (all || isFailure(same[0]!) || same.length <= LISTED_MAX)
    return same.map(({ id, level }) => `  ${LEVEL_WORDS[level].padEnd(8)} ${id}  ${was} → ${is}`);
  const sections = new Map<string, number>();
  for (const { id } of same) {
    const section = sectionOf(id);
    sections.set(section, (sections.get(section) ?? 0) + 1);
  }
  const where = [...sections].map(([section, times]) => `§${section} ${times}`).join(', ');
  return [`  ${was} → ${is}: ${same.length} (-v lists them): ${where}`];
}
