/**
 * `target/` promises to run scripts against an implementation and to record what happened. Its three adapters (HTTP,
 * a handler in this process, the simulator) implement this port. A target never judges.
 */
import type { HistoryEvent, Json, RunEvent } from '../history/events.js';
import type { ScriptRunner, ScriptRunnerContext } from '../runner/api.js';
import type { Limits, Script } from '../scenario/script.js';
import type { Capability } from '../spec/types.js';

/** Receives the events of a run in the order in which they ended. It must not throw. @public */
export interface HistorySink {
  append(event: HistoryEvent): void;
}

/**
 * Makes the runner of a script; a wrapper around `createScriptRunner` can watch or change what a script sees.
 *
 * @internal
 */
export type CreateScriptRunner = (script: Script, context: ScriptRunnerContext) => ScriptRunner;

/** How `Target.run` runs the scripts. @public */
export interface RunOptions {
  /** @internal Default: `createScriptRunner`. */
  readonly createRunner?: CreateScriptRunner | undefined;
  /** Number of the first script in the history; the others follow in the order given. Default 0. */
  readonly firstScript?: number | undefined;
  /**
   * Maximum number of scripts that play at once, at least 1. Default: 64. Under test control scripts play one after the
   * other anyway, unless endpoints have clocks of their own, and the target is far away, or the machine busy: then 8.
   */
  readonly concurrency?: number | undefined;
  /**
   * When aborted, no new call is sent, open scripts end as `aborted`, and jobs that are still alive are cancelled, all
   * within about a second.
   */
  readonly signal?: AbortSignal | undefined;
  /** Called when a script starts or ends. Scripts need not end in the order of the list. */
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
  /**
   * In real time, on an endpoint that scripts share: called when calls become fewer because the target refuses them with
   * 429 although no limit of section 8 explains it.
   */
  readonly onSlower?: ((callsPerSecond: number) => void) | undefined;
}

/** Progress of a run: one script has started or ended. @public */
export interface RunProgress {
  readonly kind: 'script-started' | 'script-ended';
  /** As in the history: `firstScript` plus the position in the list. */
  readonly script: number;
  readonly scenario: string;
  /** Number of scripts that have ended. */
  readonly ended: number;
  /** Number of scripts in the list. */
  readonly total: number;
}

/** What came of a run. @public */
export interface RunSummary {
  /** Number of scripts that ran to their end. Steps whose job or milestone never appears are skipped. */
  readonly finished: number;
  /** Scripts that were given up, each with the reason. */
  readonly aborted: readonly { readonly script: number; readonly reason: string }[];
  /** Number of calls made. */
  readonly calls: number;
  /** How much time passed on the target's clock, in ms. */
  readonly elapsedMs: number;
  /** Jobs that could not be cancelled when their script ended, as `<endpoint_id>/<job_id>`. */
  readonly leftBehind: readonly string[];
  /** In real time: the longest delay of this process itself, in ms. Calls meanwhile have wider intervals. */
  readonly harnessLagMs?: number;
  /** The fewest calls that were made in a second, where refusals with 429 made them fewer; else absent. */
  readonly slowestCallsPerSecond?: number;
}

/**
 * One implementation under test. `httpTarget`, `fetchTarget` and `simulatorTarget` make one; pass it to `checkTarget` or
 * `runScripts`, and close it afterwards.
 *
 * @public
 */
export interface Target {
  readonly kind: RunEvent['target']['kind'];
  /** Name for reports: an address without credentials, or what the simulator simulates. */
  readonly name: string;
  /** All keys that calls use; they are removed from every output. Default: none. */
  readonly keys?: readonly string[];
  /** What scripts can rely on. Scripts that need more must not be run on this target. */
  readonly capabilities: readonly Capability[];
  /** `virtual` and `controlled` clocks pass only when they are moved; a `real` one passes by itself. */
  readonly clock: RunEvent['clock'];
  /** How many times as fast as real time a `real` clock runs: all times are ms of that clock. Default 1. */
  readonly speed?: number;
  /** Within these, waits and numbers of workers are drawn. */
  readonly limits: Limits;
  /** How much earlier than its deadline a timer may appear to fire, in ms; 0 unless the clock is real. */
  readonly earlyMs: number;
  /** The endpoint's default for `executionTimeout` (section 2.2), in ms; null or absent: not known. */
  readonly executionTimeoutDefaultMs?: number | null;
  /** An input that the worker, which follows no plans, is said to accept. Default: none is stated. */
  readonly sampleInput?: Json;
  /** How addresses begin at which webhook calls are received and recorded. Default: any address. */
  readonly webhooksAt?: string;
  /**
   * Runs the scripts and appends `script`, `call`, `webhook`, `workers` and `script-end` events; the `run` event comes
   * from `runScripts`. Calls are numbered over the target's life. No reply of the implementation is an error.
   *
   * @throws {TargetError} when the target cannot be used at all
   */
  run(scripts: readonly Script[], sink: HistorySink, options?: RunOptions): Promise<RunSummary>;
  /** Frees sockets and the webhook receiver. Nothing can be run afterwards. */
  close(): Promise<void>;
}
