import { join } from 'node:path';
import { program } from '../program-name.js';
import { quoteForShell } from '../report/escape.js';
import type { Target } from '../target/port.js';
import type { CheckTargetOptions } from './check-options.js';
import type { RunToConclude } from '../judging/conclude-run.js';
import type { StepDeadlines } from '../judging/deadlines.js';
import { exercisedBy } from '../judging/played-scripts.js';
import { tokenOf } from '../files/replay-token.js';
import type { ReportFolder } from '../files/report-folder.js';
import type { RunPlan } from './plan/plan-run.js';
import { whyNotReached, type TimedRun } from './plan/time-limit.js';
import { warningsOf } from './run-warnings.js';
import type { LimitedRun } from './run-within-limit.js';
import type { Selection } from './selectors.js';
import { shippedScenarios } from '../files/shipped-scenarios.js';

/** The file of a report's folder that lists the jobs which the check has created. */
export const CREATED_JOBS = 'jobs.ndjson';

/** One check, as its parts pass it on. */
export interface Check {
  readonly target: Target;
  readonly options: CheckTargetOptions;
  readonly selection: Selection;
  readonly plan: RunPlan;
  readonly signal: AbortSignal;
  readonly startedMs: number;
  readonly secrets: readonly string[];
}

export type PlayedCheck = Omit<RunToConclude, 'secrets' | 'redactor' | 'folder'>;

/** What is concluded from a run of a check. */
export async function runToConclude(
  check: Check,
  done: LimitedRun,
  at: string,
  folder: ReportFolder | null,
  deadlines: StepDeadlines,
): Promise<PlayedCheck> {
  const { target, options, selection, plan } = check;
  const { edition = 'document', address, minDecided, only = [], skip = [] } = options;
  const timed: TimedRun = {
    plan: { ...plan, limitMs: done.extendedToMs ?? plan.limitMs },
    scenarios: selection.scenarios,
    events: done.events,
    stoppedByLimit: done.ending === 'time' || done.ending === 'budget',
    stoppedBecause: done.stoppedBecause,
  };
  const { file, cleanOptions = [] } = options.createdJobs ?? {};
  const scenarios = folder === null ? [] : await shippedScenarios();
  const { limits } = plan.target;
  const { events } = done;
  // Where the clock is not moved, each script that is played takes its waits.
  const goesOn = done.ending === 'finished' || (done.ending === 'stopped-early' && options.bail === true);
  const findsSmaller = target.clock !== 'real' && goesOn && options.shrink !== false;
  return {
    at,
    minDecided,
    isFixed: (findings) => options.isFixed?.(findings, { scripts: plan.scripts, history: events }) === true,
    events,
    ending: done.ending,
    wallMs: done.wallMs,
    scripts: plan.scripts,
    estimate: plan.target.clock === 'real' ? (plan.estimate ?? undefined) : undefined,
    url: address?.url ?? null,
    basePath: address?.basePath ?? null,
    replayArguments: address?.replayArguments ?? [],
    choiceWords: address?.choiceWords,
    whyUndecided: whyNotReached(timed),
    exercisedBy: exercisedBy(selection.scenarios, plan.target),
    warnings: warningsOf(
      done,
      timed,
      file?.open() ?? [],
      file === undefined || folder === null
        ? null
        : [program(), 'clean', ...[join(folder.name, CREATED_JOBS), ...cleanOptions].map(quoteForShell)].join(
            ' ',
          ),
      file?.unansweredCount,
    ),
    asked: selection.asked,
    selectors: only.length + skip.length === 0 ? undefined : { only, skip },
    shard: selection.shard,
    baseline: options.baseline,
    onBaseline: options.onBaseline,
    today: at.slice(0, 10),
    dialect: options.dialect,
    shrinksHistories: folder !== null,
    tokenOf: (script, requirements, confirmed) =>
      folder === null
        ? null
        : tokenOf(script, {
            scenarios,
            requirements,
            edition,
            limits,
            runSeed: plan.seed,
            choiceWords: address?.choiceWords,
            confirmed,
          }),
    judgeOptions: { edition },
    ...(findsSmaller && {
      // It loads the shrinker, which few runs need.
      findSmaller: async (findings, causes) =>
        (await import('../judging/smaller-scripts.js')).smallerScripts({
          target,
          events,
          scripts: plan.scripts,
          findings,
          causes,
          deadlines,
        }),
    }),
  };
}
