/** How often scripts fail on a target that are run again. */
import type { HistoryEvent } from '../../history/events.js';
import { judge, type Failure } from '../../oracle/index.js';
import { packageVersion } from '../../package-files.js';
import { runScripts } from '../../target/run-scripts.js';
import type { Script } from '../../scenario/index.js';
import type { Edition } from '../../spec/types.js';
import type { Target } from '../../target/port.js';

export interface ScriptToConfirm {
  readonly script: Script;
  readonly requirement: string;
}

export interface FailureRate {
  /** The number of `runs` in which the requirement failed. */
  readonly failed: number;
  /** Those that decided the requirement. */
  readonly runs: number;
  /** Of the last run that failed. */
  readonly failures: readonly Failure[];
}

/**
 * Runs all scripts side by side, several times one after the other: a script must not disturb its own
 * repetition.
 */
export async function confirm(
  target: Target,
  wanted: readonly ScriptToConfirm[],
  {
    edition,
    signal,
    times,
  }: { readonly edition: Edition; readonly signal: AbortSignal; readonly times: number },
): Promise<readonly FailureRate[]> {
  const rates = wanted.map((): FailureRate => ({ failed: 0, runs: 0, failures: [] }));
  for (let count = 0; count < times && !signal.aborted; count += 1) {
    const { events } = await runScripts(
      target,
      wanted.map(({ script }) => script),
      { seed: wanted[0]?.script.seed ?? 0, edition, runproof: packageVersion(), signal },
    );
    const all = judge(events).requirements.flatMap(({ failures }) => failures);
    for (const event of events) {
      if (event.kind !== 'script-end' || event.outcome !== 'played') continue;
      const { failed, runs, failures } = rates[event.script]!;
      const own = all.filter(({ script }) => script === event.script);
      const { requirement } = wanted[event.script]!;
      const again = own.some((one) => one.requirement === requirement);
      if (!again && !passesAlone(requirement, event.script, events)) continue;
      rates[event.script] = {
        failed: failed + Number(again),
        runs: runs + 1,
        failures: again ? own : failures,
      };
    }
  }
  return rates;
}

/** That a script beside it passed the requirement says nothing of this one. */
const passesAlone = (requirement: string, script: number, events: readonly HistoryEvent[]): boolean =>
  judge(events.filter((event) => !('script' in event) || event.script === script)).requirements.some(
    ({ id, verdict }) => id === requirement && verdict === 'pass',
  );
