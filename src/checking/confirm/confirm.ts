/** How often scripts fail on a target that are run again. */
import { judge, type Failure } from '../../oracle/index.js';
import { packageVersion } from '../../package-files.js';
import { runScripts } from '../../target/run-scripts.js';
import type { Script } from '../../scenario/index.js';
import type { Edition } from '../../spec/types.js';
import type { Target } from '../../target/port.js';
import { isKeptIn } from '../kept-in-play.js';

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

interface HowToConfirm {
  readonly edition: Edition;
  readonly signal: AbortSignal;
  readonly times: number;
  /** Scripts at once; default: chosen by the target. */
  readonly concurrency?: number | undefined;
}

/**
 * Runs all scripts side by side, several times one after the other: a script must not disturb its own
 * repetition. A script that is wanted for several requirements is run for all of them at once.
 */
export async function confirm<Wanted extends ScriptToConfirm>(
  target: Target,
  wanted: readonly Wanted[],
  { times, ...how }: HowToConfirm,
): Promise<readonly (Wanted & FailureRate)[]> {
  const rates = wanted.map((one) => ({ ...one, failed: 0, runs: 0, failures: [] as readonly Failure[] }));
  const scripts = [...new Set(wanted.map(({ script }) => script))];
  for (let count = 0; count < times && !how.signal.aborted; count += 1) {
    const about = { seed: scripts[0]?.seed ?? 0, runproof: packageVersion() };
    const { events } = await runScripts(target, scripts, { ...about, ...how });
    const all = judge(events).requirements.flatMap(({ failures }) => failures);
    for (const event of events) {
      if (event.kind !== 'script-end' || event.outcome !== 'played') continue;
      const own = all.filter(({ script }) => script === event.script);
      for (const rate of rates.filter(({ script }) => script === scripts[event.script])) {
        // That a script beside it keeps the requirement says nothing of this one.
        const again = own.some(({ requirement }) => requirement === rate.requirement);
        if (!again && !isKeptIn(rate.requirement, event.script, events, how.edition)) continue;
        rate.runs += 1;
        if (!again) continue;
        rate.failed += 1;
        rate.failures = own;
      }
    }
  }
  return rates;
}
