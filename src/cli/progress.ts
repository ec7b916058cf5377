import type { RunProgress } from '../target/port.js';
import { escapeControls } from '../report/escape.js';
import { formatDuration } from '../report/formatting.js';
import type { Io } from './io.js';

const HEARTBEAT_MS = 10_000;
const REDRAW_MS = 80;
const BAR_WIDTH = 24;
/** Running scripts named in a line of a log. */
const NAMES_MAX = 4;

export interface ProgressDisplay {
  readonly onProgress: (progress: RunProgress) => void;
  stop(): void;
}

/** A bar on a terminal, a line every ten seconds in a log, or nothing. */
export function createProgress(mode: 'auto' | 'plain' | 'none', quiet: boolean, io: Io): ProgressDisplay {
  if (mode === 'none' || quiet) return { onProgress: () => {}, stop: () => {} };
  const isBar = mode === 'auto' && io.errIsTerminal && io.env['TERM'] !== 'dumb';
  const startMs = io.monotonicMs();
  const open = new Map<number, string>();
  let latest: RunProgress | null = null;
  let drawnMs = 0;
  let stopped = false;

  const counts = (): string => `${latest?.ended ?? 0}/${latest?.total ?? 0} scripts`;
  const took = (): string => formatDuration(io.monotonicMs() - startMs);
  const running = (): string => {
    const names = [...open.values()].map(escapeControls);
    const more = names.length - NAMES_MAX;
    return `${names.slice(0, NAMES_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  };
  const draw = (): void => {
    const done =
      latest === null || latest.total === 0 ? 0 : Math.floor((latest.ended * BAR_WIDTH) / latest.total);
    const bar = '█'.repeat(done) + '░'.repeat(BAR_WIDTH - done);
    const newest = [...open.values()].at(-1) ?? '';
    drawnMs = io.monotonicMs();
    io.err(`\r\u001b[K${bar} ${counts()}  ${took()}  ${escapeControls(newest).slice(0, 40)}`);
  };
  const beat = (): void => {
    if (isBar) draw();
    else io.err(`… ${counts()} after ${took()}, running: ${running()}\n`);
  };

  const timer = setInterval(beat, isBar ? 500 : HEARTBEAT_MS);
  timer.unref();
  return {
    onProgress(progress) {
      latest = progress;
      if (progress.kind === 'script-started') open.set(progress.script, progress.scenario);
      else open.delete(progress.script);
      if (isBar && io.monotonicMs() - drawnMs >= REDRAW_MS) draw();
    },
    stop() {
      if (stopped) return;
      stopped = true;
      clearInterval(timer);
      if (isBar) io.err('\r\u001b[K');
    },
  };
}
