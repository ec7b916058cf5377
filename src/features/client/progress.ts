/** The progress of `client`: a line that is rewritten on a terminal, and one now and then in a log. */
import type { ClientProgress } from './run-client.js';
import { formatDuration } from '../../report/formatting.js';
import type { Io } from '../../cli/io.js';
import { fitted } from '../../cli/progress-line.js';

const REDRAW_MS = 80;
const LOG_LINE_MS = 9_000;
/** A condition may take long, and nothing changes meanwhile. */
const TICK_MS = 1_000;

export function createClientProgress(io: Io): {
  readonly show: (progress: ClientProgress) => void;
  stop(): void;
} {
  const isLine = io.errIsTerminal && io.env['TERM'] !== 'dumb';
  const beganMs = io.monotonicMs();
  let shownMs = isLine ? 0 : beganMs;
  let isDrawn = false;
  let last: ClientProgress | null = null;
  let toldMs = beganMs;
  const draw = ({ done, of, running, leftAtMostMs, violated }: ClientProgress): void => {
    const nowMs = io.monotonicMs();
    if (nowMs - shownMs < (isLine ? REDRAW_MS : LOG_LINE_MS)) return;
    shownMs = nowMs;
    // Conditions run side by side, and each takes its own time: those that have ended tell nothing of the others.
    const leftMs = leftAtMostMs === null ? 0 : leftAtMostMs - (nowMs - toldMs);
    const parts = [
      `${done}/${of} conditions`,
      formatDuration(nowMs - beganMs),
      ...(leftMs > 0 ? [`at most ${formatDuration(Math.ceil(leftMs / 1_000) * 1_000)} left`] : []),
      ...(violated > 0 ? [`violated in ${violated}`] : []),
      running.join(', '),
    ];
    if (!isLine) return io.note(`${parts.join('  ')}\n`);
    isDrawn = true;
    io.note(`\r\u001b[K${fitted(of === 0 ? 0 : done / of, parts, io.columns)}`);
  };
  const ticks = setInterval(() => last !== null && draw(last), TICK_MS).unref();
  return {
    show(progress) {
      last = progress;
      toldMs = io.monotonicMs();
      draw(progress);
    },
    stop() {
      clearInterval(ticks);
      if (isDrawn) io.note('\r\u001b[K');
      isDrawn = false;
    },
  };
}
