/** Several reports side by side: of several servers, or of one server over time. And one report as a badge. */
import { checkedOf } from './checked.js';
import { escapedTexts } from './escape.js';
import { markOf, MARK_SYMBOL, MARK_WORDS, type Mark } from './formatting.js';
import { h, trusted } from './html/markup.js';
import { STYLE } from './html/style.js';
import type { Report } from './report.js';

export interface Matrix {
  readonly schema: 'runproof-matrix/1';
  /** In the order given: the trend, if they are runs of one server. */
  readonly reports: readonly {
    readonly name: string;
    /** When the run began, ISO 8601; null if left out. */
    readonly at: string | null;
    readonly exitCode: number;
    readonly failed: number;
    readonly checked: number;
    readonly musts: number;
  }[];
  /** The requirements on which the reports differ, and those that fail in any of them. */
  readonly rows: readonly {
    readonly id: string;
    readonly level: string;
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
    return {
      id,
      level: own.find((one) => one !== undefined)?.level ?? 'must',
      marks: own.map((one): Mark => (one === undefined ? 'not-applicable' : markOf(one))),
    };
  });
  return {
    schema: 'runproof-matrix/1',
    reports: reports.map((report, index) => ({
      name: names[index] ?? report.target.name,
      at: report.at,
      exitCode: report.exitCode,
      failed: report.totals.must.fail,
      ...pick(checkedOf(report.requirements, report.target.capabilities)),
    })),
    rows: rows.filter(
      ({ marks }) => marks.some((mark) => mark === 'fail' || mark === 'known') || new Set(marks).size > 1,
    ),
  };
}

const pick = ({ checked, musts }: { readonly checked: number; readonly musts: number }) => ({
  checked,
  musts,
});

export function matrixText(matrix: Matrix): string {
  const { reports, rows } = escapedTexts(matrix);
  const lines = reports.map(({ name, at, failed, checked, musts }, index) => {
    const when = at === null ? '' : `  ${at.slice(0, 16).replace('T', ' ')}`;
    return `${index + 1}  ${name}${when}  ${failed} failed, ${checked} of ${musts} musts checked`;
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

/** One page, without a script. */
export function matrixHtml({ reports, rows }: Matrix): string {
  return h`<!doctype html>
<html lang="en"><head><meta charset="utf-8" />
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'" />
<meta name="viewport" content="width=device-width, initial-scale=1" /><title>${reports.length} reports – Runproof</title>
<style>${trusted(STYLE)}</style></head><body><main class="wide"><h1>${reports.length} reports side by side</h1>
<div class="scroll"><table class="matrix"><thead><tr><th scope="col">Requirement</th>${reports.map(
    ({ name, at }) =>
      h`<th scope="col">${name}<br />${at === null ? '' : at.slice(0, 16).replace('T', ' ')}</th>`,
  )}</tr></thead><tbody>
<tr><th scope="row">musts failed</th>${reports.map(({ failed }) => h`<td>${failed}</td>`)}</tr>
<tr><th scope="row">musts checked</th>${reports.map(({ checked, musts }) => h`<td>${checked} of ${musts}</td>`)}</tr>
${rows.map(
  ({ id, level, marks }) =>
    h`<tr><th scope="row">${id} <span class="meta">${level}</span></th>${marks.map(
      (mark) => h`<td><span class="badge ${mark}">${MARK_SYMBOL[mark]} ${MARK_WORDS[mark]}</span></td>`,
    )}</tr>
`,
)}</tbody></table></div></main></body></html>
`.markup;
}

/** The JSON that shields.io takes for an endpoint badge. */
export interface Badge {
  readonly schemaVersion: 1;
  readonly label: 'runproof';
  readonly message: string;
  readonly color: 'brightgreen' | 'red' | 'lightgrey';
}

export function badgeOf(report: Report): Badge {
  const { checked, musts } = checkedOf(report.requirements, report.target.capabilities);
  const { fail } = report.totals.must;
  return {
    schemaVersion: 1,
    label: 'runproof',
    message: fail > 0 ? `${fail} of ${checked} musts failed` : `${checked} of ${musts} musts hold`,
    color: fail > 0 ? 'red' : report.exitCode === 0 ? 'brightgreen' : 'lightgrey',
  };
}
