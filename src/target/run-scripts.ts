import type { HistoryEvent, RunEvent } from '../history/events.js';
import type { Script } from '../scenario/index.js';
import type { Edition } from '../spec/types.js';
import type { RunProgress, RunSummary, Target } from './port.js';
import { createScriptRunner } from '../runner/script-runner.js';

export interface RunScriptsOptions {
  /** Told in the history's first line. */
  readonly seed: number;
  readonly edition: Edition;
  /** Version of the program. */
  readonly runproof: string;
  readonly concurrency?: number;
  /** When aborted, no new call is sent; what was played is returned all the same. */
  readonly signal?: AbortSignal;
  /** Told of every event as it is appended. */
  readonly onEvent?: (event: HistoryEvent) => void;
  readonly onProgress?: (progress: RunProgress) => void;
}

export interface RunResult {
  /** Whole: the line of the run first. Script n of the history is script n of the list. */
  readonly events: readonly HistoryEvent[];
  readonly summary: RunSummary;
}

/** Plays the scripts on the target and gathers the history of it. */
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
      createRunner: createScriptRunner,
      ...(concurrency === undefined ? {} : { concurrency }),
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onProgress }),
    },
  );
  return { events, summary };
}

/** The line that a history begins with: what was played on, and what for. */
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
