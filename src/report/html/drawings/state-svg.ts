/** The life of a job as an SVG file of its own, which needs nothing else and reads no foreign text. */
import type { Lifecycle } from './lifecycle-edges.js';
import { alsoSeen, CAPTION, failuresOf, howManySeen } from './lifecycle-edges.js';
import { h, trusted } from '../markup.js';
import { drawStates, WIDTH } from './state-drawing.js';
import { COLOURS, STATES } from '../style.js';

const LINE = 16;
const MARGIN = 12;

const STYLE = `${COLOURS}svg{font:10.5px ui-monospace,Menlo,Consolas,monospace}text{fill:var(--soft)}.ground{fill:var(--card)}.below{font:11px system-ui,sans-serif}.below .failed{fill:var(--fail)}
${STATES}`;

export function stateSvg(lifecycle: Lifecycle): string {
  const { height, parts } = drawStates(lifecycle, false);
  const failures = failuresOf(lifecycle);
  const lines = [...failures, `${howManySeen(lifecycle)}.`, ...alsoSeen(lifecycle), ...CAPTION];
  const [width, whole] = [WIDTH + 2 * MARGIN, height + (lines.length + 1) * LINE + 2 * MARGIN];
  return h`<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-MARGIN} ${-MARGIN} ${width} ${whole}" width="${width}" height="${whole}" role="img" aria-label="States of a job and the transitions between them">
<style>${trusted(STYLE)}</style>
<rect class="ground" x="${-MARGIN}" y="${-MARGIN}" width="${width}" height="${whole}" />
<g class="states">${parts}</g>
<g class="below">${lines.map((text, index) => h`<text class="${index < failures.length ? 'failed' : 'meta'}" x="${MARGIN}" y="${height + (index + 1.5) * LINE}">${text}</text>`)}</g></svg>
`.markup;
}
