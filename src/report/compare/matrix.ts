/** Several reports side by side: of several servers, or of one server over time. And one report as a badge. */
import { checkedOf } from '../checked.js';
import { countRules } from '../client/build.js';
import { compareSections, sectionOf } from '../document-lines.js';
import { escapedTexts } from '../escape.js';
import {
  isBinding,
  isUnasked,
  markOf,
  MARK_SYMBOL,
  MARK_WORDS,
  moodOf,
  pluralize,
  type Mark,
  LEVEL_WORDS,
} from '../formatting.js';
import { h, type Markup } from '../html/markup.js';
import { page } from '../html/page.js';
import type { Report, ReportRequirement } from '../report.js';

/** The musts of one section in one report that apply and were asked about. */
interface SectionCell {
  readonly musts: number;
  readonly passed: number;
  /** Known failures included. */
  readonly failed: number;
}

/** A report in a line. The counts are of required rules; of a client, every rule is. */
export interface ReportSummary {
  /** Of its folder or file. */
  readonly name: string;
  /** When the run began, ISO 8601; null if left out. */
  readonly at: string | null;
  readonly exitCode: number;
  readonly failed: number;
  readonly checked: number;
  readonly musts: number;
}

export interface Matrix {
  readonly schema: 'runproof-matrix/1';
  /** In the order given: the trend, if they are runs of one server. */
  readonly reports: readonly ReportSummary[];
  /** Every section, with the musts of each report in it. */
  readonly sections: readonly { readonly section: string; readonly cells: readonly SectionCell[] }[];
  /** The requirements on which the reports differ, and those that fail in any of them. */
  readonly rows: readonly {
    readonly id: string;
    readonly level: ReportRequirement['level'];
    /** One for each report. */
    readonly marks: readonly Mark[];
  }[];
}

/** `names`: one for each report, such as its folder. Requirements that all reports decide alike are left out, unless they failed. */
export function matrixOf(reports: readonly Report[], names: readonly string[]): Matrix {
  const ids = [...new Set(reports.flatMap(({ requirements }) => requirements.map(({ id }) => id)))];
  const found = reports.map(({ requirements }) => new Map(requirements.map((one) => [one.id, one])));
  const rows = ids.map((id) => {
    const own = found.map((byId) => byId.get(id));
    const marks = own.map((one): Mark => (one === undefined ? 'not-applicable' : markOf(one)));
    // A report that was not asked about it says nothing else than the others.
    const said = marks.filter((_, nth) => own[nth] === undefined || !isUnasked(own[nth]));
    const level = own.find((one) => one !== undefined)?.level ?? 'must';
    return { row: { id, level, marks }, differs: new Set(said).size > 1 };
  });
  return {
    schema: 'runproof-matrix/1',
    reports: reports.map((report, index) => summaryOf(report, names[index] ?? report.target.name)),
    sections: [...new Set(ids.map(sectionOf))].sort(compareSections).map((section) => ({
      section,
      cells: reports.map(({ requirements }) =>
        cellOf(requirements.filter(({ id }) => sectionOf(id) === section)),
      ),
    })),
    rows: rows
      .filter(({ row, differs }) => differs || row.marks.some((mark) => mark === 'fail' || mark === 'known'))
      .map(({ row }) => row),
  };
}

function cellOf(requirements: readonly ReportRequirement[]): SectionCell {
  const musts = requirements.filter(
    (one) => isBinding(one) && one.verdict !== 'not-applicable' && !isUnasked(one),
  );
  return {
    musts: musts.length,
    passed: musts.filter(({ verdict }) => verdict === 'pass').length,
    failed: musts.filter(({ verdict }) => verdict === 'fail').length,
  };
}

export const summaryOf = (report: Report, name: string): ReportSummary => ({
  ...{ name, at: report.at, exitCode: report.exitCode },
  ...countsOf(report),
});

/** Every rule of a client counts as required. */
function countsOf(report: Report): Pick<ReportSummary, 'failed' | 'checked' | 'musts'> {
  const { kept, broken, open } = countRules(report.requirements);
  if (report.subject === 'client')
    return { failed: broken, checked: kept + broken, musts: kept + broken + open };
  const { checked, musts } = checkedOf(report.requirements, report.target);
  return { failed: report.totals.must.fail, checked, musts };
}

export function matrixText(matrix: Matrix): string {
  const { reports, rows } = escapedTexts(matrix);
  const lines = reports.map(({ name, at, failed, checked, musts }, index) => {
    const when = at === null ? '' : `  ${at.slice(0, 16).replace('T', ' ')}`;
    return `${index + 1}  ${name}${when}  ${failed} failed, ${checked} of ${musts} required rules checked`;
  });
  const width = Math.max(...rows.map(({ id }) => id.length), 0);
  const head = `${''.padEnd(width)}  ${reports.map((_, index) => `${index + 1}`.padEnd(2)).join(' ')}`;
  const table = rows.map(
    ({ id, marks }) => `${id.padEnd(width)}  ${marks.map((mark) => MARK_SYMBOL[mark].padEnd(2)).join(' ')}`,
  );
  const used = [...new Set(rows.flatMap(({ marks }) => marks))];
  const legend = used.map((mark) => `${MARK_SYMBOL[mark]} ${MARK_WORDS[mark]}`).join(', ');
  const none = ['no requirement failed, and the reports do not differ'];
  return `${[...lines, '', ...(rows.length === 0 ? none : [head, ...table, '', legend])].join('\n')}\n`;
}

/**
 * One page, without a script: a heat map of sections and reports, and what differs below it.
 *
 * @param titles section number → title
 */
export function matrixHtml({ reports, sections, rows }: Matrix, titles: ReadonlyMap<string, string>): string {
  const heads = reports.map(
    ({ name, at }) =>
      h`<th scope="col">${name}<br />${at === null ? '' : at.slice(0, 16).replace('T', ' ')}</th>`,
  );
  return page({
    title: `${reports.length} reports`,
    // All can be scrolled by the keyboard, whether or not they are too wide.
    style: '.scroll[tabindex]{box-shadow:none}',
    body: h`<main class="wide"><h1>${reports.length} reports side by side</h1>
<p>Each cell: required rules that hold, of those that apply. Green: all hold; red: some failed; dashed: not all were checked.</p>
<div class="scroll" tabindex="0" role="group" aria-label="Sections and reports"><table class="matrix heat"><thead><tr><th scope="col">Section</th>${heads}</tr></thead><tbody>
<tr><th scope="row">required rules failed</th>${reports.map(({ failed }) => h`<td><b>${failed}</b></td>`)}</tr>
<tr><th scope="row">required rules checked</th>${reports.map(({ checked, musts }) => h`<td>${checked} of ${musts}</td>`)}</tr>
${sections.map(
  ({ section, cells }) =>
    h`<tr><th scope="row"><b>${section}</b> ${titles.get(section) ?? ''}</th>${cells.map(heatCell)}</tr>
`,
)}</tbody></table></div>
<h2>Where they differ or fail</h2>
${rows.length === 0 ? h`<p>No requirement failed, and the reports do not differ.</p>` : h``}
${sections.map(({ section }) => {
  const own = rows.filter(({ id }) => sectionOf(id) === section);
  if (own.length === 0) return h``;
  const failing = own.filter(({ marks }) => marks.some((mark) => mark === 'fail' || mark === 'known'));
  return h`<details class="fold"${failing.length > 0 ? h` open` : h``}><summary><b>${section}</b> ${titles.get(section) ?? ''}: ${
    failing.length > 0 ? `${failing.length} failed, ` : ''
  }${pluralize(own.length, 'difference')}</summary>
<div class="scroll" tabindex="0" role="group" aria-label="Section ${section}"><table class="matrix"><thead><tr><th scope="col">Requirement</th>${heads}</tr></thead><tbody>
${own.map(
  ({ id, level, marks }) =>
    h`<tr><th scope="row">${id} <span class="meta">${LEVEL_WORDS[level]}</span></th>${marks.map(
      (mark) => h`<td><span class="badge ${mark}">${MARK_SYMBOL[mark]} ${MARK_WORDS[mark]}</span></td>`,
    )}</tr>
`,
)}</tbody></table></div></details>`;
})}</main>`,
  });
}

/** The colour by what failed, the stronger, the more of the section it is; else by what was checked. */
function heatCell({ musts, passed, failed }: SectionCell): Markup {
  if (musts === 0) return h`<td class="none">–</td>`;
  const mark = failed > 0 ? 'fail' : passed > 0 ? 'pass' : 'none';
  const kind = passed + failed < musts ? `${mark} partial` : mark;
  const words = `${passed} of ${pluralize(musts, 'required rule')} hold, ${failed} failed`;
  return h`<td class="${kind}" style="--share:${Math.round((failed / musts) * 100)}%" title="${words}">${passed}/${musts}${
    failed > 0 ? h` <b>✘ ${failed}</b>` : h``
  }</td>`;
}

/** The JSON that shields.io takes for an endpoint badge. */
export interface Badge {
  readonly schemaVersion: 1;
  readonly label: 'runproof';
  readonly message: string;
  readonly color: 'brightgreen' | 'yellow' | 'red' | 'lightgrey';
}

export function badgeOf(report: Report): Badge {
  const { failed, checked, musts } = countsOf(report);
  // A selection that conforms says little of the whole.
  const isWhole = report.requirements.every(({ selected }) => selected !== false);
  return {
    schemaVersion: 1,
    label: 'runproof',
    message:
      failed > 0
        ? `${failed} of ${checked} required rules failed`
        : `${checked} of ${musts} ${isWhole ? '' : 'selected '}required rules hold`,
    color:
      failed > 0
        ? 'red'
        : report.exitCode !== 0
          ? 'lightgrey'
          : isWhole && moodOf(report) === 'good'
            ? 'brightgreen'
            : 'yellow',
  };
}
