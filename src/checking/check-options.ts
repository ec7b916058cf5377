import type { HistoryEvent } from '../history/events.js';
import type { BasePath } from '../history/served-path.js';
import type { Baseline, Ending, FormatName, MinDecided } from '../report/index.js';
import type { NamedScenario, Script } from '../scenario/index.js';
import type { Dialect } from '../spec/index.js';
import type { Edition } from '../spec/types.js';
import type { RunProgress } from '../target/port.js';
import type { CheckPhase } from '../judging/conclude.js';
import type { CreatedJobsFile, JobsTarget } from '../files/created-jobs.js';
import type { Findings } from '../oracle/index.js';
import type { CheckResult } from './check-target.js';
import type { RunPlan } from './plan/plan-run.js';
import type { Shard } from './selectors.js';

/** The options of `checkTarget`. Every option has a default. @public */
export interface CheckTargetOptions {
  /** Integer from 0 to 2^31 − 1; the same seed draws the same scripts. Default 0. */
  readonly seed?: number | undefined;
  /** Scripts drawn of each scenario, at least 1. Default 3, and 1 in real time. */
  readonly runs?: number | undefined;
  /** Scripts of random calls to run beside those of the scenarios, at least 0. Default 0. */
  readonly explored?: number | undefined;
  /** Default: the shipped ones. */
  readonly scenarios?: readonly NamedScenario[] | undefined;
  /** Run these and draw none: saved scripts, or those of your own generator. */
  readonly scripts?: readonly Script[] | undefined;
  /**
   * Requirement ids, sections (`2.2`), scenario names or globs. Nothing else is run or counted. Default:
   * everything.
   */
  readonly only?: readonly string[] | undefined;
  /** The same selectors: everything but these. */
  readonly skip?: readonly string[] | undefined;
  /** Play only this part of the scenarios and random calls; `report merge` joins the reports of all. Default: all of them. */
  readonly shard?: Shard | undefined;
  /** Which edition of the document the target must satisfy. Default `document`. */
  readonly edition?: Edition | undefined;
  /** The readings of open questions that the target must follow. A deviation is a failure of the report. */
  readonly dialect?: Dialect | undefined;
  /** Maximum number of concurrent scripts. Default: the target decides. */
  readonly concurrency?: number | undefined;
  /**
   * Real ms for the whole check. In real time, scripts that do not fit are left out; every check stops when
   * the budget is spent. Default: no budget; in real time twice the estimate, and a minute at least.
   */
  readonly budgetMs?: number | undefined;
  /**
   * True: shrink each script that failed a `must`, by a simulator fault that shows the same failure, and run it
   * three more times on the target. At most five scripts. False: show each script as it failed. Default: where the
   * clock is not the real one, shrink the first failure of each cause on the target, with at most 1,500 calls in all;
   * and run the quickest script of each of five causes twice more, for 30 s at most, to name what is intermittent.
   */
  readonly shrink?: boolean | undefined;
  /** End the run when a `must` has failed that the baseline does not know. Default false. */
  readonly bail?: boolean | undefined;
  /**
   * Folder for the report, its history and its failures; history and failures of an earlier report there are
   * replaced. It also has the smallest history of each failure. Default: nothing is written.
   */
  readonly out?: string | undefined;
  /** Formats of the report in that folder. Default `json` and `html`. */
  readonly formats?: readonly FormatName[] | undefined;
  /** Fewer decided musts than this make exit code 6 of the report; `{ ofAll: 100 }`: so does whatever stays open. Default 10 %. */
  readonly minDecided?: MinDecided | undefined;
  /** Known failures: the report does not count them against the target. */
  readonly baseline?: Baseline | undefined;
  /** Bring the baseline up to date with this run. Called with the new one, by which the report counts. */
  readonly onBaseline?: ((updated: Baseline) => void) | undefined;
  /** When aborted, the run ends early and is judged as far as it came. */
  readonly signal?: AbortSignal | undefined;
  /** Called before the first script runs. If it throws, nothing is sent. */
  readonly onPlan?: ((plan: RunPlan) => void) | undefined;
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
  /** Called when all scripts have ended, before anything is judged. If it throws, the check ends. */
  readonly onRun?:
    | ((run: { readonly events: readonly HistoryEvent[]; readonly ending: Ending }) => void)
    | undefined;
  /**
   * Called when a phase after the run begins, with the number of required rules asked about that have been decided; null until
   * the run is judged.
   */
  readonly onPhase?: ((phase: CheckPhase, decided: number | null) => void) | undefined;
  /** Called with one line of text when a slow step after the run begins. */
  readonly onMessage?: ((line: string) => void) | undefined;
  /** Values that no output may contain, besides the target's keys. */
  readonly secrets?: readonly string[] | undefined;
  /** How the target is reached, for the `curl` and `replay` lines of the report. */
  readonly address?:
    | {
        readonly url: string | null;
        readonly basePath: BasePath | null;
        /** Arguments of `runproof replay` after the file. */
        readonly replayArguments: readonly string[];
        /** Words of `runproof check` that chose what was played, besides the seed. */
        readonly choiceWords?: readonly string[];
      }
    | undefined;
  /** @internal The created jobs of the target, to be written to `jobs.ndjson` of the folder. */
  readonly createdJobs?:
    | {
        readonly file: CreatedJobsFile;
        readonly where: JobsTarget;
        /** Options of `runproof clean` after the file. */
        readonly cleanOptions: readonly string[];
      }
    | undefined;
  /** @internal Whether all is fixed that is checked again. Default: nothing is checked again. */
  readonly isFixed?:
    | ((findings: Findings, run: Pick<CheckResult, 'scripts' | 'history'>) => boolean)
    | undefined;
  /** @internal When the budget began, on the clock of `performance.now()`. Default: now. */
  readonly startedMs?: number | undefined;
  /** @internal Relative paths start here. Default: the working directory. */
  readonly cwd?: string | undefined;
  /** @internal The date for the report, ISO 8601. */
  readonly timestamp?: (() => string) | undefined;
}
