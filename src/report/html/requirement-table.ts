import { sourceWords } from '../client/words.js';
import { compareSections } from '../document-lines.js';
import type { Report, ReportRequirement } from '../report.js';
import {
  capitalized,
  formatSharpness,
  pluralize,
  markOf,
  MARK_SYMBOL,
  MARK_WORDS,
  marksIn,
  reasonOf,
  LEVEL_WORDS,
  wordsOf,
} from '../formatting.js';
import { h, prose, type Markup } from './markup.js';

/** Scenarios that are named for a requirement. */
const NAMED_MAX = 3;

/** @param unasked requirements that the run was not asked about, which are only counted */
export function requirementTable(
  report: Report,
  titles: ReadonlyMap<string, string>,
  unasked: number,
): Markup {
  return h`<section id="requirements" aria-labelledby="requirements-title"><h2 id="requirements-title">${capitalized(wordsOf(report).requirement)}s</h2>
${unasked === 0 ? h`` : h`<p>This run was limited to these; ${pluralize(unasked, 'other')} of the document ${unasked === 1 ? 'is' : 'are'} left out.</p>`}
${filters(report, titles)}
<div class="scroll"><table class="requirements">
<thead><tr>${COLUMNS.map(
    ([title, kind]) =>
      h`<th scope="col"${kind === 'number' ? h` class="number"` : h``}><button type="button" class="sort" data-sort="${kind}">${title === 'Requirement' ? capitalized(wordsOf(report).requirement) : title}</button></th>`,
  )}</tr></thead>
<tbody>${report.requirements.map(row)}</tbody></table></div></section>`;
}

const COLUMNS = [
  ['Verdict', 'text'],
  ['Requirement', 'text'],
  ['Level', 'text'],
  ['Decided', 'number'],
  ['Failed', 'number'],
] as const;

function filters(report: Report, titles: ReadonlyMap<string, string>): Markup {
  const sections = [...new Set(report.requirements.map(({ section }) => section))].sort(compareSections);
  return h`<form class="filters" role="search" aria-label="Filter the ${wordsOf(report).requirement}s">
<fieldset><legend>Verdict</legend>${marksIn(report.requirements).map(
    ({ mark, count }) =>
      h`<label class="chip ${mark}"><input type="checkbox" name="mark" value="${mark}" checked /> ${MARK_SYMBOL[mark]} ${MARK_WORDS[mark]} <b>${count}</b></label>`,
  )}</fieldset>
<label>Section <select name="section"><option value="">all</option>${sections.map(
    (section) => h`<option value="${section}">${`${section} ${titles.get(section) ?? ''}`}</option>`,
  )}</select></label>
<label>Level <select name="level"><option value="">all</option>${(['must', 'should', 'may'] as const).map((level) => h`<option value="${level}">${LEVEL_WORDS[level]}</option>`)}</select></label>
<label>Text <input type="search" name="text" placeholder="id or words ( / )" aria-keyshortcuts="/" /></label>
<button type="reset">Show all</button>
<output aria-live="polite"></output>
</form>`;
}

function row(requirement: ReportRequirement): Markup {
  const { id, section, level, text, decided, failed, rule } = requirement;
  const reason = reasonOf(requirement);
  const mark = markOf(requirement);
  const why = reason === null ? h`` : h`<div class="reason">${reason}</div>`;
  return h`<tr id="${id}" data-mark="${mark}" data-section="${section}" data-level="${level}">
<td><span class="badge ${mark}">${MARK_SYMBOL[mark]} ${MARK_WORDS[mark]}</span></td>
<td>${rule === undefined ? h`<a class="id" href="#doc-${section}">${id}</a>` : h`<span class="id">${id}</span>`}<div>${prose(text)}</div>${why}${ruleSource(rule)}${sharpestTest(requirement)}${decidedIn(requirement)}</td>
<td data-label="level">${LEVEL_WORDS[level]}</td><td class="number" data-label="decided">${decided}</td><td class="number" data-label="failed">${failed}</td></tr>
`;
}

/** Where a rule for clients comes from, and what decides it. */
function ruleSource({ source, decidedBy }: ReportRequirement['rule'] = {}): Markup {
  if (source === undefined) return h``;
  return h`<div class="reason">${prose(sourceWords(source))}<br />Decided by: ${prose(decidedBy ?? '')}</div>`;
}

/** How small a violation would have shown. */
function sharpestTest({ sharpest }: ReportRequirement): Markup {
  return sharpest === undefined ? h`` : h`<div class="reason">${formatSharpness(sharpest)}</div>`;
}

/** The scenarios that failed it, and those that decided it first. */
function decidedIn({ decidedIn: first = [], failures }: ReportRequirement): Markup {
  const failing = failures.map(({ scenario }) => scenario);
  const scenarios = first.length === 0 ? [] : [...new Set([...failing, ...first])].slice(0, NAMED_MAX);
  return scenarios.length === 0 ? h`` : h`<div class="reason">decided in ${scenarios.join(', ')}</div>`;
}
