/** The proof as a cycle: each bound an arrow from instant to instant; the red part is what they contradict each other by. */
import type { Cycle, CycleBound } from '../../report/html/beliefs/page-data.js';
import { exactDuration } from '../../util/duration.js';
import { el, prose, svg } from './dom.js';
import type { Reading } from './reading.js';
import { scaleOf } from './scale.js';

const WIDTH = 800;
const MARGIN = 12;
const ROW = 22;
/** The first row has a time above it. */
const TOP = 18;

/** Draws it into its section, once. @param go shows the call with this number */
export function drawCycle(
  { bounds, mostMs, leastMs, over }: Cycle,
  section: HTMLElement,
  reading: Reading,
  go: (call: number) => void,
): void {
  const along = scaleOf([mostMs, leastMs, ...bounds.flatMap(({ fromMs, toMs }) => [fromMs, toMs])]);
  const x = (ms: number): number => MARGIN + (along(ms) * (WIDTH - 2 * MARGIN)) / 100;
  const height = bounds.length * ROW + TOP - ROW / 2;
  const [left, right] = [x(Math.min(mostMs, leastMs)), x(Math.max(mostMs, leastMs))];
  const told = section.querySelector('output')!;
  const arrows = bounds.map((bound, row) => arrowOf(bound, row, x));
  const show = (at: number | null): void => {
    arrows.forEach((arrow, row) => arrow.classList.toggle('shown', row === at));
    const rule = at === null ? null : reading.rule(bounds[at]!.rule);
    const call = at === null ? undefined : reading.ofCall(bounds[at]!.call);
    const words = [rule, call === undefined ? null : reading.title(call)].filter((one) => one !== null);
    told.replaceChildren(...prose(words.join(' · ') || over));
  };
  arrows.forEach((arrow, at) => arrow.addEventListener('mouseenter', () => show(at)));
  section
    .querySelector('.cycle')!
    .append(
      svg(
        'svg',
        { viewBox: `0 0 ${WIDTH} ${height}`, 'aria-hidden': 'true' },
        svg('rect', { class: 'gap', x: left, y: 0, width: Math.max(2, right - left), height }),
        ...arrows,
      ),
    );
  show(null);
  section.querySelector('ol')!.append(
    ...bounds.map(({ text, call }, at) => {
      const isKnown = reading.ofCall(call) !== undefined;
      const button = el(
        'button',
        { type: 'button', click: () => (isKnown ? go(call!) : show(at)) },
        isKnown ? `${text} (#${call})` : text,
      );
      button.addEventListener('focus', () => show(at));
      button.addEventListener('mouseenter', () => show(at));
      return el('li', {}, button);
    }),
  );
}

/** It joins the row before, so that the way can be followed. */
function arrowOf(
  { fromMs, toMs, rule, text }: CycleBound,
  row: number,
  x: (ms: number) => number,
): SVGElement {
  const y = row * ROW + TOP;
  const [from, to] = [x(fromMs), x(toMs)];
  const tip = to < from ? 5 : -5;
  const path = `M${from} ${row === 0 ? y : y - ROW}V${y}H${to}m${tip} -4l${-tip} 4l${tip} 4`;
  return svg(
    'g',
    { class: rule < 0 ? 'bound' : 'bound rule' },
    svg('title', {}, text),
    svg('path', { class: 'wide', d: `M${from} ${y}H${to}` }),
    svg('path', { d: path }),
    svg(
      'text',
      to > WIDTH / 2 ? { x: to - 8, y: y - 4, 'text-anchor': 'end' } : { x: to + 8, y: y - 4 },
      exactDuration(toMs),
    ),
  );
}
