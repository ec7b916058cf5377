/** The failures of an exploration, each judged by its smallest script, and which of them have one cause. */
import type { CallEvent, HistoryEvent } from '../history/events.js';
import { judge, type Findings, type RequirementFinding } from '../oracle/index.js';
import { causesOf } from '../report/causes.js';
import type { Cause } from '../report/index.js';
import type { ExploreOutcome, ShrunkFailure } from './outcome-files.js';
import { createTestBed } from '../test-bed/test-bed.js';

/** What the smallest script of a failure shows, run once more in its own environment. */
export interface JudgedFailure {
  readonly failure: ShrunkFailure;
  /** The requirement that the script violates by itself; mostly that of the failure. */
  readonly requirement: string;
  /** Calls are numbered over the scripts of all failures, scripts from 0. */
  readonly history: readonly HistoryEvent[];
  readonly findings: Findings;
}

export function judgedFailures({
  settings,
  failures,
}: Pick<ExploreOutcome, 'settings' | 'failures'>): readonly JudgedFailure[] {
  const testBed = createTestBed(settings);
  let calls = 0;
  return failures.map((failure, script): JudgedFailure => {
    const { found, shrunk } = failure;
    const smallest = shrunk?.script ?? found.script;
    const history = testBed
      .run([smallest], shrunk?.environment ?? found.environment)
      .map((event): HistoryEvent => {
        if (event.kind === 'run') return event;
        return event.kind === 'call' ? { ...event, script, call: calls++ } : { ...event, script };
      });
    const requirement = shrunk?.violations[0]?.requirement ?? found.requirement;
    return { failure, requirement, history, findings: judge(history) };
  });
}

/** The musts that the scripts break by themselves, by cause; those broken in the most runs first. */
export function foundCauses(judged: readonly JudgedFailure[]): readonly Cause[] {
  const calls = judged
    .flatMap(({ history }) => history)
    .filter((event): event is CallEvent => event.kind === 'call');
  const failing = new Map<string, RequirementFinding>();
  for (const { failure, requirement, findings } of judged) {
    const finding = findings.requirements.find(({ id, verdict }) => id === requirement && verdict === 'fail');
    if (finding?.level !== 'must' || failing.has(requirement)) continue;
    failing.set(requirement, { ...finding, decided: failure.runs, failed: failure.runs });
  }
  return causesOf([...failing.values()], new Map(calls.map((call) => [call.call, call])));
}

/** Failures with one cause. */
export interface CauseGroup {
  /** The wrong answer, where its failures have one in common: `answered 403 instead of 401`. */
  readonly answer: string | null;
  /** Shows the cause most surely. */
  readonly first: ShrunkFailure;
  readonly sameAnswer: readonly ShrunkFailure[];
  readonly consequences: readonly ShrunkFailure[];
}

/** All failures, each once: grouped where they have a cause in common, the others by themselves. */
export function groupedByCause(
  failures: readonly ShrunkFailure[],
  judged: readonly JudgedFailure[],
  causes: readonly Cause[],
): readonly CauseGroup[] {
  const shownBy = (ids: readonly string[]): readonly ShrunkFailure[] =>
    judged.filter(({ requirement }) => ids.includes(requirement)).map(({ failure }) => failure);
  const groups = causes.map((cause): CauseGroup => {
    const [first, ...others] = shownBy([cause.requirement]);
    return {
      answer: cause.answer,
      first: first!,
      sameAnswer: [...others, ...shownBy(cause.sameAnswer)],
      consequences: shownBy(cause.consequences),
    };
  });
  const grouped = new Set(
    groups.flatMap(({ first, sameAnswer, consequences }) => [first, ...sameAnswer, ...consequences]),
  );
  const alone = failures
    .filter((failure) => !grouped.has(failure))
    .map((first): CauseGroup => ({ answer: null, first, sameAnswer: [], consequences: [] }));
  return [...groups, ...alone];
}
