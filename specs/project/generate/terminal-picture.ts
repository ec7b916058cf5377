/**
 * An animated picture of what a command prints, as SVG with CSS: line after line appears, once, and then the whole stays. It
 * has the colours of a terminal, in the light and in the dark, and needs no program to be shown.
 */
const CHARACTER = 8.4;
const LINE = 19;
const MARGIN = 18;
const FIRST_MS = 400;
const EACH_MS = 220;

/** The SGR codes that `terminal-colours.ts` writes. */
const COLOURS: { readonly [code: string]: string } = { 31: 'red', 32: 'green', 33: 'yellow', 36: 'cyan' };
const SGR = new RegExp(`${String.fromCharCode(27)}\\[(\\d+)m`);

/** @param printed with its SGR codes */
export function terminalPicture(command: string, printed: string): string {
  const prompt = `<tspan class="dim">$ </tspan><tspan class="bold">${escaped(command)}</tspan>`;
  const lines = printed.trimEnd().split('\n');
  const columns = Math.max(...lines.map((line) => line.replaceAll(new RegExp(SGR, 'g'), '').length));
  const width = Math.ceil(columns * CHARACTER + 2 * MARGIN);
  const height = (lines.length + 1) * LINE + 2 * MARGIN;
  const rows = [prompt, ...lines.map(spansOf)].map(
    (spans, index) =>
      `<text x="${MARGIN}" y="${MARGIN + LINE * (index + 0.75)}" style="animation-delay:${FIRST_MS + EACH_MS * index}ms">${spans}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">
<title>${escaped(command)}</title>
<style>
text { font: 14px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1f2328; white-space: pre;
  opacity: 0; animation: show 150ms forwards }
@keyframes show { to { opacity: 1 } }
@media (prefers-reduced-motion: reduce) { text { animation: none; opacity: 1 } }
rect { fill: #f6f8fa; stroke: #d0d7de }
.bold { font-weight: 700 } .dim { fill: #656d76 }
.red { fill: #cf222e } .green { fill: #1a7f37 } .yellow { fill: #9a6700 } .cyan { fill: #0969da }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 } rect { fill: #0d1117; stroke: #30363d } .dim { fill: #8d96a0 }
  .red { fill: #ff7b72 } .green { fill: #3fb950 } .yellow { fill: #d29922 } .cyan { fill: #79c0ff }
}
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${rows.join('\n')}
</svg>
`;
}

/** A line whose colours begin and end in it. */
function spansOf(line: string): string {
  let colour = '';
  let weight = '';
  return line
    .split(SGR)
    .map((piece, at) => {
      if (at % 2 === 0)
        return piece === '' ? '' : `<tspan class="${`${colour} ${weight}`.trim()}">${escaped(piece)}</tspan>`;
      if (piece === '1' || piece === '2') weight = piece === '1' ? 'bold' : 'dim';
      else if (piece === '22') weight = '';
      else colour = COLOURS[piece] ?? '';
      return '';
    })
    .join('');
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
