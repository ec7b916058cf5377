/** The drawing of a contradiction in characters: a lane for each job with its calls, below it the bounds. */
import type { HistoryEvent } from '../history/events.js';
import { exactDuration } from '../util/duration.js';
import { cut } from './client/words.js';
import { truncated } from './escape.js';
import { drawnBounds, type Chains } from './html/drawings/proof-chains.js';
import type { CallMark, Lane } from './html/drawings/proof-lanes.js';
import { proofParts } from './html/drawings/proof-parts.js';
import { scale } from './html/drawings/scale.js';
import type { ReportFailure } from './report.js';

/** Columns for the names of lanes and of bounds. */
const NAME_COLUMNS = 10;
const WORDS_MAX = 60;

/** The column of an instant. */
type Place = (ms: number) => number;

/**
 * Lines of at most so many columns, the last of them the gap between the bounds; null if there is too much to
 * draw, or the contradiction is not one of times.
 */
export function proofText(
  failure: ReportFailure,
  history: readonly HistoryEvent[],
  columns: number,
): readonly string[] | null {
  const parts = proofParts(failure, history);
  if (parts === null || parts.chains === null) return null;
  const { lanes, chains, instants } = parts;
  const along = scale(instants, columns - NAME_COLUMNS - 1);
  const x: Place = (ms) => NAME_COLUMNS + Math.round(along(ms));
  return [
    axis(instants, x, columns),
    ...lanes.flatMap((lane) => laneLines(lane, x, columns)),
    ...drawnBounds(chains).map(({ bound, fromMs, toMs }) => {
      const name = bound.limit === 'at-most' ? 'at most' : 'at least';
      const [from, to] = [Math.min(x(fromMs), x(toMs)), Math.max(x(fromMs), x(toMs))];
      return line(name, bar(from, to, `${exactDuration(bound.ms)} ${bound.why}`, columns));
    }),
    gapLine(chains, x, columns),
  ];
}

/** The times, as many as there is room for. */
function axis(instants: readonly number[], x: Place, columns: number): string {
  let text = '';
  for (const instant of [...new Set(instants)].sort((a, b) => a - b)) {
    const words = exactDuration(instant);
    const at = Math.min(x(instant), columns - words.length);
    if (at > text.length + 1 || text === '') text = text.padEnd(at) + words;
  }
  return text;
}

/** The states in one line, the calls below it. Calls at one instant have an order but no width. */
function laneLines({ name, segments, marks }: Lane, x: Place, columns: number): readonly string[] {
  let states = '';
  for (const { fromMs, toMs, from, to } of segments) {
    const [begin, end] = [x(fromMs), x(toMs)];
    if (end === begin) continue;
    const words = from === to ? from : `${from} → ${to}`;
    const drawn = filled(end - begin - 1, words) ?? '─'.repeat(end - begin - 1);
    states = `${states.slice(0, begin).padEnd(begin)}├${drawn}┤`;
  }
  return [line(name, states), ...marks.map((mark) => line('', markText(mark, x, columns)))];
}

/** `▲ #17 status → 404` from the column of the mark on, or up to it; cut where neither side has room. */
function markText({ fromMs, text: said, isLast }: CallMark, x: Place, columns: number): string {
  const at = x(fromMs);
  const cross = isLast ? ' ✘' : '';
  const [after, before] = [columns - at - 2, at - 1 - NAME_COLUMNS];
  const room = Math.max(after, before) - cross.length;
  const words = `${cut(truncated(said, WORDS_MAX), room)}${cross}`;
  return words.length <= after ? `${' '.repeat(at)}▲ ${words}` : `${words} ▲`.padStart(at + 1);
}

/** `── words ──`, or null if it is too short for them. */
function filled(columns: number, words: string, dash = '─'): string | null {
  const dashes = columns - words.length - 2;
  if (dashes < 2) return null;
  const left = Math.floor(dashes / 2);
  return `${dash.repeat(left)} ${words} ${dash.repeat(dashes - left)}`;
}

/** `├─── words ───┤`, with the words beside it where it is too short for them, cut where nothing has room. */
function bar(from: number, to: number, given: string, columns: number): string {
  const words = truncated(given, WORDS_MAX);
  const inner = Math.max(0, to - from - 1);
  const inside = filled(inner, words);
  if (inside !== null) return `${' '.repeat(from)}├${inside}┤`;
  const drawn = to === from ? '│' : `├${'─'.repeat(inner)}┤`;
  if (to + 2 + words.length <= columns) return `${' '.repeat(from)}${drawn} ${words}`;
  if (NAME_COLUMNS + words.length < from) return `${words.padStart(from - 1)} ${drawn}`;
  const cut = filled(inner, truncated(words, Math.max(1, inner - 4)));
  return `${' '.repeat(from)}├${cut ?? '─'.repeat(inner)}┤`;
}

function gapLine({ mostMs, leastMs, verdict }: Chains, x: Place, columns: number): string {
  const [from, to] = [x(mostMs), x(leastMs)];
  const words = `${exactDuration(leastMs - mostMs)} ${verdict}`;
  const wide = Math.max(1, to - from + 1);
  if (to + 2 + words.length <= columns) return `${' '.repeat(from)}${'█'.repeat(wide)} ${words}`;
  if (words.length < from) return `${words.padStart(from - 1)} ${'█'.repeat(wide)}`;
  return `${' '.repeat(from)}${filled(wide, words, '█') ?? '█'.repeat(wide)}`;
}

/** The name takes columns that the drawing leaves empty. */
const line = (name: string, drawing: string): string =>
  `${truncated(name, NAME_COLUMNS - 1).padEnd(NAME_COLUMNS)}${drawing.slice(NAME_COLUMNS)}`.trimEnd();
