/**
 * Shrinks the scripts that failed on a target, and confirms them: a script is shrunk on the simulator if a
 * known fault or a reading shows the same failure there, and then run on the target three more times to see
 * how often it fails.
 */
import { whatCounts, type RunSelection } from '../../history/selection.js';
import type { Failure, Findings } from '../../oracle/index.js';
import { titleOf } from '../../explore/index.js';
import { pluralize } from '../../report/formatting.js';
import type { Script } from '../../scenario/index.js';
import type { Dialect } from '../../spec/index.js';
import type { Edition } from '../../spec/types.js';
import type { Target } from '../../target/port.js';
import { confirm } from './confirm.js';
import type { ConcludeThread } from '../../judging/conclude-thread.js';
import type { Reproduced } from '../../test-bed/reproduce.js';

/** No more scripts are run again, because each takes its waits. */
const SCRIPTS_MAX = 5;
/** How often each of them is. */
const TIMES = 3;

/** A failing script, in the smallest form that failed on the target. */
export interface ConfirmedFailure {
  readonly requirement: string;
  /** Number of the script that failed in the check. */
  readonly number: number;
  readonly script: Script;
  readonly stepsBefore: number;
  /** Id of the known fault with which it was shrunk; null if it is the script that failed. */
  readonly fault: string | null;
  readonly failed: number;
  readonly runs: number;
}

/** A run of which failures are played again. */
export interface CheckedRun {
  readonly findings: Findings;
  readonly scripts: readonly Script[];
  /** By number of a script that is shrunk already: how many steps it had before. */
  readonly stepsBefore: ReadonlyMap<number, number>;
  readonly edition: Edition;
  readonly target: Target;
  /** Scripts at once; default: chosen by the target. */
  readonly concurrency?: number | undefined;
}

interface ConfirmOptions extends CheckedRun {
  /** What the check was asked about. */
  readonly asked: RunSelection;
  readonly signal: AbortSignal;
  /** Searches the simulator. */
  readonly thread: ConcludeThread;
  readonly say: (line: string) => void;
}

export async function confirmFailures(options: ConfirmOptions): Promise<readonly ConfirmedFailure[]> {
  const { findings, scripts, edition, target, signal, concurrency, thread, say } = options;
  const failures = chosen(options);
  if (failures.length === 0 || signal.aborted) return [];
  const around = {
    edition,
    dialect: observed(findings),
    capabilities: target.capabilities,
    executionTimeoutDefaultMs: target.executionTimeoutDefaultMs ?? null,
  };
  const candidates: ConfirmedFailure[] = [];
  for (const { requirement, script: number } of failures) {
    const script = scripts[number]!;
    const found = await thread.reproduce(script, requirement, alike(findings, requirement, scripts), around);
    const before = options.stepsBefore.get(number) ?? script.steps.length;
    candidates.push(candidateFrom(requirement, number, script, before, found));
  }
  say(`running ${pluralize(candidates.length, 'failing script')} three more times`);
  const how = { edition, signal, concurrency, times: TIMES };
  const first = await confirm(target, candidates, how);
  // A script that was shrunk with a simulator fault may not fail on the target.
  const again = first.filter(({ failed, runs, fault }) => (failed < runs || failed === 0) && fault !== null);
  if (again.length === 0 || signal.aborted) return first;
  const originals = again.map((shrunk) => ({ ...shrunk, script: scripts[shrunk.number]!, fault: null }));
  const second = await confirm(target, originals, how);
  return first.map((shrunk) => {
    const original = second[again.indexOf(shrunk)];
    return original !== undefined && original.failed > shrunk.failed ? original : shrunk;
  });
}

function candidateFrom(
  requirement: string,
  number: number,
  original: Script,
  stepsBefore: number,
  found: Reproduced | null,
): ConfirmedFailure {
  const shrunk = found?.shrunk.alone === true ? found.shrunk.script : null;
  const script = shrunk === null ? original : { ...shrunk, title: titleOf(shrunk) };
  const fault = shrunk === null ? null : (found!.settings.mutant ?? 'the readings observed');
  return { requirement, number, script, stepsBefore, fault, failed: 0, runs: 0 };
}

/** The scripts in which the requirement failed, without duplicates. */
function alike(
  { requirements }: Findings,
  requirement: string,
  scripts: readonly Script[],
): readonly Script[] {
  const failures = requirements.find(({ id }) => id === requirement)?.failures ?? [];
  return [...new Set(failures.map(({ script }) => script))].flatMap((number) => scripts[number] ?? []);
}

/** For each failed must, the failure of the simplest script. No script is chosen twice. */
function chosen({ findings, asked, scripts }: ConfirmOptions): readonly Failure[] {
  const taken = new Set<number>();
  const failures: Failure[] = [];
  for (const { level, verdict, failures: all } of findings.requirements.filter(
    whatCounts(asked, findings.requirements),
  )) {
    if (level !== 'must' || verdict !== 'fail') continue;
    const failure = all.find(({ script }) => !taken.has(script) && scripts[script] !== undefined);
    if (failure === undefined || failures.length >= SCRIPTS_MAX) continue;
    taken.add(failure.script);
    failures.push(failure);
  }
  return failures;
}

/** The readings of the questions that were answered in one way only. */
function observed({ openQuestions }: Findings): Dialect {
  const stable = openQuestions.filter(({ readings }) => readings.length === 1);
  return Object.fromEntries(stable.map(({ id, readings }) => [id, readings[0]!]));
}
