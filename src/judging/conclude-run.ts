/** From a history to its report: judges it, writes the failures, and builds the report with its exit code. */
import type { BasePath } from '../history/served-path.js';
import type { HistoryEvent } from '../history/events.js';
import { isSelected, whatCounts, WHOLE, withoutUnasked, type RunSelection } from '../history/selection.js';
import type { Failure, Findings, JudgeOptions, ShrunkHistory } from '../oracle/index.js';
import {
  type Baseline,
  type Ending,
  type HistoryTotals,
  type MinDecided,
  type Redactor,
  type Report,
  type ReportRequirement,
  type ReportInput,
} from '../report/index.js';
import { newCauses } from '../report/build.js';
import { isDecided } from '../report/conclusion.js';
import { updatedBaseline } from '../report/compare/baseline.js';
import { jsonText } from '../report/escape.js';
import type { FailureRate } from '../report/failure-file.js';
import { REQUIREMENTS, type Dialect } from '../spec/index.js';
import type { Script } from '../scenario/index.js';
import type { ConcludeThread, ShrinkResult } from './conclude-thread.js';
import { unweighed } from './assumption-costs.js';
import type { Assumptions } from '../report/assumptions.js';
import type { ConcludeInput } from './concluder.js';
import { playedScripts } from './played-scripts.js';
import type { StoppedBy, StepDeadlines } from './deadlines.js';
import { packageVersion } from '../package-files.js';
import { program } from '../program-name.js';
import { writeFailures } from './replayed-scripts.js';
import { unshrunkIn, whyUnjudged, type JudgedSo } from './why-unjudged.js';
import type { SmallerScripts } from './smaller-scripts.js';
import type { ReportFolder } from '../files/report-folder.js';

export interface RunToConclude {
  readonly events: readonly HistoryEvent[];
  /** By their number in the history; empty if only the history is known. */
  readonly scripts: readonly Script[];
  readonly url: string | null;
  readonly basePath?: BasePath | null | undefined;
  readonly replayArguments: readonly string[];
  /** Words of `check` that chose what was played, besides the seed. */
  readonly choiceWords?: readonly string[] | undefined;
  readonly at: string | null;
  readonly wallMs: number;
  /** The estimate of the plan. */
  readonly estimate?: { readonly calls: number; readonly wallMs: number } | undefined;
  readonly ending: Ending;
  readonly warnings: readonly string[];
  /** Why a requirement was not exercised; null: the run knows no reason. */
  readonly whyUndecided?: ((id: string) => string | null) | undefined;
  /** The requirements that the run is asked about. */
  readonly asked: RunSelection;
  readonly selectors?: ReportInput['selectors'];
  /** The part that was played of what was selected; absent: the whole. */
  readonly shard?: { readonly index: number; readonly count: number } | undefined;
  /** The requirements that a scenario exercises on this target; absent: the scenarios are not known. */
  readonly exercisedBy?: ((scenario: string) => readonly string[]) | undefined;
  readonly judgeOptions: JudgeOptions;
  /** Set for recorded traffic whose assumptions are weighed; `isWhole` false: calls are missing, whatever options say. */
  readonly weighs?: { readonly isWhole: boolean } | undefined;
  readonly minDecided?: MinDecided | undefined;
  /** Whether these findings show that all is fixed which was checked again; absent: nothing was. */
  readonly isFixed?: ((findings: Findings) => boolean) | undefined;
  /** Known failures. */
  readonly baseline?: Baseline | undefined;
  /**
   * Brings the baseline up to date with this run, unless the run was interrupted. Called with the new one.
   */
  readonly onBaseline?: ((updated: Baseline) => void) | undefined;
  /** Today's date, `YYYY-MM-DD`, by which entries of the baseline expire. */
  readonly today?: string | undefined;
  /** The target is held to this dialect. */
  readonly dialect?: Dialect | undefined;
  /** Values that no output may hold; `redactor` masks them. */
  readonly secrets: readonly string[];
  readonly redactor: Redactor;
  /** The token with which `replay` runs a script again; null if it would be too long. */
  readonly tokenOf?:
    | ((script: Script, requirements: readonly string[], confirmed?: FailureRate) => string | null)
    | undefined;
  /** Makes the first failure of each cause small, by playing scripts on the target. Absent: nothing more is played. */
  readonly findSmaller?:
    | ((findings: Findings, causes: readonly string[]) => Promise<SmallerScripts>)
    | undefined;
  /** Whether the smallest history of each failure is looked for, which takes up to 10 s. Default: it is. */
  readonly shrinksHistories?: boolean | undefined;
  /** Null: nothing is written. */
  readonly folder: ReportFolder | null;
}

const NOT_SHRUNK: ShrinkResult = { found: [], unshrunk: null, cut: null, tookMs: 0 };

export interface Concluded {
  readonly findings: Findings;
  /** What was played: the run, and what made its failures small. */
  readonly played: Pick<RunToConclude, 'events' | 'scripts'>;
  /** By number of a shrunk script: how many steps it had before. */
  readonly stepsBefore: ReadonlyMap<number, number>;
  readonly report: Report;
  /** The smallest histories of failures, by the failures of the report's findings. */
  readonly shrunk: ReadonlyMap<Failure, ShrunkHistory>;
  /** An error of Runproof itself while judging: to be thrown after the report is written. */
  readonly problem: Error | null;
}

/**
 * Judges the run and builds its report, within the deadlines. Nothing is printed; of the files, only the
 * failures are written.
 */
export async function concludeRun(
  given: RunToConclude,
  thread: ConcludeThread,
  deadlines: StepDeadlines,
  onShrink: (decided: number) => void = () => undefined,
): Promise<Concluded> {
  const judged = await thread.judge(concludeInputOf(given)).catch((problem: Error) => ({ problem }));
  const why = whyUnjudged(judged, given);
  const isJudged = 'done' in judged;
  const judgedSo = isJudged ? judged.done : thread.unjudged(why!);
  const hasFailed = withoutUnasked(given.asked, judgedSo.requirements).some(
    ({ failures }) => failures.length > 0,
  );
  const shrinks = given.shrinksHistories ?? true;
  if (hasFailed && (shrinks || given.findSmaller !== undefined)) onShrink(decidedIn(judgedSo, given.asked));
  const more = isJudged ? await withSmaller(given, judgedSo, thread) : null;
  const run = more?.run ?? given;
  // The thread would be ended with this step, and could not write the report.
  const isExplained = isJudged && !deadlines.isInterrupted;
  const open = await explained(more?.findings ?? judgedSo, run, isExplained, thread);
  const { weighs } = run;
  const weighed = weighs === undefined || !isJudged ? null : await thread.weigh(weighs.isWhole);
  return reportRun(
    run,
    {
      ...{ judged, why },
      findings: weighed?.findings ?? open,
      shrinking: shrinks ? await thread.shrink() : NOT_SHRUNK,
      assumptions: weighs && (weighed?.assumptions ?? unweighed(run.events, weighs.isWhole)),
      stepsBefore: more?.stepsBefore ?? new Map<number, number>(),
    },
    thread,
    deadlines,
  );
}

/** What a run, or all parts of one, came to. */
interface CameTo {
  /** Of the run, or the last part of it. */
  readonly judged: JudgedSo;
  /** Why it could not be judged; null: it was. */
  readonly why: string | null;
  readonly findings: Findings;
  readonly shrinking: ShrinkResult;
  readonly assumptions: Assumptions | null | undefined;
  readonly stepsBefore?: ReadonlyMap<number, number>;
  /** Where the events of the run are those that the report shows. */
  readonly whole?: HistoryTotals;
}

/** Builds the report. Of files, those of failures are written. */
export async function reportRun(
  run: RunToConclude,
  cameTo: CameTo,
  thread: ConcludeThread,
  deadlines: StepDeadlines,
): Promise<Concluded> {
  const { judged, why, findings, shrinking, assumptions, stepsBefore = new Map(), whole } = cameTo;
  const { folder } = run;
  const shrunk = shrinking.found.map(({ at, nth, found, file }) => {
    if (file !== null) folder?.write(file, found.events.map((event) => `${jsonText(event)}\n`).join(''));
    return [findings.requirements[at]!.failures[nth]!, found] as const;
  });
  const replayed = writeFailures(run, findings);
  const ending = endingOf(run.ending, 'cut' in judged ? judged.cut : null, deadlines);
  const built = await thread.build({
    url: run.url,
    basePath: run.basePath,
    replayArguments: run.replayArguments,
    runproof: packageVersion(),
    program: program(),
    at: run.at,
    wallMs: run.wallMs,
    estimate: run.estimate,
    ending,
    minDecided: run.minDecided,
    isFixed: why === null && run.isFixed?.(findings) === true,
    baseline: baselineOf({ ...run, ending }, findings),
    scriptFiles: replayed.files,
    shellFiles: replayed.shells,
    replayTokens: replayed.tokens,
    stepsBefore,
    whole,
    dialect: run.dialect,
    selectors: run.selectors,
    shards: run.shard && { of: run.shard.count, played: [run.shard.index] },
    assumptions,
    warnings: [...run.warnings, ...(why === null ? [] : [why]), ...unshrunkIn(shrinking)],
  });
  const problem = 'problem' in judged ? judged.problem : null;
  const report: Report =
    problem === null ? built : { ...built, exitCode: 4, verdict: `ERROR OF RUNPROOF ITSELF: ${why}` };
  return { findings, played: run, stepsBefore, report, shrunk: new Map(shrunk), problem };
}

/** The run with the scripts that make its failures small; null if there are none. */
async function withSmaller(
  run: RunToConclude,
  findings: Findings,
  thread: ConcludeThread,
): Promise<{
  readonly run: RunToConclude;
  readonly findings: Findings;
  readonly stepsBefore: ReadonlyMap<number, number>;
} | null> {
  const { events, scripts, asked, folder } = run;
  const causes = newCauses({ findings, history: events, asked, baseline: knownIn(run) });
  if (causes.length === 0 || run.findSmaller === undefined) return null;
  const smaller = await run.findSmaller(
    findings,
    causes.map(({ requirement }) => requirement),
  );
  const again = smaller.events.length === 0 ? null : await thread.judgeMore(smaller.events);
  if (again === null) return null;
  for (const event of smaller.events) folder?.append(event);
  return {
    run: { ...run, events: [...events, ...smaller.events], scripts: [...scripts, ...smaller.scripts] },
    findings: again,
    stepsBefore: smaller.stepsBefore,
  };
}

/** The findings, with why musts are open that were asked for and whose scenarios were played. */
async function explained(
  findings: Findings,
  { asked, exercisedBy, events, scripts }: RunToConclude,
  isJudged: boolean,
  thread: ConcludeThread,
): Promise<Findings> {
  if (!isJudged || exercisedBy === undefined) return findings;
  const { requirements } = findings;
  const counted = requirements.filter(whatCounts(asked, requirements));
  const played = playedScripts(counted, events, scripts, exercisedBy);
  return played.length === 0 ? findings : ((await thread.explain(played)) ?? findings);
}

/** How many required rules that were asked about have been decided: those that the verdict counts. */
export const decidedIn = (
  { requirements }: { readonly requirements: readonly Pick<ReportRequirement, DecidedBy>[] },
  asked: RunSelection = WHOLE,
): number =>
  requirements.filter(
    (one) => one.level === 'must' && one.selected !== false && isSelected(asked, one.id) && isDecided(one),
  ).length;

type DecidedBy = 'id' | 'level' | 'verdict' | 'selected';

export function concludeInputOf({
  events,
  judgeOptions,
  secrets,
  asked,
  whyUndecided,
  exercisedBy = () => [],
}: RunToConclude): ConcludeInput {
  const reasons = new Map<string, string>();
  for (const { id } of REQUIREMENTS) {
    const reason = whyUndecided?.(id) ?? null;
    if (reason !== null) reasons.set(id, reason);
  }
  const scenarios = new Set(events.flatMap((event) => (event.kind === 'script' ? [event.scenario] : [])));
  const exercises = new Map([...scenarios].map((name) => [name, exercisedBy(name)]));
  return { events, judgeOptions: { ...judgeOptions, selection: asked }, secrets, reasons, asked, exercises };
}

/** A run that could not be judged did not finish. */
function endingOf(ending: Ending, cut: StoppedBy | null, { isInterrupted }: StepDeadlines): Ending {
  if (isInterrupted) return 'interrupted';
  return cut === null || ending !== 'finished' ? ending : cut;
}

const ENDED_EARLY: readonly Ending[] = [
  'interrupted',
  'target-gone',
  'key-refused',
  'control-failed',
  'stopped-early',
];

const knownIn = ({ baseline, today }: Pick<RunToConclude, 'baseline' | 'today'>): ReportInput['baseline'] =>
  baseline && today !== undefined ? { entries: baseline, today } : undefined;

function baselineOf(
  { baseline, onBaseline, today, asked, ending }: RunToConclude,
  findings: Findings,
): ReportInput['baseline'] {
  // A run that ended early has not seen enough to write its failures down as known.
  if (baseline === undefined || onBaseline === undefined || ENDED_EARLY.includes(ending))
    return knownIn({ baseline, today });
  const counted = findings.requirements.filter(whatCounts(asked, findings.requirements));
  const updated = updatedBaseline(baseline, counted);
  onBaseline(updated);
  return knownIn({ baseline: updated, today });
}
