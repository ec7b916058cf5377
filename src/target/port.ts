/**
 * `target/` promises to carry scripts to an implementation and to write down what happened there. Its three
 * adapters (simulator, fetch handler, HTTP) all speak this port. They carry and never judge.
 */
import type { HistoryEvent, RunEvent } from '../history/events.js';
import type { ScriptRunner, ScriptRunnerContext } from '../runner/api.js';
import type { Limits, Script } from '../scenario/script.js';
import type { Capability } from '../spec/types.js';

/** Where events go, in the order in which they ended. It must not throw. */
export interface HistorySink {
  append(event: HistoryEvent): void;
}

/** Makes the runner of a script; a wrapper around `createScriptRunner` can watch or change what a script sees. */
export type CreateScriptRunner = (script: Script, context: ScriptRunnerContext) => ScriptRunner;

export interface RunOptions {
  /** @internal Default: the runner that follows the script. */
  readonly createRunner?: CreateScriptRunner;
  /** Number of the first script in the history; the others follow in the order given. Default 0. */
  readonly firstScript?: number;
  /** How many scripts may be under way at once, where the target can overlap them. Default: as it sees fit. */
  readonly concurrency?: number;
  /** When aborted, no new call is sent; open scripts end as `aborted`, and jobs still alive are swept, all within a second. */
  readonly signal?: AbortSignal;
  /** Told as scripts begin and end, for a progress display. Their order of ending is not that of the list. */
  readonly onProgress?: (progress: RunProgress) => void;
}

export interface RunProgress {
  readonly kind: 'script-started' | 'script-ended';
  /** As in the history: `firstScript` plus the position in the list. */
  readonly script: number;
  readonly scenario: string;
  /** How many scripts have ended, and how many there are. */
  readonly ended: number;
  readonly total: number;
}

export interface RunSummary {
  /** Scripts of which every step was played or skipped by its own rule. */
  readonly finished: number;
  /** Scripts that were given up, each with the reason. */
  readonly aborted: readonly { readonly script: number; readonly reason: string }[];
  /** Calls made. */
  readonly calls: number;
  /** How far the target's clock went, in ms. */
  readonly elapsedMs: number;
  /** Ids of jobs that could not be ended at the close of the play, as `<endpoint_id>/<job_id>`. */
  readonly leftBehind: readonly string[];
  /** In real time: how late the harness itself ran at worst, in ms. Calls meanwhile have wide intervals. */
  readonly harnessLagMs?: number;
}

/** One implementation under test, for the length of one run. */
export interface Target {
  readonly kind: RunEvent['target']['kind'];
  /** For people: an address without credentials, or what the simulator plays. */
  readonly name: string;
  /** All keys that it calls with: no output may hold one. Default: none. */
  readonly keys?: readonly string[];
  /** Scripts whose `needs` go beyond these are not for this target; the runner leaves them out. */
  readonly capabilities: readonly Capability[];
  readonly clock: RunEvent['clock'];
  readonly limits: Limits;
  /** How much earlier than its deadline a timer may seem to strike; 0 unless the clock is real. */
  readonly earlyMs: number;
  /** The endpoint's own default for `executionTimeout` (section 2.2), ms, where it is stated. Default: it is not. */
  readonly executionTimeoutDefaultMs?: number | null;
  /**
   * Plays the scripts and appends `script`, `call`, `webhook`, `workers` and `script-end` events; the `run` event
   * is the runner's. Calls are numbered over the target's life. What an implementation answers is never an
   * error; the promise is rejected only when the target cannot be used at all.
   */
  run(scripts: readonly Script[], sink: HistorySink, options?: RunOptions): Promise<RunSummary>;
  /** Frees sockets and receivers. Further plays are an error. */
  close(): Promise<void>;
}
