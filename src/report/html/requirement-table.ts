import { compareSections } from '../document-lines.js';
import type { Report, ReportRequirement } from '../report.js';
import { markOf, MARK_SYMBOL, MARK_WORDS, MARKS, reasonOf } from '../formatting.js';
import { h, prose, type Markup } from './markup.js';

export function requirementTable(report: Report, titles: ReadonlyMap<string, string>): Markup {
  return h`<section id="requirements" aria-labelledby="requirements-title"><h2 id="requirements-title">Requirements</h2>
${filters(report, titles)}
<div class="scroll"><table class="requirements">
<thead><tr><th scope="col">Verdict</th><th scope="col">Requirement</th><th scope="col">Level</th><th scope="col" class="number">Decided</th><th scope="col" class="number">Failed</th></tr></thead>
<tbody>${report.requirements.map(row)}</tbody></table></div></section>`;
}

function filters(report: Report, titles: ReadonlyMap<string, string>): Markup {
  const sections = [...new Set(report.requirements.map(({ section }) => section))].sort(compareSections);
  const present = MARKS.map((mark) => ({
    mark,
    count: report.requirements.filter((requirement) => markOf(requirement) === mark).length,
  })).filter(({ count }) => count > 0);
  return h`<form class="filters" role="search" aria-label="Filter the requirements">
<fieldset><legend>Verdict</legend>${present.map(
    ({ mark, count }) =>
      h`<label class="chip ${mark}"><input type="checkbox" name="mark" value="${mark}" checked /> ${MARK_SYMBOL[mark]} ${MARK_WORDS[mark]} <b>${count}</b></label>`,
  )}</fieldset>
<label>Section <select name="section"><option value="">all</option>${sections.map(
    (section) => h`<option value="${section}">${`${section} ${titles.get(section) ?? ''}`}</option>`,
  )}</select></label>
<label>Level <select name="level"><option value="">all</option>${['must', 'should', 'may'].map((level) => h`<option>${level}</option>`)}</select></label>
<label>Text <input type="search" name="text" placeholder="id or words" /></label>
<button type="reset">Show all</button>
<output aria-live="polite"></output>
</form>`;
}

function row(requirement: ReportRequirement): Markup {
  const { id, section, level, text, decided, failed } = requirement;
  const reason = reasonOf(requirement);
  const mark = markOf(requirement);
  const why = reason === null ? h`` : h`<div class="reason">${reason}</div>`;
  return h`<tr id="${id}" data-mark="${mark}" data-section="${section}" data-level="${level}">
<td><span class="badge ${mark}">${MARK_SYMBOL[mark]} ${MARK_WORDS[mark]}</span></td>
<td><a class="id" href="#doc-${section}">${id}</a><div>${prose(text)}</div>${why}</td>
<td>${level}</td><td class="number">${decided}</td><td class="number">${failed}</td></tr>
`;
}
