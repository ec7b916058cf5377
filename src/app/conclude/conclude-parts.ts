/** Concludes a history in parts that are judged each by itself, so that memory does not grow with the history. */
import type { HistoryEvent } from '../../history/events.js';
import type { Failure, ShrunkHistory } from '../../oracle/index.js';
import { mergeReports, updatedBaseline, type Report } from '../../report/index.js';
import type { Concluding } from './conclude.js';
import { concludeRun, decidedIn, type Concluded, type RunToConclude } from './conclude-run.js';

export interface PartsConcluded {
  readonly report: Report;
  /** The smallest history of the first failure, that of a must if one failed; undefined: none is smaller. */
  readonly smallest: ShrunkHistory | undefined;
  /** An error of Runproof itself while judging: to be thrown after the report is written. */
  readonly problem: Error | null;
}

interface Sum extends PartsConcluded {
  /** Of the scripts that the report's failures are about. */
  readonly shown: readonly HistoryEvent[];
}

/** What is known of a part before it is concluded. */
export type RunOfPart = Omit<RunToConclude, 'secrets' | 'redactor' | 'folder'>;

/**
 * @param parts at least one, each with the run first
 * @param runOf what is concluded of a part
 * @param onPhase called with what is done next, and how many requirements are decided by now
 */
export async function concludeParts(
  parts: Iterable<readonly HistoryEvent[]>,
  runOf: (events: readonly HistoryEvent[]) => RunOfPart,
  { folder, redactor, thread, deadlines }: Concluding,
  onPhase: (phase: 'judging' | 'shrinking', decided: number) => void,
): Promise<{ readonly concluded: PartsConcluded; readonly shown: readonly HistoryEvent[] | null }> {
  const iterator = parts[Symbol.iterator]();
  let sum: Sum | null = null;
  let last: RunToConclude | null = null;
  for (let part = iterator.next(); part.done !== true;) {
    const run: RunToConclude = { ...runOf(part.value), secrets: [], redactor, folder };
    part = iterator.next();
    if (sum === null && part.done === true) {
      const concluded = await concludeRun(run, thread, deadlines, (decided) => onPhase('shrinking', decided));
      return { concluded: { ...concluded, smallest: smallestIn(concluded) }, shown: null };
    }
    sum = added(sum, run, await concludeRun(asPart(run, sum), thread, deadlines));
    last = run;
    onPhase('judging', decidedIn(sum.report));
    if (sum.problem !== null || deadlines.isInterrupted) break;
  }
  const { report, ...rest } = sum!;
  return { concluded: { ...rest, report: withBaseline(report, last!) }, shown: rest.shown };
}

/** Known failures are those of all parts together. A requirement that failed before has its smallest history. */
const asPart = (run: RunToConclude, sum: Sum | null): RunToConclude => ({
  ...run,
  // What it takes to judge again is bounded.
  weighs: sum === null ? run.weighs : undefined,
  baseline: undefined,
  onBaseline: undefined,
  shrinksHistories: ({ requirements }) =>
    requirements.some(
      ({ failed }, index) => failed > 0 && (sum === null || sum.report.requirements[index]!.failed === 0),
    ),
});

function added(sum: Sum | null, run: RunToConclude, part: Concluded): Sum {
  const { minDecided, dialect } = run;
  const report =
    sum === null
      ? part.report
      : mergeReports([sum.report, part.report], { minDecided, dialect, ...IN_PLACE });
  return {
    report,
    smallest: sum?.smallest ?? smallestIn(part),
    problem: part.problem,
    shown: [...(sum?.shown ?? run.events.slice(0, 1)), ...eventsOfFailures(part, run.events, sum)],
  };
}

/** The parts are of one history, and of one folder. */
const IN_PLACE = { isOneHistory: true, scriptOf: (_: number, script: string): string => script };

/** Enough of them to look at. */
const SHOWN_FAILURES_MAX = 3;

/** Of requirements that have not failed before: others are shown already. */
function eventsOfFailures(
  { findings }: Concluded,
  events: readonly HistoryEvent[],
  sum: Sum | null,
): readonly HistoryEvent[] {
  const scripts = new Set(
    findings.requirements.flatMap(({ failures }, index) =>
      (sum?.report.requirements[index]!.failed ?? 0) > 0
        ? []
        : failures.slice(0, SHOWN_FAILURES_MAX).map(({ script }) => script),
    ),
  );
  return events.filter((event) => 'script' in event && scripts.has(event.script));
}

function withBaseline(report: Report, run: RunToConclude): Report {
  const { baseline, onBaseline, minDecided, dialect, today } = run;
  if (baseline === undefined || today === undefined) return report;
  const asked = report.requirements.filter(({ selected }) => selected !== false);
  const updated = onBaseline === undefined ? baseline : updatedBaseline(baseline, asked);
  onBaseline?.(updated);
  return mergeReports([report], { minDecided, dialect, baseline: { entries: updated, today }, ...IN_PLACE });
}

/** Of the failures that have a smallest history, that of a must first. */
function smallestIn({ findings, shrunk }: Concluded): ShrunkHistory | undefined {
  const { requirements } = findings;
  const failures = (isMust: boolean): readonly Failure[] =>
    requirements.filter(({ level }) => (level === 'must') === isMust).flatMap((one) => one.failures);
  const first = [...failures(true), ...failures(false)].find((failure) => shrunk.has(failure));
  return first && shrunk.get(first);
}
