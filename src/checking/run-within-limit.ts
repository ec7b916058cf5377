import { CONTROL_FAILED, STUCK, TARGET_GONE, type HistoryEvent } from '../history/events.js';
import type { RunSelection } from '../history/selection.js';
import { hasStoppedAnswering, lostKeyIn } from '../oracle/index.js';
import type { Ending } from '../report/index.js';
import { runScripts, type RunResult } from '../target/run-scripts.js';
import type { Script } from '../scenario/index.js';
import type { Edition } from '../spec/types.js';
import type { RunProgress, Target } from '../target/port.js';
import { packageVersion } from '../package-files.js';
import { EarlyStop } from './stop-early.js';
import { whyStuck } from './why-stuck.js';

export interface LimitedRunOptions {
  readonly target: Target;
  readonly scripts: readonly Script[];
  readonly seed: number;
  readonly edition: Edition;
  /** Absent: everything. */
  readonly selection?: RunSelection | undefined;
  readonly concurrency?: number | undefined;
  /** Real ms after which the run is stopped; absent: no limit. */
  readonly limitMs?: number | undefined;
  /** The name of that limit in the report. */
  readonly limit: 'budget' | 'time';
  /** Aborted when the user interrupts the run, perhaps before it began. */
  readonly interrupted: AbortSignal;
  /** Told each event; `stop` ends the run, with the reason. */
  readonly onEvent: (event: HistoryEvent, stop: (because: string) => void) => void;
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
  /**
   * Called when calls become fewer because the target refuses them; tells how many real ms the run may take in all then,
   * or undefined where the limit stays.
   */
  readonly onSlower?: ((callsPerSecond: number) => number | undefined) | undefined;
}

export interface LimitedRun extends RunResult {
  readonly ending: Ending;
  /** Why it ended early, of a run that would have taught nothing more; otherwise null. */
  readonly stoppedBecause: string | null;
  readonly wallMs: number;
  /** What the limit became, real ms, of a run that made fewer calls in a second than was planned; else absent. */
  readonly extendedToMs?: number;
}

/**
 * Runs the scripts until all have ended, the limit is reached, the user interrupts the run, or no script would teach
 * anything more.
 */
export async function runWithinLimit(options: LimitedRunOptions): Promise<LimitedRun> {
  const { target, scripts, selection, concurrency, limitMs, limit, interrupted } = options;
  const stop = new AbortController();
  let ending: Ending = 'finished';
  const end = (because: Ending): void => {
    if (!stop.signal.aborted) ending = because;
    stop.abort(because);
  };
  const onInterrupt = (): void => end('interrupted');
  if (interrupted.aborted) onInterrupt();
  interrupted.addEventListener('abort', onInterrupt);
  const startMs = performance.now();
  let endsMs = limitMs ?? Infinity;
  const endLater = (): ReturnType<typeof setTimeout> | undefined =>
    endsMs === Infinity ? undefined : setTimeout(() => end(limit), endsMs - (performance.now() - startMs));
  let timer = endLater();
  const onSlower = (callsPerSecond: number): void => {
    endsMs = Math.max(endsMs, options.onSlower?.(callsPerSecond) ?? 0);
    clearTimeout(timer);
    timer = endLater();
  };
  const early = new EarlyStop();
  let stoppedBecause: string | null = null;
  const onEvent = (event: HistoryEvent): void => {
    options.onEvent(event, (because) => {
      if (stop.signal.aborted) return;
      stoppedBecause = because;
      end('stopped-early');
    });
    early.see(event);
    // Where the clock stands still, scripts take no time and are not cut.
    if (stop.signal.aborted || (target.clock !== 'real' && event.kind !== 'script-end')) return;
    stoppedBecause = early.reason;
    if (stoppedBecause !== null) end('stopped-early');
  };
  try {
    const done = await runScripts(target, scripts, {
      seed: options.seed,
      edition: options.edition,
      runproof: packageVersion(),
      signal: stop.signal,
      onEvent,
      onProgress: options.onProgress,
      onSlower,
      concurrency,
      selection,
    });
    const abortedBecause = (why: string): boolean =>
      ending === 'finished' && done.summary.aborted.some(({ reason }) => reason === why);
    const isOver = ending === 'finished' || ending === 'stopped-early';
    const [run] = done.events;
    if (isOver && run?.kind === 'run' && lostKeyIn(run, done.events) !== null) {
      ending = 'key-refused';
      stoppedBecause = null;
    } else if (abortedBecause(TARGET_GONE) || (isOver && hasStoppedAnswering(done.events))) {
      ending = 'target-gone';
      stoppedBecause = null;
    } else if (abortedBecause(CONTROL_FAILED)) ending = 'control-failed';
    const stuck = done.summary.aborted.filter(({ reason }) => reason.startsWith(STUCK));
    if (ending === 'finished' && stuck.length > 0) {
      ending = 'stopped-early';
      stoppedBecause = whyStuck(stuck[0]!.reason.slice(STUCK.length), stuck.length, done.events);
    }
    return {
      ...done,
      ending,
      stoppedBecause,
      wallMs: Math.round(performance.now() - startMs),
      ...(limitMs !== undefined && endsMs > limitMs ? { extendedToMs: endsMs } : {}),
    };
  } finally {
    clearTimeout(timer);
    interrupted.removeEventListener('abort', onInterrupt);
  }
}
