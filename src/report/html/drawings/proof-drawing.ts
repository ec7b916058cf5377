/** The drawing of a contradiction: a lane for each job with its observations, below them the contradicting bounds. */
import { exactDuration } from '../../../util/duration.js';
import { JOB_STATUSES } from '../../../spec/states.js';
import type { HistoryEvent } from '../../../history/events.js';
import type { ContradictionInNumber } from '../../../oracle/proof/contradiction.js';
import { cut } from '../../client/words.js';
import { truncated } from '../../escape.js';
import type { ReportFailure } from '../../report.js';
import { h, type Markup } from '../markup.js';
import { drawnBounds, type Chains, type PlacedBound } from './proof-chains.js';
import type { Lane, CallMark, Segment } from './proof-lanes.js';
import { proofParts } from './proof-parts.js';
import { figure } from './figure.js';
import { AXIS_HEIGHT, CHARACTER_WIDTH, scale, ticks, TIME_CAPTION } from './scale.js';

const WIDTH = 860;
const LEFT = 130;
const RIGHT = 14;
const ROW_HEIGHT = 18;
const STATE_HEIGHT = 14;
const LANE_GAP = 10;
const BOLD_WIDTH = 7.6;
/** Null if there is too much to draw, or nothing. */
export function proofDrawing(failure: ReportFailure, history: readonly HistoryEvent[]): Markup | null {
  const parts = proofParts(failure, history);
  if (parts === null) return null;
  const { contradiction } = failure;
  const { lanes, chains, instants } = parts;
  const along = scale(instants, WIDTH - LEFT - RIGHT);
  const x = (ms: number): number => LEFT + along(ms);
  const drawn: Markup[] = [];
  let y = AXIS_HEIGHT + 4;
  for (const lane of lanes) {
    const { markup, height } = drawLane(lane, x, y);
    drawn.push(markup);
    y += height + LANE_GAP;
  }
  const bounds = chains === null ? null : drawChains(chains, x, y);
  const height = y + (bounds?.height ?? 0) + 4;
  const numbers = contradiction?.kind === 'number' ? sumTable(contradiction) : h``;
  const text = accessibleText(failure, lanes);
  return h`${figure(
    { kind: 'proofs', width: WIDTH, height, text, caption: caption(failure) },
    ticks(instants, x, { width: WIDTH, bottom: height }),
    drawn,
    bounds?.markup ?? h``,
  )}${numbers}`;
}

function caption({ contradiction, shrunk }: ReportFailure): string {
  const alone =
    shrunk === null || shrunk === undefined
      ? ''
      : ` ${shrunk.calls.length} of ${shrunk.of} calls ${shrunk.calls.length === 1 ? 'proves' : 'prove'} it.`;
  const sums =
    contradiction?.kind === 'time'
      ? ' Below the calls: upper and lower bounds between events; the red part is the gap between them.'
      : '';
  return `${TIME_CAPTION}${alone}${sums}`;
}

function accessibleText({ proof }: ReportFailure, lanes: readonly Lane[]): string {
  const seen = lanes.map(({ name, marks }) => `${name}: ${marks.map(({ text }) => text).join(', ')}`);
  return [...seen, ...proof.slice(-1)].join('; ');
}

function drawLane(lane: Lane, x: (ms: number) => number, top: number): { markup: Markup; height: number } {
  const rows: number[] = [];
  const marks = lane.marks.map((mark) => {
    const at = labelAt(mark, x);
    // The first row with room.
    const row = rows.findIndex((freeFrom) => freeFrom < at.left);
    const own = row === -1 ? rows.length : row;
    rows[own] = at.right + 8;
    return drawMark(mark, at, x, top + STATE_HEIGHT + own * ROW_HEIGHT);
  });
  const height = STATE_HEIGHT + Math.max(1, rows.length) * ROW_HEIGHT;
  const markup = h`<g class="lane"><rect class="ground" x="0" y="${top - 2}" width="${WIDTH}" height="${height + 4}" rx="4" />
<text class="name" x="6" y="${top + 11}">${truncated(lane.name, 17)}</text>
${lane.segments.map((segment) => drawSegment(segment, x, top))}${marks}</g>`;
  return { markup, height };
}

interface LabelPlace {
  readonly left: number;
  readonly right: number;
  readonly anchor: 'start' | 'end';
  readonly words: string;
}

/** Right of the mark, or left of it if there is no room; cut where neither side has any. */
function labelAt({ fromMs, toMs, text }: CallMark, x: (ms: number) => number): LabelPlace {
  const [from, to] = [x(fromMs), Math.max(x(toMs), x(fromMs) + 4)];
  const [after, before] = [WIDTH - to - 6, from - 6];
  const words = cut(truncated(text, 60), Math.floor(Math.max(after, before) / CHARACTER_WIDTH));
  const width = words.length * CHARACTER_WIDTH;
  if (width <= after) return { left: from - 2, right: to + 6 + width, anchor: 'start', words };
  return { left: from - 6 - width, right: to + 2, anchor: 'end', words };
}

function drawMark(
  { fromMs, toMs, title, kind, isLast }: CallMark,
  { anchor, words }: LabelPlace,
  x: (ms: number) => number,
  y: number,
): Markup {
  const from = x(fromMs);
  const width = Math.max(x(toMs) - from, 4);
  const labelX = anchor === 'start' ? from + width + 4 : from - 6;
  return h`<g class="${isLast ? 'call involved' : 'call'}"><title>${title}</title>
<rect class="${kind}" x="${(from - 2).toFixed(1)}" y="${y + 3}" width="${width.toFixed(1)}" height="${ROW_HEIGHT - 6}" rx="2" />
<text x="${labelX.toFixed(1)}" y="${y + 13}" text-anchor="${anchor}">${words}</text></g>`;
}

const STATES: ReadonlySet<string> = new Set([...JOB_STATUSES, 'gone']);

/** A known state; hollow if it lies between two states. */
export function drawSegment(
  { fromMs, toMs, from, to }: Segment,
  x: (ms: number) => number,
  y: number,
): Markup {
  const [left, right] = [x(fromMs), x(toMs)];
  // Calls at one instant have an order but no width.
  if (right - left < 2) return h``;
  const known = from === to && STATES.has(from);
  const words = truncated(from === to ? from : `${from} → ${to}`, 60);
  const room = right - left > words.length * CHARACTER_WIDTH;
  return h`<rect class="${known ? `state ${from.toLowerCase()}` : 'state unknown'}" x="${left.toFixed(1)}" y="${y}" width="${Math.max(right - left, 1).toFixed(1)}" height="${STATE_HEIGHT - 3}"><title>${words}</title></rect>${
    room
      ? h`<text class="in" x="${((left + right) / 2).toFixed(1)}" y="${y + 9}" text-anchor="middle">${words}</text>`
      : h``
  }`;
}

function drawChains(
  chains: Chains,
  x: (ms: number) => number,
  top: number,
): { markup: Markup; height: number } {
  const { mostMs, leastMs, verdict } = chains;
  const rows = drawnBounds(chains);
  const height = (rows.length + 1) * ROW_HEIGHT + 4;
  const [left, right] = [x(mostMs), x(leastMs)];
  const over = exactDuration(leastMs - mostMs);
  const width = Math.max(right - left, 2);
  const words = `${over} ${verdict}`;
  const half = (words.length * BOLD_WIDTH) / 2;
  const middle = Math.min(Math.max((left + right) / 2, LEFT + half), WIDTH - half);
  const markup = h`<g class="bounds"><rect class="gap" x="${left.toFixed(1)}" y="${AXIS_HEIGHT}" width="${width.toFixed(1)}" height="${top + height - AXIS_HEIGHT}" />
${rows.map((row, index) => drawBound(row, x, top + index * ROW_HEIGHT))}
<text class="over" x="${middle.toFixed(1)}" y="${top + height - 6}" text-anchor="middle">${words}</text></g>`;
  return { markup, height };
}

function drawBound({ bound, fromMs, toMs }: PlacedBound, x: (ms: number) => number, y: number): Markup {
  const [left, right] = [Math.min(x(fromMs), x(toMs)), Math.max(x(fromMs), x(toMs))];
  const middle = y + ROW_HEIGHT / 2;
  const words = truncated(`${exactDuration(bound.ms)} ${bound.why}`, 70);
  const width = words.length * CHARACTER_WIDTH;
  const after = right + 6 + width <= WIDTH;
  const before = left - 6 - width >= LEFT;
  const [textX, anchor]: readonly [number, 'start' | 'middle' | 'end'] = after
    ? [right + 6, 'start']
    : before
      ? [left - 6, 'end']
      : [Math.max(LEFT + width / 2, Math.min((left + right) / 2, WIDTH - width / 2)), 'middle'];
  const kind = bound.requirement !== null ? 'rule' : bound.call !== null ? 'observed' : 'allowed';
  return h`<g class="bound ${kind}"><title>${bound.from} → ${bound.to}: ${bound.limit} ${bound.ms} ms, ${bound.requirement ?? bound.why}</title>
<text class="name" x="6" y="${middle + 4}">${bound.limit === 'at-most' ? 'at most' : 'at least'}</text>
<path d="M${left.toFixed(1)} ${middle - 4}V${middle + 4}M${left.toFixed(1)} ${middle}H${right.toFixed(1)}M${right.toFixed(1)} ${middle - 4}V${middle + 4}" />
${anchor === 'middle' ? h`<rect class="behind" x="${(textX - width / 2 - 4).toFixed(1)}" y="${y + 1}" width="${(width + 8).toFixed(1)}" height="${ROW_HEIGHT - 2}" />` : h``}
<text x="${textX.toFixed(1)}" y="${middle + 4}" text-anchor="${anchor}">${words}</text></g>`;
}

/** What each part contributes, and the sum. */
function sumTable({ of, told, least, most, parts }: ContradictionInNumber): Markup {
  const rows = parts.filter((part) => part.most > 0);
  const span = (from: number, to: number): string => (from === to ? `${from}` : `${from} to ${to}`);
  return h`<div class="scroll"><table class="sum"><thead><tr><th scope="col">${of}</th><th scope="col" class="number">counts for</th></tr></thead><tbody>
${rows.map((part) => h`<tr><td>${part.what}</td><td class="number">${span(part.least, part.most)}</td></tr>`)}
<tr><th scope="row">together</th><td class="number">${span(least, most)}</td></tr>
<tr class="hit"><th scope="row">reported</th><td class="number"><b>${told}</b></td></tr></tbody></table></div>`;
}
