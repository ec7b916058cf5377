/** Looks for a smaller script with the same failure, on the simulator or on a target. */
import {
  plainEnvironment,
  shrinkViolation,
  shrinking,
  titleOf,
  type FoundViolation,
  type Violation,
} from '../../explore/index.js';
import type { HistoryEvent, Json } from '../../history/events.js';
import { judge, type Failure } from '../../oracle/index.js';
import { packageVersion } from '../../package-files.js';
import { failureFile } from '../../report/failure-file.js';
import type { FailureFile } from '../../report/index.js';
import type { Script } from '../../scenario/index.js';
import { missingOf } from '../../spec/capability-words.js';
import type { Edition } from '../../spec/types.js';
import type { Target } from '../../target/port.js';
import { runScripts } from '../../target/run-scripts.js';
import { isAsRight, onSimulator, type PlayWith } from '../../checking/as-right.js';
import { confirm, type FailureRate } from '../../checking/confirm/confirm.js';
import { foundFile } from '../../exploring/outcome-files.js';
import { reproduce } from '../../test-bed/reproduce.js';
import { createTestBed } from '../../test-bed/test-bed.js';
import { healthyTestBed } from '../../test-bed/worker.js';
import type { SavedFailure } from '../../files/replay-token.js';
import { TRIALS_SIMULATOR, TRIALS_TARGET } from '../../checking/trials.js';

export interface ShrinkOptions {
  /** The requirement that has to keep failing. Default: the first that fails. */
  readonly requirement?: string | undefined;
  /** How many scripts to try at most. Default: 2,000 on the simulator, 60 on a target. */
  readonly trials?: number | undefined;
}

/** The smaller script with its failure; or why there is none: nothing of it fails, it was not decided, or was interrupted. */
export type Shrunk = FailureFile | 'fixed' | 'undecided' | 'interrupted';

/**
 * What has to keep failing. Alone, or against a live service, a script may show more than it did among recorded calls, and
 * then the same fault fails another must.
 */
const keptFailing = <F extends Pick<Violation, 'requirement' | 'level'>>(
  all: readonly F[],
  wanted: string | undefined,
): F | undefined =>
  all.find(({ requirement }) => wanted === undefined || requirement === wanted) ??
  all.find(({ level }) => level === 'must');

/**
 * Of a script that fails nothing, as `replay` says it: `FIXED` also where nothing is decided, but the target answers as a
 * correct one does.
 */
function unfailing(
  decided: readonly string[],
  wanted: string | undefined,
  events: readonly HistoryEvent[],
  playWith: PlayWith,
  edition: Edition,
): 'fixed' | 'undecided' {
  const isDecided = decided.length > 0 && (wanted === undefined || decided.includes(wanted));
  const isRight = (): boolean =>
    wanted !== undefined && isAsRight(events, playWith, [{ id: wanted }], edition);
  return isDecided || isRight() ? 'fixed' : 'undecided';
}

const editionOf = ({ edition }: SavedFailure): Edition => edition ?? 'document';

/**
 * @param mutant id of the known fault; default: the fault with which it was found
 */
export function shrinkOnSimulator(
  saved: SavedFailure,
  {
    requirement: wanted,
    trials = TRIALS_SIMULATOR,
    mutant,
  }: ShrinkOptions & { readonly mutant: string | null },
): Shrunk {
  const { script, found } = saved;
  const environment = found?.world ?? plainEnvironment(0);
  const edition = editionOf(saved);
  const settings = { edition, mutant: mutant ?? found?.mutant ?? null };
  const testBed = createTestBed(settings);
  const events = testBed.run([script], environment);
  const { violations, decided } = testBed.judge(events, environment);
  const violation = keptFailing(violations, wanted);
  if (violation === undefined) {
    const playWith: PlayWith = (fault) =>
      createTestBed({ edition, mutant: fault?.id ?? null }).run([script], environment);
    return unfailing(decided, wanted, events, playWith, edition);
  }
  const failing: FoundViolation = { ...violation, run: 0, script, environment };
  const options = { trialsMax: trials, ...healthyTestBed(settings) };
  const shrunk = shrinkViolation(failing, testBed, options);
  return foundFile(script.seed, settings, { found: failing, shrunk, runs: 1 });
}

/**
 * The smaller script is played three more times.
 *
 * @param say is told how it was shrunk, and how often it fails
 */
export async function shrinkOnTarget(
  target: Target,
  saved: SavedFailure,
  {
    requirement: wanted,
    trials = TRIALS_TARGET,
    signal,
    say,
  }: ShrinkOptions & { readonly signal: AbortSignal; readonly say: (line: string) => void },
): Promise<Shrunk> {
  const { script } = saved;
  const edition = editionOf(saved);
  const play = async (candidate: Script): Promise<readonly HistoryEvent[]> => {
    const { seed } = candidate;
    const options = { seed, edition, runproof: packageVersion(), signal };
    return (await runScripts(target, [candidate], options)).events;
  };
  const failuresOf = async (candidate: Script): Promise<readonly Failure[]> =>
    judge(await play(candidate)).requirements.flatMap(({ failures }) => failures);
  const events = await play(script);
  const { requirements, openQuestions } = judge(events);
  const first = keptFailing(
    requirements.flatMap(({ level, failures }) => failures.map((failure) => ({ ...failure, level }))),
    wanted,
  );
  if (first === undefined) {
    if (signal.aborted) return 'interrupted';
    const decided = requirements.flatMap(({ id, verdict }) => (verdict === 'pass' ? [id] : []));
    const playWith = onSimulator(events, [script], openQuestions, edition);
    return unfailing(decided, wanted, events, playWith, edition);
  }
  const { requirement } = first;
  const fails = async (candidate: Script): Promise<boolean> =>
    missingOf(candidate.needs, target.capabilities).length === 0 &&
    (await failuresOf(candidate)).some((failure) => failure.requirement === requirement);
  const ratedOf = async (small: Script): Promise<FailureRate> =>
    (await confirm(target, [{ script: small, requirement }], { edition, signal, times: 3 }))[0]!;
  const simulated = onSimulatorFirst(script, requirement, edition, target);
  if (simulated !== null) {
    const rate = await ratedOf(simulated.script);
    if (rate.failed > 0 && rate.failed === rate.runs) {
      say(`shrunk on the simulator with ${simulated.fault}; ${rateInWords(rate)}`);
      return fileOf(simulated.script, requirement, rate, edition, target.name);
    }
  }
  const search = shrinking(script, trials);
  let next = search.next();
  // After an interrupt, the smallest script so far is used.
  while (next.done !== true) next = search.next(!signal.aborted && (await fails(next.value)));
  const smallest = { ...next.value, title: titleOf(next.value) };
  const rate = await ratedOf(smallest);
  say(rateInWords(rate));
  const shown = rate.failed > 0 ? rate : { ...rate, failures: [first] };
  return fileOf(smallest, requirement, shown, edition, target.name);
}

/** The failure of the requirement is the first in the file. */
function fileOf(
  small: Script,
  requirement: string,
  { failures: all, failed, runs }: FailureRate,
  edition: Edition,
  target: string,
): FailureFile {
  const own = all.filter((failure) => failure.requirement === requirement);
  const failures = [...own, ...all.filter((failure) => !own.includes(failure))];
  const about = { runproof: packageVersion(), edition, target };
  const rate = failed < runs ? { confirmed: { failed, plays: runs } } : {};
  return failureFile({ ...about, ...rate }, failures, small as unknown as Json);
}

const rateInWords = ({ failed, runs }: FailureRate): string => `fails in ${failed} of ${runs} runs`;

/** Shrinks the script on the simulator, which sends nothing, if a known fault shows the same failure. */
function onSimulatorFirst(
  script: Script,
  requirement: string,
  edition: Edition,
  { capabilities, executionTimeoutDefaultMs = null }: Target,
): { readonly script: Script; readonly fault: string } | null {
  const around = { edition, dialect: {}, capabilities, executionTimeoutDefaultMs };
  const found = reproduce(script, requirement, [], around);
  if (found === null || !found.shrunk.alone) return null;
  const small = found.shrunk.script;
  return {
    script: { ...small, title: titleOf(small) },
    fault: found.settings.mutant ?? 'the default readings',
  };
}
