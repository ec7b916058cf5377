import { ANSWERS_TITLE, answerTable } from '../answer-times.js';
import { assumptionLines, assumptionTitle } from '../assumptions.js';
import { causesFirst, causesIn, type Cause } from '../causes.js';
import { checkedOf, moreText } from '../checked.js';
import { escapeMarkdown, escapeControls } from '../escape.js';
import { clientLines, CLIENTS_TITLE } from '../client/seen.js';
import { formatDrift } from '../dialect.js';
import { compareSections, sectionTitles } from '../document-lines.js';
import { headlines } from '../headline.js';
import { hintLines, HINTS_TITLE } from '../hints.js';
import { openMustsLine } from '../open-musts.js';
import type { Report, ReportRequirement } from '../report.js';
import {
  clockInWords,
  formatDuration,
  intermittentLine,
  isUnasked,
  MARK_SYMBOL,
  MARK_WORDS,
  markOf,
  moodOf,
  pluralize,
  wordsOf,
  seedWords,
} from '../formatting.js';
import { formatFailure } from './format-failure.js';
import type { RenderContext } from './context.js';

/** Markdown for a job summary: the verdict, the causes in full, a row for each section, the other failures folded. */
export function renderMarkdown(report: Report, { documentText }: RenderContext): string {
  const { totals, target } = report;
  const causes = causesIn(report);
  const titles = headlines(report);
  const failed = causesFirst(report)
    .filter(({ verdict }) => verdict === 'fail')
    .map((requirement) => failure(requirement, titles.get(requirement.id) ?? []));
  const more = moreText(checkedOf(report.requirements, target));
  const open = openMustsLine(report);
  return [
    `# ${moodOf(report) === 'good' ? '✅' : report.exitCode === 0 ? '⚠️' : '❌'} ${escapeMarkdown(report.verdict)}`,
    '',
    `${escapeMarkdown(target.name)} · edition ${report.edition} · ${seedWords(report)} · ${clockInWords(target)} · ` +
      `${report.subject === 'client' ? `${pluralize(totals.scripts, 'condition')} · ` : ''}` +
      `${totals.calls} calls${report.time.wallMs === 0 ? '' : ` in ${formatDuration(report.time.wallMs)}`}`,
    '',
    ...(more === '' || report.verdict.includes(more)
      ? []
      : [escapeMarkdown(`More could be checked: ${more}.`), '']),
    ...(open === null ? [] : [escapeMarkdown(`${open}.`), '']),
    ...causeList(causes, titles, report),
    ...failed.slice(0, causes.length).flat(),
    ...sectionTable(report.requirements, sectionTitles(documentText)),
    '',
    ...folded(failed.slice(causes.length)),
    ...drifted(report),
    ...report.warnings.map((warning) => `> ⚠️ ${escapeMarkdown(warning)}`),
    ...noted(assumptionTitle(report), assumptionLines(report)),
    ...noted(CLIENTS_TITLE, clientLines(report)),
    ...noted(HINTS_TITLE, hintLines(report)),
    ...questions(report),
    ...answers(report),
    '',
  ].join('\n');
}

type Titles = ReturnType<typeof headlines>;

/** The surest cause first, with how many failures belong to it. */
function causeList(causes: readonly Cause[], titles: Titles, report: Report): readonly string[] {
  if (causes.length === 0) return [];
  return [
    `## ${causes.length === 1 ? wordsOf(report).theCause : `${causes.length} ${wordsOf(report).causes}`}`,
    '',
    ...causes.map(({ requirement, sameAnswer, consequences }) => {
      const others = [
        ...(sameAnswer.length === 0 ? [] : [`${sameAnswer.length} more fail in this way`]),
        ...(consequences.length === 0 ? [] : [`${consequences.length} fail because of it`]),
      ];
      const [title = requirement] = titles.get(requirement) ?? [];
      return `- ${withCode(title)}${others.length === 0 ? '' : `: ${others.join(', ')}`}`;
    }),
    '',
  ];
}

/** A sentence with `code` spans. */
const withCode = (text: string): string =>
  text
    .split('`')
    .map((part, at) => (at % 2 === 1 ? `\`${escapeControls(part)}\`` : escapeMarkdown(part)))
    .join('');

function folded(failures: readonly (readonly string[])[]): readonly string[] {
  if (failures.length === 0) return [];
  const title = `${failures.length} more: what fails because of these, known failures, and advice not followed`;
  return [`<details><summary>${title}</summary>`, '', ...failures.flat(), '</details>', ''];
}

function sectionTable(
  requirements: readonly ReportRequirement[],
  titles: ReadonlyMap<string, string>,
): readonly string[] {
  // What was not asked, and what does not apply, is not undecided.
  const asked = requirements.filter((one) => !isUnasked(one));
  const sections = [...new Set(asked.map(({ section }) => section))].sort(compareSections);
  const rows = sections.map((section) => {
    const own = asked.filter((requirement) => requirement.section === section);
    const of = (...marks: readonly string[]): number =>
      own.filter((requirement) => marks.includes(markOf(requirement))).length;
    const undecided = of('inconclusive', 'not-exercised', 'untestable');
    const title = escapeMarkdown(titles.get(section) ?? '');
    return `| ${section} ${title} | ${of('pass')} | ${of('fail')} | ${of('known')} | ${of('advice')} | ${undecided} |`;
  });
  return [
    '| Section | passed | failed | known failures | advice not followed | undecided |',
    '|---|---:|---:|---:|---:|---:|',
    ...rows,
  ];
}

function failure(requirement: ReportRequirement, titles: readonly string[]): readonly string[] {
  const { id, text, known, failures } = requirement;
  const [title = text, ...why] = titles;
  return [
    `### ${MARK_SYMBOL[markOf(requirement)]} ${withCode(title)}`,
    '',
    [
      `\`${id}\``,
      withCode(text),
      ...[why, intermittentLine(requirement) ?? []].flat().map(escapeMarkdown),
    ].join(' · '),
    ...(known === null ? [] : ['', escapeMarkdown(`${MARK_WORDS.known}: ${known}`)]),
    '',
    ...failures.flatMap((one) => example(formatFailure(one, text))),
  ];
}

const LINES_MAX = 20;

/** Folded if it is long. Indented, because foreign text could contain the end of a code fence. */
function example(lines: readonly string[]): readonly string[] {
  const shown = [...lines.map((line) => `    ${escapeControls(line)}`.trimEnd()), ''];
  if (lines.length <= LINES_MAX) return shown;
  return [`<details><summary>Example, ${lines.length} lines</summary>`, '', ...shown, '</details>', ''];
}

function drifted({ dialect }: Report): readonly string[] {
  if (dialect === null) return [];
  const unchanged = dialect.held - dialect.drift.length - dialect.unobserved.length;
  return [
    '### Compared with the dialect',
    '',
    `${dialect.drift.length} drifted, ${unchanged} unchanged, ${dialect.unobserved.length} not observed.`,
    '',
    ...dialect.drift.map((drift) => `- ✘ ${escapeMarkdown(formatDrift(drift))}`),
    '',
  ];
}

const noted = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', `### ${title}`, '', ...lines.map((line) => `- ${escapeMarkdown(line)}`)];

function questions({ openQuestions }: Report): readonly string[] {
  const observed = openQuestions.filter(({ readings }) => readings.length > 0);
  return foldedTable(
    'What the document leaves open, as observed',
    ['| Question | Readings | |', '|---|---|---|'],
    observed.map(({ id, readings, stable }) => [
      `\`${id}\``,
      escapeMarkdown(readings.join(', ')),
      stable ? '' : 'differs',
    ]),
  );
}

function answers(report: Report): readonly string[] {
  const [heads = [], ...rows] = answerTable(report);
  return foldedTable(ANSWERS_TITLE, [rowOf(heads), '|---|---:|---:|---:|---:|---:|'], rows);
}

const rowOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function foldedTable(
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  if (rows.length === 0) return [];
  return ['', `<details><summary>${title}</summary>`, '', ...head, ...rows.map(rowOf), '', '</details>'];
}
