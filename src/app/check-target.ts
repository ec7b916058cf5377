/**
 * `app/` promises what the commands do, to the command line, the library and vitest alike: it plans a run, checks a
 * target, confirms and shrinks its failures, and explores in threads. It reads no arguments and prints nothing.
 */
import { exploredScripts } from '../explore/index.js';
import type { HistoryEvent } from '../history/events.js';
import { judge, type Findings } from '../oracle/index.js';
import { packageVersion } from '../package-files.js';
import { createRedactor } from '../report/index.js';
import { drawPlan, type LeftOut } from '../schedule/draw-plan.js';
import { runScripts } from '../target/run-scripts.js';
import type { NamedScenario, Script } from '../scenario/index.js';
import type { Edition } from '../spec/types.js';
import type { RunProgress, Target } from '../target/port.js';

export interface CheckTargetOptions {
  /** Integer from 0 to 2^31 − 1; the same seed draws the same scripts. Default 0. */
  readonly seed?: number;
  /** Scripts drawn of each scenario, at least 1. Default 3, and 1 in real time. */
  readonly runs?: number;
  /** Scripts of random calls to play beside those of the scenarios, at least 0. Default 0. */
  readonly explored?: number;
  /** Default: the shipped ones. */
  readonly scenarios?: readonly NamedScenario[];
  /** Play these, and draw none: saved ones, or those of a generator of your own. */
  readonly scripts?: readonly Script[];
  /** What to hold the target to. Default `document`. */
  readonly edition?: Edition;
  /** Scripts under way at once. Default: as the target sees fit. */
  readonly concurrency?: number;
  /** When aborted, the run ends early and is judged as far as it came. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: RunProgress) => void;
}

export interface CheckResult {
  /** No `must` failed and at least one was decided. */
  readonly conforms: boolean;
  /** Every requirement with its verdict, the readings of open questions, the lateness of timers. */
  readonly findings: Findings;
  /** What was sent and what came back, without the target's keys; `judge` takes it again. */
  readonly history: readonly HistoryEvent[];
  /** Script n of the history is script n of this list. */
  readonly scripts: readonly Script[];
  /** Scenarios that this target cannot play, each with the reason. */
  readonly leftOut: readonly LeftOut[];
}

/**
 * Checks a target: draws scripts of the scenarios that it can play, plays them and judges the history.
 * The target stays open: whoever made it closes it.
 *
 * @throws {TargetError} when the target cannot be used at all. What an implementation answers never throws.
 */
export async function checkTarget(target: Target, options: CheckTargetOptions = {}): Promise<CheckResult> {
  const { seed = 0, edition = 'document', concurrency, signal, onProgress } = options;
  const runs = options.runs ?? (target.clock === 'real' ? 1 : 3);
  const { scripts, leftOut } =
    options.scripts === undefined
      ? await drawn(target, seed, runs, options)
      : { scripts: options.scripts, leftOut: [] };
  const { events } = await runScripts(target, scripts, {
    seed,
    edition,
    runproof: packageVersion(),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined ? {} : { onProgress }),
  });
  // The oracle sees what was really said; from here on no key is known.
  const redactor = createRedactor(target.keys ?? []);
  const findings = redactor.value(judge(events));
  const musts = findings.requirements.filter(({ level }) => level === 'must');
  const conforms =
    musts.every(({ verdict }) => verdict !== 'fail') && musts.some(({ verdict }) => verdict === 'pass');
  return { conforms, findings, history: events.map((event) => redactor.event(event)), scripts, leftOut };
}

async function drawn(
  target: Target,
  seed: number,
  runs: number,
  { scenarios, explored = 0 }: CheckTargetOptions,
): Promise<Pick<CheckResult, 'scripts' | 'leftOut'>> {
  const all = scenarios ?? (await import('../../scenarios/index.js')).named;
  const { scripts, leftOut } = drawPlan(all, target, seed, runs);
  return { scripts: [...scripts, ...exploredScripts(target, seed, explored)], leftOut };
}
