/** The progress of `client`: a line that is rewritten on a terminal, and one now and then in a log. */
import type { ClientProgress } from './run-client.js';
import { formatDuration } from '../../report/formatting.js';
import type { Io } from '../../cli/io.js';
import { fitted } from '../../cli/progress-line.js';

const REDRAW_MS = 80;
const LOG_LINE_MS = 10_000;

export function createClientProgress(io: Io): {
  readonly show: (progress: ClientProgress) => void;
  stop(): void;
} {
  const isLine = io.errIsTerminal && io.env['TERM'] !== 'dumb';
  const beganMs = io.monotonicMs();
  let shownMs = isLine ? 0 : beganMs;
  let isDrawn = false;
  return {
    show({ done, of, running, violated }) {
      const nowMs = io.monotonicMs();
      if (nowMs - shownMs < (isLine ? REDRAW_MS : LOG_LINE_MS)) return;
      shownMs = nowMs;
      const parts = [
        `${done}/${of} conditions`,
        formatDuration(nowMs - beganMs),
        ...(violated > 0 ? [`violated in ${violated}`] : []),
        running.join(', '),
      ];
      if (!isLine) return io.note(`${parts.join('  ')}\n`);
      isDrawn = true;
      io.note(`\r\u001b[K${fitted(of === 0 ? 0 : done / of, parts, io.columns)}`);
    },
    stop() {
      if (isDrawn) io.note('\r\u001b[K');
      isDrawn = false;
    },
  };
}
