/** The table condition × rule of the page: each cell that is violated leads to what happened. */
import { formatDuration } from '../formatting.js';
import { h, type Markup } from '../html/markup.js';
import type { Report, ReportRequirement } from '../report.js';
import { cellOf, type Cell, type Condition } from './condition.js';
import { CELL_SYMBOL } from './terminal-table.js';
import { endWords } from './words.js';

const CELL_WORDS: { readonly [cell in Cell]: string } = {
  kept: 'kept',
  violated: 'violated',
  open: 'not put to the test',
  wrong: 'not judged: Runproof itself was wrong',
};

/** A condition and its place on the page. */
export interface Placed {
  readonly condition: Condition;
  readonly anchor: string;
}

/** A merged report may have a condition several times. Ids of conditions and rules are Runproof's own. */
export function placed({ conditions = [] }: Pick<Report, 'conditions'>): readonly Placed[] {
  return conditions.map((condition, index) => {
    const { id } = condition.weather;
    const before = conditions.slice(0, index).filter(({ weather }) => weather.id === id).length;
    return { condition, anchor: `condition-${id}${before === 0 ? '' : `-${before + 1}`}` };
  });
}

export const cellAnchor = (condition: string, rule: string): string =>
  `${condition}-${rule.replace('/', '-')}`;

export function matrix(all: readonly Placed[], requirements: readonly ReportRequirement[]): Markup {
  // What is violated is seen on a narrow screen, too.
  const decided = requirements
    .filter(({ verdict }) => verdict !== 'not-exercised')
    .toSorted((a, b) => Number(b.failed > 0) - Number(a.failed > 0));
  return h`<section id="matrix" aria-labelledby="matrix-title"><h2 id="matrix-title">Condition × rule</h2>
<p class="meta">${(['kept', 'violated', 'open'] as const).map((cell, index) => h`${index === 0 ? '' : ', '}${CELL_SYMBOL[cell]} ${CELL_WORDS[cell]}`)}</p>
<div class="scroll" tabindex="0" role="group" aria-label="Table of conditions and rules"><table class="weathers"><thead><tr><th scope="col">Condition</th>${decided.map(headOf)}<th scope="col" class="how">The client</th></tr></thead>
<tbody>${all.map((one) => rowOf(one, decided))}</tbody></table></div></section>`;
}

const shortName = (id: string): string => id.replace(/^client\//, '');

function headOf({ id, text, failed }: ReportRequirement): Markup {
  return h`<th scope="col" class="${failed > 0 ? 'fail' : ''}" title="${text}"><a href="#${id}">${shortName(id)}</a></th>`;
}

function rowOf({ condition, anchor }: Placed, decided: readonly ReportRequirement[]): Markup {
  const { weather, end } = condition;
  const cells = decided.map(({ id, text }) => ({ id, text, cell: cellOf(condition, id) }));
  const isBad = cells.some(({ cell }) => cell === 'violated');
  return h`<tr class="${isBad ? 'bad' : ''}"><th scope="row" title="${weather.text}"><a href="#${anchor}">${weather.id}</a></th>${cells.map(
    ({ id, text, cell }) =>
      h`<td class="cell ${cell}" title="${`${CELL_WORDS[cell]}: ${text}`}">${cell === 'violated' ? h`<a href="#${cellAnchor(anchor, id)}">${CELL_SYMBOL[cell]}</a>` : CELL_SYMBOL[cell]}</td>`,
  )}<td class="how">${endWords(end)}, ${formatDuration(end.atMs)}</td></tr>`;
}
