/** A small picture of a failure's calls: one row a call, a bar from sent to received, time from left to right. */
import type { CallEvent, HistoryEvent } from '../../history/events.js';
import { callInWords, replyInWords } from '../curl.js';
import type { ReportFailure } from '../report.js';
import { instantInWords } from '../words.js';
import { clipped } from '../escape.js';
import { h, type Markup } from './markup.js';

const ROWS_MAX = 24;
const WIDTH = 860;
const LABEL_WIDTH = 250;
const REPLY_WIDTH = 150;
const ROW_HEIGHT = 20;
const AXIS_HEIGHT = 22;

/**
 * Waits of a day stand beside waits of a millisecond, so the gap between two instants is drawn as the
 * logarithm of its length: the order is true, and every instant is labelled with its time.
 */
export function scale(times: readonly number[], width: number): (timeMs: number) => number {
  const instants = [...new Set(times)].sort((a, b) => a - b);
  const places = new Map<number, number>();
  let at = 0;
  instants.forEach((instant, index) => {
    const gap = index === 0 ? 0 : instant - (instants[index - 1] ?? instant);
    at += index === 0 ? 0 : Math.log2(2 + gap);
    places.set(instant, at);
  });
  return (timeMs) => (at === 0 ? 0 : ((places.get(timeMs) ?? 0) / at) * width);
}

function endOf(call: CallEvent): number {
  return call.receivedMs ?? call.sentMs;
}

/** The calls of the failure and, for context, the others of its script that lie nearest before them. */
function rowsOf(
  history: readonly HistoryEvent[],
  script: number | null,
  involved: readonly number[],
): CallEvent[] {
  const numbers = new Set(involved.slice(-ROWS_MAX));
  const calls = history.filter((event) => event.kind === 'call');
  const last = Math.max(-1, ...involved);
  const others = calls
    .filter((call) => call.script === script && call.call <= last && !numbers.has(call.call))
    .slice(-Math.max(ROWS_MAX - numbers.size, 0));
  const shown = calls.filter(({ call }) => numbers.has(call));
  // `slice(-0)` keeps everything.
  return [...shown, ...(numbers.size < ROWS_MAX ? others : [])].sort(
    (a, b) => a.sentMs - b.sentMs || a.call - b.call,
  );
}

function ticks(rows: readonly CallEvent[], x: (timeMs: number) => number, originMs: number): Markup[] {
  const instants = [...new Set(rows.flatMap((call) => [call.sentMs, endOf(call)]))].sort((a, b) => a - b);
  const bottom = AXIS_HEIGHT + rows.length * ROW_HEIGHT;
  const labels: Markup[] = [];
  let freeFrom = -1;
  for (const instant of instants) {
    const at = LABEL_WIDTH + x(instant);
    labels.push(
      h`<line class="tick" x1="${at.toFixed(1)}" x2="${at.toFixed(1)}" y1="${AXIS_HEIGHT - 4}" y2="${bottom}" />`,
    );
    if (at < freeFrom) continue;
    const text = instantInWords(instant - originMs);
    labels.push(h`<text class="when" x="${at.toFixed(1)}" y="12" text-anchor="middle">${text}</text>`);
    freeFrom = at + text.length * 7 + 8;
  }
  return labels;
}

/** Null when none of the calls is in the history. */
export function timeAxis(
  history: readonly HistoryEvent[],
  script: number | null,
  { calls: involved, originMs = 0 }: Pick<ReportFailure, 'calls' | 'originMs'>,
): Markup | null {
  const rows = rowsOf(history, script, involved);
  if (rows.length === 0) return null;
  const x = scale(
    rows.flatMap((call) => [call.sentMs, endOf(call)]),
    WIDTH - LABEL_WIDTH - REPLY_WIDTH - 12,
  );
  const height = AXIS_HEIGHT + rows.length * ROW_HEIGHT + 6;
  const summary = rows.filter(({ call }) => involved.includes(call)).map((call) => callInWords(call));
  return h`<figure class="axis"><svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${`Calls in time: ${summary.join('; ')}`}">
${ticks(rows, x, originMs)}
${rows.map((call, index) => row(call, index, involved.includes(call.call), x))}
</svg><figcaption>Time of the target's clock from left to right; gaps are drawn to a logarithmic scale. Bold: the calls that contradict each other.</figcaption></figure>`;
}

function row(call: CallEvent, index: number, isInvolved: boolean, x: (timeMs: number) => number): Markup {
  const y = AXIS_HEIGHT + index * ROW_HEIGHT;
  const from = LABEL_WIDTH + x(call.sentMs);
  const to = LABEL_WIDTH + x(endOf(call));
  const width = Math.max(to - from, 4);
  const name = clipped(
    `#${call.call} ${call.op ?? call.request.path}${call.label === null ? '' : ` ${call.label}`}`,
    34,
  );
  const kind = call.reply === null ? 'lost' : call.reply.status < 400 ? 'good' : 'bad';
  return h`<g class="${isInvolved ? 'call involved' : 'call'}"><title>${callInWords(call)}, sent ${call.sentMs} ms, received ${call.receivedMs ?? 'never'}</title>
<text x="${LABEL_WIDTH - 12}" y="${y + 14}" text-anchor="end">${name}</text>
<rect class="${kind}" x="${(from - 2).toFixed(1)}" y="${y + 4}" width="${width.toFixed(1)}" height="${ROW_HEIGHT - 8}" rx="2" />
<text x="${(from + width + 6).toFixed(1)}" y="${y + 14}">${clipped(replyInWords(call), 20)}</text></g>`;
}
