import type { ExplorationSummary } from '../explore/index.js';
import type { Io } from './io.js';

const HEARTBEAT_MS = 10_000;
const REDRAW_MS = 500;

/** A line that is redrawn on a terminal, a line every ten seconds in a log, or nothing. */
export function createExploreProgress(
  mode: 'auto' | 'plain' | 'none',
  summary: () => ExplorationSummary,
  io: Io,
): { draw(): void; stop(): void } {
  if (mode === 'none') return { draw() {}, stop() {} };
  const isLine = mode === 'auto' && io.errIsTerminal && io.env['TERM'] !== 'dumb';
  const everyMs = isLine ? REDRAW_MS : HEARTBEAT_MS;
  const startMs = io.monotonicMs();
  let drawnMs = startMs;
  return {
    draw() {
      const nowMs = io.monotonicMs();
      if (nowMs - drawnMs < everyMs) return;
      drawnMs = nowMs;
      const line = progressText(summary(), nowMs - startMs);
      io.err(isLine ? `\r\u001b[K${line}` : `… ${line}\n`);
    },
    stop() {
      if (isLine) io.err('\r\u001b[K');
    },
  };
}

function progressText(
  { runs, pairs, goals, decided, breachCounts }: ExplorationSummary,
  forMs: number,
): string {
  const perSecond = Math.round((runs * 1_000) / Math.max(1, forMs));
  const broken = Object.keys(breachCounts).length;
  return [
    `${runs} runs`,
    `${perSecond}/s`,
    `pairs ${pairs.reached}/${pairs.of}`,
    `goals ${goals.reached}/${goals.of}`,
    `${decided.length} requirements decided`,
    `${broken} broken`,
  ].join('  ');
}
