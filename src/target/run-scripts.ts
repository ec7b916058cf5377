import type { HistoryEvent, RunEvent } from '../history/events.js';
import { shortenedJson } from '../history/long-text.js';
import type { RunSelection } from '../history/selection.js';
import type { Script } from '../scenario/index.js';
import type { Edition } from '../spec/types.js';
import type { RunProgress, RunSummary, Target } from './port.js';

/** What the history says of the run, and how it is run. @public */
export interface RunScriptsOptions {
  /** Written into the history; the scripts were drawn from it. */
  readonly seed: number;
  /** The edition that the history is judged by. */
  readonly edition: Edition;
  /** Version of Runproof. */
  readonly runproof: string;
  /** The requirements that the run is asked about. Default: all. */
  readonly selection?: RunSelection | undefined;
  /** Maximum number of concurrent scripts, at least 1. Default: chosen by the target. */
  readonly concurrency?: number | undefined;
  /** When aborted, no new call is sent; the history so far is returned. */
  readonly signal?: AbortSignal | undefined;
  /** Called with every event as it is appended. */
  readonly onEvent?: ((event: HistoryEvent) => void) | undefined;
  /** Called when a script starts or ends. */
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
  /** Called when calls become fewer because the target refuses them with 429, beyond section 8. */
  readonly onSlower?: ((callsPerSecond: number) => void) | undefined;
}

/** The history of a run, complete, and its summary. @public */
export interface RunResult {
  /** Begins with the `run` event. Script n of the history is script n of the list. */
  readonly events: readonly HistoryEvent[];
  readonly summary: RunSummary;
}

/**
 * Runs the scripts on the target and collects the history, which `judge` takes.
 *
 * @throws {TargetError} when the target cannot be used at all. No reply of the implementation is an error.
 *
 * @example
 *     import { drawPlan, judge, runScripts, scenario, simulatorTarget } from 'runproof';
 *
 *     const target = simulatorTarget({ seed: 1 });
 *     const health = scenario({
 *       title: 'reads the health record',
 *       exercises: ['4/operation-health'],
 *       script: (_, s) => [s.health()],
 *     });
 *     const { scripts } = drawPlan([{ name: 'own/health', ...health }], target, 1, 1);
 *     const { events } = await runScripts(target, scripts, { seed: 1, edition: 'document', runproof: '0.1.0' });
 *     console.log(judge(events).requirements.filter(({ verdict }) => verdict === 'pass').length);
 *     await target.close();
 *
 * @public
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
  const { concurrency, signal, onProgress, onSlower } = options;
  const summary = await target.run(scripts, { append }, { concurrency, signal, onProgress, onSlower });
  return { events, summary };
}

/** The event that a history begins with: the target, the seed and the edition. */
export function runEvent(
  target: Target,
  {
    seed,
    edition,
    runproof,
    selection,
  }: Pick<RunScriptsOptions, 'seed' | 'edition' | 'runproof' | 'selection'>,
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
    ...(target.speed === undefined || target.speed === 1 ? {} : { speed: target.speed }),
    graceMs: target.limits.graceMs,
    earlyMs: target.earlyMs,
    executionTimeoutDefaultMs: target.executionTimeoutDefaultMs ?? null,
    ...(target.sampleInput === undefined ? {} : { sampleInput: shortenedJson(target.sampleInput) }),
    ...(target.webhooksAt === undefined ? {} : { webhooksAt: target.webhooksAt }),
    ...(selection === undefined ? {} : { selection }),
  };
}
