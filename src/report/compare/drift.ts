/** What changed on a target between one check and the next. */
import type { Report } from '../report.js';

/** What is known of a target from its checks so far. Plain JSON. */
export interface TargetFacts {
  readonly exitCode: number;
  /** The last verdict of each requirement that was ever decided. */
  readonly verdicts: { readonly [requirement: string]: 'pass' | 'fail' };
  /** The last readings of each open question that was ever answered. */
  readonly readings: { readonly [question: string]: readonly string[] };
  /** The greatest lateness of each timer in the last ten checks that knew one, ms; the newest is last. */
  readonly latenessMs: { readonly [timer: string]: readonly number[] };
}

const LATENESS_KEPT = 10;
/** A timer drifted if it was late by more than twice as much as ever lately, and by at least so much more. */
const LATER_BY_MS = 1_000;

/**
 * What newly differs, as sentences, and what is known now. A check need not decide what an earlier one did: a
 * verdict counts until there is another.
 *
 * @param before null: this is the first check, with nothing to compare
 * @param report null: the check wrote none, as the target could not be reached
 */
export function driftSince(
  before: TargetFacts | null,
  report: Report | null,
  exitCode: number,
): { readonly drift: readonly string[]; readonly facts: TargetFacts } {
  const was = before ?? { exitCode, verdicts: {}, readings: {}, latenessMs: {} };
  const drift: string[] = exitCode === was.exitCode ? [] : [`exit code: ${was.exitCode} → ${exitCode}`];
  const verdicts = { ...was.verdicts };
  const readings = { ...was.readings };
  const latenessMs = { ...was.latenessMs };
  for (const { id, verdict } of report?.requirements ?? []) {
    if (verdict !== 'pass' && verdict !== 'fail') continue;
    const earlier = verdicts[id];
    // The first check reports all failures; later checks report new ones, decided before or not.
    if (before !== null && earlier !== verdict && (earlier !== undefined || verdict === 'fail'))
      drift.push(`${id}: ${earlier ?? 'undecided'} → ${verdict}`);
    verdicts[id] = verdict;
  }
  for (const { id, readings: now } of report?.openQuestions ?? []) {
    if (now.length === 0) continue;
    const sorted = [...now].sort();
    const earlier = readings[id];
    if (earlier !== undefined && earlier.join() !== sorted.join())
      drift.push(`reading of ${id}: ${earlier.join(', ')} → ${sorted.join(', ')}`);
    readings[id] = sorted;
  }
  for (const [timer, { maxMs, samples }] of Object.entries(report?.lateness ?? {})) {
    if (samples === 0) continue;
    const earlier = latenessMs[timer] ?? [];
    const most = Math.max(0, ...earlier);
    if (earlier.length > 0 && maxMs > most * 2 && maxMs - most >= LATER_BY_MS)
      drift.push(`lateness of ${timer}: at most ${most} ms → ${maxMs} ms`);
    latenessMs[timer] = [...earlier, maxMs].slice(-LATENESS_KEPT);
  }
  return { drift, facts: { exitCode, verdicts, readings, latenessMs } };
}
