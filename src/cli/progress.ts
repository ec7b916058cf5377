import { escapeControls } from '../report/escape.js';
import { formatDuration } from '../report/formatting.js';
import type { CheckPhase } from '../judging/conclude.js';
import type { RunProgress } from '../target/port.js';
import type { Io } from './io.js';
import { fitted, leftAtPace, roughly } from './progress-line.js';

/** In a log: a dot, so that a reader sees that it goes on. */
const DOT_MS = 1_000;
/** The last of so many dots is a line that says where it stands. */
const DOTS_OF_A_LINE = 20;
const REDRAW_MS = 80;
/** Running scripts named in a line of a log. */
const NAMES_MAX = 4;
/** Before so much has run, no time that is left is named. */
const TELLING_SHARE = 0.05;

export interface ProgressDisplay {
  readonly onProgress: (progress: RunProgress) => void;
  /** All scripts have ended, and this is done with what they recorded; null: the scripts begin. */
  readonly onPhase: (phase: CheckPhase | null, decided: number | null) => void;
  /** The share of files that has been read, 0 to 1. It is shown at once: who reads keeps timers waiting. */
  readonly onRead: (share: number) => void;
  /** Prints a line without spoiling the display. */
  readonly print: (line: string) => void;
  stop(): void;
}

/**
 * A bar on a terminal, dots in a log, with a line every 20 s, or nothing.
 *
 * @param estimatedMs how long the scripts take in real time; null if that is unknown
 * @param before what is done before the scripts run; null if they do
 */
export function createProgress(
  mode: 'auto' | 'plain' | 'none',
  estimatedMs: number | null,
  io: Io,
  before: string | null = null,
): ProgressDisplay {
  const print = (line: string): void => io.note(`${line}\n`);
  if (mode === 'none') return { onProgress() {}, onPhase() {}, onRead() {}, print, stop() {} };
  const isBar = mode === 'auto' && io.errIsTerminal && io.env['TERM'] !== 'dumb';
  const open = new Map<number, string>();
  let startMs = io.monotonicMs();
  let phase = before;
  let decided: number | null = null;
  let latest: RunProgress | null = null;
  let read: number | null = null;
  let drawnMs = 0;
  let dots = 0;
  let stopped = false;

  const share = (): number => (latest === null || latest.total === 0 ? 0 : latest.ended / latest.total);
  const leftMs = (tookMs: number): number | null => {
    if (estimatedMs !== null) return tookMs < estimatedMs ? estimatedMs - tookMs : null;
    const done = share();
    return done < TELLING_SHARE ? null : leftAtPace(tookMs, done);
  };
  const running = (): string => {
    const names = [...open.values()].map(escapeControls);
    const more = names.length - NAMES_MAX;
    return `${names.slice(0, NAMES_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  };
  /** What is going on, for how long, and how much longer, or what has been decided. */
  const state = (): { readonly what: string; readonly took: string; readonly more: string | null } => {
    const tookMs = io.monotonicMs() - startMs;
    const share = read === null ? '' : `, ${Math.floor(read * 100)} % read`;
    const what = phase === null ? `${latest?.ended ?? 0}/${latest?.total ?? 0} scripts` : phase + share;
    const took = formatDuration(tookMs);
    if (phase !== null)
      return { what, took, more: decided === null ? null : `${decided} requirements decided` };
    const left = leftMs(tookMs);
    return { what, took, more: left === null ? null : `${roughly(left)} left` };
  };
  const clear = (): void => {
    if (isBar) io.note('\r\u001b[K');
    else if (dots > 0) io.note('\n');
    dots = 0;
  };
  const draw = (): void => {
    const { what, took, more } = state();
    drawnMs = io.monotonicMs();
    const newest = escapeControls([...open.values()].at(-1) ?? '');
    const parts = [what, took, ...(more === null ? [] : [more]), ...(newest === '' ? [] : [newest])];
    io.note(`\r\u001b[K${fitted(phase === null ? share() : null, parts, io.columns)}`);
  };
  const beat = (): void => {
    if (isBar) return draw();
    drawnMs = io.monotonicMs();
    dots += 1;
    if (dots < DOTS_OF_A_LINE) return io.note('.');
    dots = 0;
    const { what, took, more } = state();
    const rest = [...(more === null ? [] : [more]), ...(open.size === 0 ? [] : [`running: ${running()}`])];
    print(` ${what} ${phase === null ? 'after' : 'for'} ${took}${rest.map((part) => `, ${part}`).join('')}`);
  };

  const timer = setInterval(beat, isBar ? 500 : DOT_MS);
  timer.unref();
  return {
    onProgress(progress) {
      latest = progress;
      if (progress.kind === 'script-started') open.set(progress.script, progress.scenario);
      else open.delete(progress.script);
      if (isBar && io.monotonicMs() - drawnMs >= REDRAW_MS) draw();
    },
    onPhase(next, decidedSoFar) {
      if (next !== phase) startMs = io.monotonicMs();
      phase = next;
      decided = decidedSoFar;
      open.clear();
      if (isBar) draw();
    },
    onRead(share) {
      read = share < 1 ? share : null;
      if (io.monotonicMs() - Math.max(drawnMs, startMs) >= (isBar ? REDRAW_MS : DOT_MS)) beat();
    },
    print(line) {
      clear();
      print(line);
    },
    stop() {
      if (stopped) return;
      stopped = true;
      clearInterval(timer);
      clear();
    },
  };
}
