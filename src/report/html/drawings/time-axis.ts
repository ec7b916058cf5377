/** A drawing of a failure's calls: one row per call, a bar from sent to received, time from left to right. */
import type { CallEvent, HistoryEvent } from '../../../history/events.js';
import { formatCall, formatReply } from '../../curl.js';
import type { ReportFailure } from '../../report.js';
import { truncated } from '../../escape.js';
import { h, type Markup } from '../markup.js';
import { figure } from './figure.js';
import { AXIS_HEIGHT, scale, ticks, TIME_CAPTION } from './scale.js';

const ROWS_MAX = 24;
const WIDTH = 860;
const LABEL_WIDTH = 250;
const REPLY_WIDTH = 150;
const ROW_HEIGHT = 20;

function endOf(call: CallEvent): number {
  return call.receivedMs ?? call.sentMs;
}

/** The calls of the failure and, for context, the calls of its script just before them. */
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

/** Null if none of the calls is in the history. */
export function timeAxis(
  history: readonly HistoryEvent[],
  script: number | null,
  { calls: involved, originMs = 0 }: Pick<ReportFailure, 'calls' | 'originMs'>,
): Markup | null {
  const rows = rowsOf(history, script, involved);
  if (rows.length === 0) return null;
  const instants = rows.flatMap((call) => [call.sentMs, endOf(call)]);
  const along = scale(instants, WIDTH - LABEL_WIDTH - REPLY_WIDTH - 12);
  const x = (timeMs: number): number => LABEL_WIDTH + along(timeMs);
  const bottom = AXIS_HEIGHT + rows.length * ROW_HEIGHT;
  const summary = rows.filter(({ call }) => involved.includes(call)).map((call) => formatCall(call));
  return figure(
    {
      ...{ width: WIDTH, height: bottom + 6, text: `Calls in time: ${summary.join('; ')}` },
      caption: `${TIME_CAPTION} Bold: the calls that contradict each other.`,
    },
    ticks(instants, x, { width: WIDTH, bottom, originMs }),
    rows.map((call, index) => row(call, index, involved.includes(call.call), x)),
  );
}

function row(call: CallEvent, index: number, isInvolved: boolean, x: (timeMs: number) => number): Markup {
  const y = AXIS_HEIGHT + index * ROW_HEIGHT;
  const from = x(call.sentMs);
  const to = x(endOf(call));
  const width = Math.max(to - from, 4);
  const name = truncated(
    `#${call.call} ${call.op ?? call.request.path}${call.label === null ? '' : ` ${call.label}`}`,
    34,
  );
  const kind = call.reply === null ? 'lost' : call.reply.status < 400 ? 'good' : 'bad';
  return h`<g class="${isInvolved ? 'call involved' : 'call'}"><title>${formatCall(call)}, sent ${call.sentMs} ms, received ${call.receivedMs ?? 'never'}</title>
<text x="${LABEL_WIDTH - 12}" y="${y + 14}" text-anchor="end">${name}</text>
<rect class="${kind}" x="${(from - 2).toFixed(1)}" y="${y + 4}" width="${width.toFixed(1)}" height="${ROW_HEIGHT - 8}" rx="2" />
<text x="${(from + width + 6).toFixed(1)}" y="${y + 14}">${truncated(formatReply(call), 20)}</text></g>`;
}
