/** The differences between two reports of one target, the second being newer. */
import { escapedTexts } from './escape.js';
import { compareSections } from './document-lines.js';
import type { Report, ReportRequirement } from './report.js';
import { pluralize } from './formatting.js';

interface Difference {
  readonly id: string;
  readonly level: 'must' | 'should' | 'may';
  readonly was: ReportRequirement['verdict'];
  readonly is: ReportRequirement['verdict'];
}

export interface ReportDiff {
  readonly schema: 'runproof-diff/1';
  readonly newlyFailing: readonly Difference[];
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
    .sort(
      (a, b) => compareSections(a.id.split('/')[0] ?? '', b.id.split('/')[0] ?? '') || (a.id < b.id ? -1 : 1),
    );
  const isDecided = (verdict: Difference['was']): boolean => verdict === 'pass' || verdict === 'fail';
  return {
    schema: 'runproof-diff/1',
    newlyFailing: differences.filter(({ is }) => is === 'fail'),
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
    ['clock', before.target.clock, after.target.clock],
  ];
  return pairs.flatMap(([what, was, is]) => (was === is ? [] : [`different ${what}: ${was} → ${is}`]));
}

export function diffText(given: ReportDiff): string {
  const diff = escapedTexts(given);
  const groups: readonly (readonly [string, readonly Difference[]])[] = [
    ['newly failing', diff.newlyFailing],
    ['newly passing', diff.newlyPassing],
    ['newly undecided', diff.newlyUndecided],
  ];
  const lines = groups.flatMap(([title, differences]) => [
    `${title}: ${differences.length}`,
    ...differences.map(({ id, level, was, is }) => `  ${level.padEnd(6)} ${id}  ${was} → ${is}`),
  ]);
  return [
    ...diff.warnings.map((warning) => `! ${warning}`),
    ...lines,
    ...(diff.readings.length === 0
      ? []
      : [`different readings: ${pluralize(diff.readings.length, 'open question')}`]),
    ...diff.readings.map(({ id, was, is }) => `  ${id}  ${was.join(', ')} → ${is.join(', ')}`),
    '',
  ].join('\n');
}
