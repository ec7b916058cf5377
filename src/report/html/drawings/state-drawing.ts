/** Draws the states of a job and the transitions between them. */
import { pluralize } from '../../formatting.js';
import { at } from './figure.js';
import {
  countOf,
  wordsOf,
  type DrawnState,
  type Edge,
  type Lifecycle,
  type State,
} from './lifecycle-edges.js';
import { h, type Markup } from '../markup.js';

export const WIDTH = 860;
const BOX_WIDTH = 112;
const BOX_HEIGHT = 36;
/** Space for each line that begins or ends at a state. */
const PORT = 27;
const GAP = 16;
/** Left edges of the three columns: jobs that wait and run, jobs that ended, jobs that are gone. */
const [LIVE_X, ENDED_X, GONE_X] = [12, 474, WIDTH - BOX_WIDTH - 4];
/** Where the lines become straight, with their words above them. */
const WORDS_X = 232;
const TOP = 62;
const LANE_Y = 26;

/** In an order in which few lines cross. */
const ENDED: readonly DrawnState[] = ['FAILED', 'TIMED_OUT', 'CANCELLED', 'COMPLETED'];
const LIVE: readonly DrawnState[] = ['IN_QUEUE', 'IN_PROGRESS'];

interface Box {
  readonly x: number;
  readonly y: number;
  readonly height: number;
}

export interface StateDrawing {
  readonly height: number;
  readonly parts: readonly Markup[];
}

/** @param hasLinks whether a click on a part leads to its requirements in the page */
export function drawStates({ edges, states }: Lifecycle, hasLinks: boolean): StateDrawing {
  const ports = portsOf(edges);
  const boxes = boxesOf(ports);
  const height = boxes.get('COMPLETED')!.y + boxes.get('COMPLETED')!.height + 40;
  const part = (kind: string, { ids, failed, mark }: Edge | State, title: string, drawn: Markup): Markup => {
    const inside = h`<title>${title}${countOf(ids, failed)}</title>${drawn}`;
    return hasLinks
      ? h`<a class="${kind} ${mark}" href="${hrefOf(ids)}">${inside}</a>`
      : h`<g class="${kind} ${mark}">${inside}</g>`;
  };
  return {
    height,
    parts: [
      h`<circle cx="34" cy="${LANE_Y + 4}" r="4" /><path d="M34 ${LANE_Y + 4}V${at(boxes.get('IN_QUEUE')!.y)}" />${arrow(34, boxes.get('IN_QUEUE')!.y, 0, 1)}<text x="12" y="14">/run, /runsync</text>`,
      ...edges.map((edge) => {
        const { from, to, by, seen } = edge;
        const times = seen === null ? 'never seen' : pluralize(seen.times, 'time');
        const drawn = drawEdge(edge, ports.get(edge) ?? 0, boxes, ports, height);
        return part('edge', edge, `${from} → ${to} by ${by}: ${times}; `, drawn);
      }),
      ...states.flatMap((state) => {
        const box = boxes.get(state.name);
        return box === undefined ? [] : part('state', state, `${state.name}: `, drawState(state, box));
      }),
    ],
  };
}

const isLive = (state: DrawnState): boolean => LIVE.includes(state);

/** The height at which each line meets the state that ended; 0 for lines that meet none. */
function portsOf(edges: readonly Edge[]): ReadonlyMap<Edge, number> {
  const ports = new Map<Edge, number>();
  let y = TOP;
  for (const state of ENDED) {
    const own = edges
      .filter(({ from, to }) => (from === state && isLive(to)) || (to === state && isLive(from)))
      .sort((left, right) => rank(left) - rank(right));
    const height = Math.max(BOX_HEIGHT, own.length * PORT);
    own.forEach((edge, index) => ports.set(edge, y + (height * (index + 0.5)) / own.length + 4));
    y += height + GAP;
  }
  return ports;
}

/** Lines to and from the queue are above those from the workers. */
const rank = ({ from, to }: Edge): number => (from === 'IN_PROGRESS' ? 2 : to === 'IN_QUEUE' ? 0 : 1);

function boxesOf(ports: ReadonlyMap<Edge, number>): ReadonlyMap<DrawnState, Box> {
  const boxes = new Map<DrawnState, Box>();
  let y = TOP;
  for (const state of ENDED) {
    const own = [...ports.keys()].filter(({ from, to }) => from === state || to === state);
    const height = Math.max(BOX_HEIGHT, own.length * PORT);
    boxes.set(state, { x: ENDED_X, y, height });
    y += height + GAP;
  }
  boxes.set('IN_QUEUE', { x: LIVE_X, y: TOP + 26, height: 64 });
  boxes.set('IN_PROGRESS', { x: LIVE_X, y: y - GAP - 64, height: 64 });
  // As high as all that have ended, whose lines to it are straight.
  boxes.set('GONE', { x: GONE_X, y: TOP, height: y - GAP - TOP });
  return boxes;
}

function drawState({ name }: State, { x, y, height }: Box): Markup {
  return h`<rect x="${x}" y="${at(y)}" width="${BOX_WIDTH}" height="${at(height)}" rx="6" /><text x="${x + BOX_WIDTH / 2}" y="${at(y + height / 2 + 4)}" text-anchor="middle">${name}</text>`;
}

/** Where a line leaves or reaches a state: lines in order of their other ends. */
function along({ y, height }: Box, edge: Edge, others: readonly Edge[]): number {
  return y + (height * (others.indexOf(edge) + 0.5)) / others.length;
}

function drawEdge(
  edge: Edge,
  port: number,
  boxes: ReadonlyMap<DrawnState, Box>,
  ports: ReadonlyMap<Edge, number>,
  height: number,
): Markup {
  const { from, to } = edge;
  const words = wordsOf(edge);
  const [left, right] = [boxes.get(from), boxes.get(to)];
  if (left === undefined || right === undefined) return h``;
  if (port > 0) {
    const live = isLive(from) ? from : to;
    const all = [...ports.keys()].filter((one) => one.from === live || one.to === live);
    const y = along(boxes.get(live)!, edge, all);
    const x = LIVE_X + BOX_WIDTH;
    const path = `M${x} ${at(y)}C${x + 60} ${at(y)} ${WORDS_X - 70} ${at(port)} ${WORDS_X} ${at(port)}H${ENDED_X}`;
    const head = isLive(to) ? arrow(x, y, -1, 0) : arrow(ENDED_X, port, 1, 0);
    return line(path, head, [[WORDS_X + 2, port - 4, words.join(' · ')]]);
  }
  if (from === 'IN_QUEUE' && to === 'IN_PROGRESS') {
    const [top, bottom] = [left.y + left.height, right.y];
    const path = `M${LIVE_X + 22} ${at(top)}V${at(bottom)}`;
    const y = (top + bottom) / 2 - 10;
    return line(
      path,
      arrow(LIVE_X + 22, bottom, 0, 1),
      words.map((word, index) => [LIVE_X + 30, y + index * 13, word]),
    );
  }
  if (isLive(from)) {
    // Around all others: above them from the queue, below them from the workers.
    const isAbove = from === 'IN_QUEUE';
    const y = isAbove ? LANE_Y : height - 8;
    const start = isAbove ? left.y : left.y + left.height;
    const [x, goneX] = [LIVE_X + 90, GONE_X + BOX_WIDTH / 2];
    const edgeY = isAbove ? right.y : right.y + right.height;
    const path = `M${x} ${at(start)}C${x} ${at(y)} ${x} ${at(y)} ${x + 40} ${at(y)}H${goneX - 40}C${goneX} ${at(y)} ${goneX} ${at(y)} ${goneX} ${at(edgeY)}`;
    return line(path, arrow(goneX, edgeY, 0, isAbove ? 1 : -1), [[WORDS_X + 2, y - 4, words.join(' · ')]]);
  }
  const start = left.y + left.height / 2;
  const [by, ...numbers] = words;
  return line(`M${ENDED_X + BOX_WIDTH} ${at(start)}H${GONE_X}`, arrow(GONE_X, start, 1, 0), [
    [ENDED_X + BOX_WIDTH + 6, start - 4, by!],
    [ENDED_X + BOX_WIDTH + 6, start + 12, numbers.join(' · ')],
  ]);
}

function line(
  path: string,
  head: Markup,
  words: readonly (readonly [x: number, y: number, text: string])[],
): Markup {
  return h`<path class="wide" d="${path}" /><path d="${path}" />${head}${words.map(([x, y, text]) => h`<text x="${x}" y="${at(y)}">${text}</text>`)}`;
}

/** Its tip is here; it points along (dx, dy). */
function arrow(x: number, y: number, dx: number, dy: number): Markup {
  const corner = (side: number): string =>
    `${at(x - 8 * dx + 4 * side * dy)} ${at(y - 8 * dy + 4 * side * dx)}`;
  return h`<path class="head" d="M${at(x)} ${at(y)}L${corner(1)}L${corner(-1)}Z" />`;
}

/** The list of requirements, filtered. */
export const hrefOf = (ids: readonly string[]): string =>
  ids.length === 0 ? '#requirements' : `#requirements?ids=${ids.join('+')}`;
