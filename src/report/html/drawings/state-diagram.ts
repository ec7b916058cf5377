/** The life of a job in the page: its diagram, and the same as a table. */
import type { Transition } from '../../../oracle/ledger/findings.js';
import { formatDuration } from '../../formatting.js';
import type { Report } from '../../report.js';
import { figure } from './figure.js';
import { alsoSeen, CAPTION, countOf, howManySeen, lifecycleOf, type Edge } from './lifecycle-edges.js';
import { h, type Markup } from '../markup.js';
import { drawStates, hrefOf, WIDTH } from './state-drawing.js';

/** Nothing where the report does not tell which transitions were seen. */
export function stateDiagram(report: Report, transitions: readonly Transition[]): Markup {
  if (report.transitions === undefined) return h``;
  const lifecycle = lifecycleOf(report, transitions);
  const { edges } = lifecycle;
  const { height, parts } = drawStates(lifecycle, true);
  return h`<section id="lifecycle" aria-labelledby="lifecycle-title"><h2 id="lifecycle-title">The life of a job</h2>
<p>${howManySeen(lifecycle)}. Click a state or a transition for its requirements.</p>
${figure(
  {
    ...{ kind: 'states', width: WIDTH, height, hasLinks: true },
    text: 'States of a job and the transitions between them; the table below says the same',
    caption: CAPTION.join(' '),
  },
  parts,
)}
${table(edges)}
${alsoSeen(lifecycle).map((text) => h`<p class="meta">${text}</p>`)}</section>`;
}

function table(edges: readonly Edge[]): Markup {
  const time = (ms: number | null | undefined): string => ((ms ?? null) === null ? '–' : formatDuration(ms!));
  return h`<details class="fold"><summary>As a table</summary><div class="scroll"><table><thead><tr><th scope="col">From</th><th scope="col">To</th><th scope="col">By</th><th scope="col" class="number">Jobs</th><th scope="col" class="number">Shortest, at most</th><th scope="col" class="number">Longest, at least</th><th scope="col">Requirements</th></tr></thead><tbody>${edges.map(
    ({ from, to, by, seen, ids, failed }) =>
      h`<tr><td>${from}</td><td>${to}</td><td>${by}</td><td class="number">${seen?.times ?? 0}</td><td class="number">${time(seen?.shortestMs)}</td><td class="number">${time(seen?.longestMs)}</td><td><a href="${hrefOf(ids)}">${countOf(ids, failed)}</a></td></tr>`,
  )}</tbody></table></div></details>`;
}
