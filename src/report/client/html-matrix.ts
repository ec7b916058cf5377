/** The table weather × rule of the page: each cell that is violated leads to what happened. */
import type { ClientReport, WeatherResult } from '../../client/report.js';
import { formatDuration } from '../formatting.js';
import { h, type Markup } from '../html/markup.js';
import { cellOf, type Cell, type ClientSummary, type RuleSummary } from './summary.js';
import { CELL_SYMBOL } from './terminal-table.js';
import { endWords } from './words.js';

const CELL_WORDS: { readonly [cell in Cell]: string } = {
  kept: 'kept',
  violated: 'violated',
  open: 'not put to the test',
  wrong: 'not judged: Runproof itself was wrong',
};

/** Anchors. Ids of weathers and rules are Runproof's own. */
export const weatherAnchor = (weather: string): string => `weather-${weather}`;
export const ruleAnchor = (rule: string): string => `rule-${rule.replace('/', '-')}`;
export const cellAnchor = (weather: string, rule: string): string =>
  `${weatherAnchor(weather)}-${ruleAnchor(rule)}`;

export function matrix({ results }: ClientReport, { decided: all }: ClientSummary): Markup {
  // What is violated is seen on a narrow screen, too.
  const decided = all.toSorted((a, b) => Number(b.violatedIn.length > 0) - Number(a.violatedIn.length > 0));
  return h`<section aria-labelledby="matrix-title"><h2 id="matrix-title">Condition × rule</h2>
<p class="meta">${(['kept', 'violated', 'open'] as const).map((cell, index) => h`${index === 0 ? '' : ', '}${CELL_SYMBOL[cell]} ${CELL_WORDS[cell]}`)}</p>
<div class="scroll" tabindex="0" role="group" aria-label="Table of conditions and rules"><table class="weathers"><thead><tr><th scope="col">Condition</th>${decided.map(headOf)}<th scope="col" class="how">The client</th></tr></thead>
<tbody>${results.map((result) => rowOf(result, decided))}</tbody></table></div></section>`;
}

const shortName = (id: string): string => id.replace(/^client\//, '');

function headOf({ id, text, violatedIn }: RuleSummary): Markup {
  return h`<th scope="col" class="${violatedIn.length > 0 ? 'fail' : ''}" title="${text}"><a href="#${ruleAnchor(id)}">${shortName(id)}</a></th>`;
}

function rowOf(result: WeatherResult, decided: readonly RuleSummary[]): Markup {
  const { weather, end } = result.session;
  const cells = decided.map(({ id, text }) => ({ id, text, cell: cellOf(result, id) }));
  const isBad = cells.some(({ cell }) => cell === 'violated');
  return h`<tr class="${isBad ? 'bad' : ''}"><th scope="row" title="${weather.text}"><a href="#${weatherAnchor(weather.id)}">${weather.id}</a></th>${cells.map(
    ({ id, text, cell }) =>
      h`<td class="cell ${cell}" title="${`${CELL_WORDS[cell]}: ${text}`}">${cell === 'violated' ? h`<a href="#${cellAnchor(weather.id, id)}">${CELL_SYMBOL[cell]}</a>` : CELL_SYMBOL[cell]}</td>`,
  )}<td class="how">${endWords(end)}, ${formatDuration(end.atMs)}</td></tr>`;
}
