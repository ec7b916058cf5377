import type { ExploreContext } from './explore.js';
import type { Io } from '../../cli/io.js';
import { fitted, leftAtPace, roughly } from '../../cli/progress-line.js';

const HEARTBEAT_MS = 10_000;
const REDRAW_MS = 500;

/** What an exploration is to come to; null for what has no bound. */
export interface ExploreBounds {
  readonly runs: number | null;
  readonly timeMs: number | null;
}

export type ExploreProgress = ExploreContext['progress'] & { stop(): void };

/** A line that is redrawn on a terminal, a line every ten seconds in a log, or nothing. */
export function createExploreProgress(
  mode: 'auto' | 'plain' | 'none',
  { runs, timeMs }: ExploreBounds,
  io: Io,
): ExploreProgress {
  if (mode === 'none') return { draw() {}, shrinking() {}, stop() {} };
  const isLine = mode === 'auto' && io.errIsTerminal && io.env['TERM'] !== 'dumb';
  const everyMs = isLine ? REDRAW_MS : HEARTBEAT_MS;
  const startMs = io.monotonicMs();
  let drawnMs = startMs;

  function show(parts: () => readonly string[]): void {
    const nowMs = io.monotonicMs();
    if (nowMs - drawnMs < everyMs) return;
    drawnMs = nowMs;
    io.note(isLine ? `\r\u001b[K${fitted(null, parts(), io.columns)}` : `… ${parts().join('  ')}\n`);
  }

  /** By whichever bound is reached first, at the pace so far. */
  function left(done: number): readonly string[] {
    const tookMs = io.monotonicMs() - startMs;
    const byTime = timeMs === null ? Infinity : timeMs - tookMs;
    const byRuns = runs === null ? null : leftAtPace(tookMs, done / runs);
    const ms = Math.min(byTime, byRuns ?? Infinity);
    return ms === Infinity || ms <= 0 ? [] : [`${roughly(ms)} left`];
  }

  return {
    draw: (summary) =>
      show(() => {
        const { runs: done, pairs, goals, decided, breachCounts } = summary();
        return [
          `${done} runs`,
          ...left(done),
          `${Object.keys(breachCounts).length} broken`,
          `${decided.length} requirements decided`,
          `${Math.round((done * 1_000) / Math.max(1, io.monotonicMs() - startMs))}/s`,
          `pairs ${pairs.reached}/${pairs.of}`,
          `goals ${goals.reached}/${goals.of}`,
        ];
      }),
    shrinking: (done, of) => show(() => [`shrinking: ${done} of ${of} failures done`]),
    stop() {
      if (isLine) io.note('\r\u001b[K');
    },
  };
}
