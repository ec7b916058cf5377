/** What `check` shows while it runs: the plan, how far it is, and where the time went. */
import type { CheckTargetOptions } from '../../checking/check-options.js';
import type { CheckResult } from '../../checking/check-target.js';
import { expectedRun, type RunPlan } from '../../checking/plan/plan-run.js';
import type { Io } from '../../cli/io.js';
import type { OpenedTarget } from '../../cli/open-target.js';
import { createRedactor, type Ending, type Redactor } from '../../report/index.js';
import { createProgress, type ProgressDisplay } from '../../cli/progress.js';
import type { CallEvent, HistoryEvent } from '../../history/events.js';
import { UnreachableError, UsageError } from '../../util/errors.js';
import { planLine, planLines, reasonOf } from './describe-plan.js';
import type { CheckSettings } from './index.js';
import { TimeSpent } from './time-spent.js';

type Shown = Pick<CheckSettings, 'progress' | 'verbose'> & Partial<Pick<CheckSettings, 'budgetMs'>>;
type Listeners = Pick<CheckTargetOptions, 'onPlan' | 'onProgress' | 'onRun' | 'onPhase' | 'onMessage'>;

/** Who looks on beside the terminal. */
export interface Onlooker extends Pick<
  CheckTargetOptions,
  'onPlan' | 'onProgress' | 'onPhase' | 'onMessage'
> {
  /** Comes first. @param redactor masks the secrets that no output may contain: what follows has them */
  readonly onOpened?: (redactor: Redactor) => void;
  readonly onResult?: (result: CheckResult) => void;
}

export class CheckDisplay {
  readonly #settings: Shown;
  readonly #spent: TimeSpent;
  readonly #onlooker: Onlooker;
  #progress: ProgressDisplay;
  /** How the run ended; null: it has not. */
  ending: Ending | null = null;

  constructor(settings: Shown, io: Io, startedMs: number, onlooker: Onlooker = {}) {
    this.#settings = settings;
    this.#onlooker = onlooker;
    this.#spent = new TimeSpent(() => io.monotonicMs(), 'planning', startedMs);
    this.#progress = createProgress(settings.progress, null, io, 'planning');
  }

  /** What the check tells this, which throws where nothing can be judged. */
  listeners({ target, url, secrets }: Pick<OpenedTarget, 'target' | 'url' | 'secrets'>, io: Io): Listeners {
    this.#onlooker.onOpened?.(createRedactor(secrets));
    return {
      onPlan: (plan) => {
        this.#onlooker.onPlan?.(plan);
        this.#planned(plan, url === null, io);
      },
      onProgress: (event) => {
        this.#onlooker.onProgress?.(event);
        this.#progress.onProgress(event);
      },
      onRun: ({ events, ending }) => {
        this.ending = ending;
        if (ending === 'finished' || ending === 'target-gone') assertAnswered(events, target.name);
      },
      onPhase: (phase, decided) => {
        this.#spent.begin(phase);
        this.#onlooker.onPhase?.(phase, decided);
        this.#progress.onPhase(phase, decided);
      },
      onMessage: (line) => {
        this.#onlooker.onMessage?.(line);
        this.#progress.print(line);
      },
    };
  }

  #planned(plan: RunPlan, isEmbedded: boolean, io: Io): void {
    this.#progress.stop();
    const { verbose, progress, budgetMs } = this.#settings;
    // The embedded endpoint is ours: what is sent to it, and what is left out, concerns no user.
    const lines = isEmbedded && !verbose ? [planLine(plan)] : planLines(plan, verbose, budgetMs);
    io.note(`${lines.join('\n')}\n`);
    if (plan.scripts.length === 0) throw new UsageError(nothingToRun(plan));
    this.#progress = createProgress(progress, expectedRun(plan), io);
    this.#spent.begin('running');
  }

  stop(): void {
    this.#progress.stop();
  }

  concluded(result: CheckResult): void {
    this.#onlooker.onResult?.(result);
  }

  /** In words. */
  timeSpent(): string {
    return this.#spent.text();
  }
}

/** Where no call was answered, or every call was refused because of the key, there is nothing to judge. */
function assertAnswered(events: readonly HistoryEvent[], name: string): void {
  const withKey = events.filter(
    (event) =>
      event.kind === 'call' &&
      // Calls that the end of the run aborted, or a script broke off, had no time to be answered.
      event.lost !== 'aborted' &&
      event.lost !== 'hung-up' &&
      (event.request.auth === 'bare' || event.request.auth === 'bearer'),
  ) as readonly CallEvent[];
  const answered = withKey.filter(({ reply }) => reply !== null);
  if (withKey.length > 0 && answered.length === 0) {
    throw new UnreachableError(`${name} did not answer a single call: is it still running?`);
  }
  if (answered.length > 0 && answered.every(({ reply }) => reply?.status === 401)) {
    throw new UnreachableError(`${name} rejected the API key with 401 in every call: check the key`);
  }
}

function nothingToRun({ leftOut }: RunPlan): string {
  const first = leftOut.find(({ forBudget }) => forBudget === true) ?? leftOut[0];
  return `nothing can be checked on this target${first === undefined ? '' : `: ${first.scenario} ${reasonOf(first)}`}`;
}
