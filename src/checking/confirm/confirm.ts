/** How often scripts fail on a target: each is run three more times. */
import { judge, type Failure } from '../../oracle/index.js';
import { packageVersion } from '../../package-files.js';
import { runScripts } from '../../target/run-scripts.js';
import type { Script } from '../../scenario/index.js';
import type { Edition } from '../../spec/types.js';
import type { Target } from '../../target/port.js';

const REPETITIONS = 3;

export interface ScriptToConfirm {
  readonly script: Script;
  readonly requirement: string;
}

export interface FailureRate {
  /** The number of `runs` in which the requirement failed. */
  readonly failed: number;
  readonly runs: number;
  /** Of the last run that failed. */
  readonly failures: readonly Failure[];
}

/**
 * Runs all scripts side by side, three times one after the other: a script must not disturb its own
 * repetition.
 */
export async function confirm(
  target: Target,
  wanted: readonly ScriptToConfirm[],
  { edition, signal }: { readonly edition: Edition; readonly signal: AbortSignal },
): Promise<readonly FailureRate[]> {
  const rates = wanted.map((): FailureRate => ({ failed: 0, runs: 0, failures: [] }));
  for (let count = 0; count < REPETITIONS && !signal.aborted; count += 1) {
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
      const again = own.some(({ requirement }) => requirement === wanted[event.script]!.requirement);
      rates[event.script] = {
        failed: failed + Number(again),
        runs: runs + 1,
        failures: again ? own : failures,
      };
    }
  }
  return rates;
}
