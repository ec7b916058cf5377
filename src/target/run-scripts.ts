import type { HistoryEvent, RunEvent } from '../history/events.js';
import type { Script } from '../scenario/index.js';
import type { Edition } from '../spec/types.js';
import type { RunProgress, RunSummary, Target } from './port.js';

/** What the history says of the run, and how it is run. */
export interface RunScriptsOptions {
  /** Written into the history; the scripts were drawn from it. */
  readonly seed: number;
  /** The edition that the history is judged by. */
  readonly edition: Edition;
  /** Version of Runproof. */
  readonly runproof: string;
  /** Maximum number of concurrent scripts, at least 1. Default: chosen by the target. */
  readonly concurrency?: number;
  /** When aborted, no new call is sent; the history so far is returned. */
  readonly signal?: AbortSignal;
  /** Called with every event as it is appended. */
  readonly onEvent?: (event: HistoryEvent) => void;
  /** Called when a script starts or ends. */
  readonly onProgress?: (progress: RunProgress) => void;
}

/** The history of a run, complete, and its summary. */
export interface RunResult {
  /** Begins with the `run` event. Script n of the history is script n of the list. */
  readonly events: readonly HistoryEvent[];
  readonly summary: RunSummary;
}

/**
 * Runs the scripts on the target and collects the history, which `judge` takes.
 *
 * @throws {TargetError} when the target cannot be used at all. No reply of the implementation is an error.
 */
export async function runScripts(
  target: Target,
  scripts: readonly Script[],
  options: RunScriptsOptions,
): Promise<RunResult> {
  const events: HistoryEvent[] = [];
  const append = (event: HistoryEvent): void => {
    events.push(event);
    options.onEvent?.(event);
  };
  append(runEvent(target, options));
  const { concurrency, signal, onProgress } = options;
  const summary = await target.run(
    scripts,
    { append },
    {
      ...(concurrency === undefined ? {} : { concurrency }),
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onProgress }),
    },
  );
  return { events, summary };
}

/** The event that a history begins with: the target, the seed and the edition. */
export function runEvent(
  target: Target,
  { seed, edition, runproof }: Pick<RunScriptsOptions, 'seed' | 'edition' | 'runproof'>,
): RunEvent {
  return {
    kind: 'run',
    schema: 'runproof-history/1',
    runproof,
    seed,
    edition,
    target: { kind: target.kind, name: target.name },
    capabilities: target.capabilities,
    clock: target.clock,
    graceMs: target.limits.graceMs,
    earlyMs: target.earlyMs,
    executionTimeoutDefaultMs: target.executionTimeoutDefaultMs ?? null,
  };
}
