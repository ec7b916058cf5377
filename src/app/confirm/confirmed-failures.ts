/**
 * What failed on a target, made small: the script is shrunk on the simulator, where a known fault or a reading shows the same
 * there, and played on the target a few times more to tell how surely it fails.
 */
import type { Failure, Findings } from '../../oracle/index.js';
import { titleOf } from '../../explore/index.js';
import { pluralize } from '../../report/formatting.js';
import type { Script } from '../../scenario/index.js';
import type { Dialect } from '../../spec/index.js';
import type { Edition } from '../../spec/types.js';
import type { Target } from '../../target/port.js';
import { confirm, type FailureRate } from './confirm.js';
import type { ConcludeThread } from '../conclude/conclude-thread.js';
import type { Reproduced } from '../explore/reproduce.js';

/** More scripts are not played again: each costs its waits. */
const SCRIPTS_MAX = 5;

/** A failing script in the smallest form that was seen to fail on the target. */
export interface ConfirmedFailure {
  readonly requirement: string;
  /** Number of the script that it was made of. */
  readonly number: number;
  readonly script: Script;
  readonly stepsBefore: number;
  /** Id of the known fault by which it was made small; null where it is the script that failed. */
  readonly fault: string | null;
  readonly failed: number;
  readonly runs: number;
}

interface ConfirmOptions {
  readonly findings: Findings;
  readonly judges: (id: string) => boolean;
  readonly scripts: readonly Script[];
  readonly edition: Edition;
  readonly target: Target;
  readonly signal: AbortSignal;
  /** What is looked for on the simulator is looked for there. */
  readonly thread: ConcludeThread;
  readonly say: (line: string) => void;
}

export async function confirmFailures(wish: ConfirmOptions): Promise<readonly ConfirmedFailure[]> {
  const { findings, scripts, edition, target, signal, thread, say } = wish;
  const failures = chosen(wish);
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
    const found = await thread.reproduce({
      script,
      requirement,
      alike: alike(findings, requirement, scripts),
      around,
    });
    candidates.push(candidateFrom(requirement, number, script, found));
  }
  say(`playing ${pluralize(candidates.length, 'failing script')} again, three times each`);
  const first = await confirmed(candidates, wish);
  // What was made small by way of another fault need not show this one.
  const again = first.filter(({ failed, runs, fault }) => failed < runs && fault !== null);
  if (again.length === 0 || signal.aborted) return first;
  const originals = again.map((small) => ({ ...small, script: scripts[small.number]!, fault: null }));
  const second = await confirmed(originals, wish);
  return first.map((small) => {
    const original = second[again.indexOf(small)];
    return original !== undefined && original.failed > small.failed ? original : small;
  });
}

function candidateFrom(
  requirement: string,
  number: number,
  original: Script,
  found: Reproduced | null,
): ConfirmedFailure {
  const shrunk = found?.shrunk.alone === true ? found.shrunk.script : null;
  const script = shrunk === null ? original : { ...shrunk, title: titleOf(shrunk) };
  const fault = shrunk === null ? null : (found!.settings.mutant ?? 'the readings observed');
  return { requirement, number, script, stepsBefore: original.steps.length, fault, failed: 0, runs: 0 };
}

/** The scripts that failed by the requirement, each once. */
function alike(
  { requirements }: Findings,
  requirement: string,
  scripts: readonly Script[],
): readonly Script[] {
  const failures = requirements.find(({ id }) => id === requirement)?.failures ?? [];
  return [...new Set(failures.map(({ script }) => script))].flatMap((number) => scripts[number] ?? []);
}

/** Of each must the failure of the shortest script, a script once. */
function chosen({ findings, judges, scripts }: ConfirmOptions): readonly Failure[] {
  const taken = new Set<number>();
  const failures: Failure[] = [];
  for (const { id, level, verdict, failures: all } of findings.requirements) {
    if (level !== 'must' || verdict !== 'fail' || !judges(id)) continue;
    const length = ({ script }: Failure): number => scripts[script]!.steps.length;
    const free = all.filter(({ script }) => !taken.has(script) && scripts[script] !== undefined);
    const failure = free.sort((left, right) => length(left) - length(right))[0];
    if (failure === undefined || failures.length >= SCRIPTS_MAX) continue;
    taken.add(failure.script);
    failures.push(failure);
  }
  return failures;
}

/** What was answered one way throughout. */
function observed({ openQuestions }: Findings): Dialect {
  const stable = openQuestions.filter(({ readings }) => readings.length === 1);
  return Object.fromEntries(stable.map(({ id, readings }) => [id, readings[0]!]));
}

async function confirmed(
  candidates: readonly ConfirmedFailure[],
  { target, edition, signal }: ConfirmOptions,
): Promise<readonly ConfirmedFailure[]> {
  const rates: readonly FailureRate[] = await confirm(target, candidates, {
    edition,
    signal,
  });
  return candidates.map((small, index) => {
    const { failed, runs } = rates[index]!;
    return { ...small, failed, runs };
  });
}
