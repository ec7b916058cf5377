import { markdown, plain } from '../escape.js';
import { driftInWords } from '../dialect.js';
import { bySection, sectionTitles } from '../document.js';
import type { Report, ReportRequirement } from '../report.js';
import { duration, MARK_SYMBOL, MARK_WORDS, markOf } from '../words.js';
import { failureInWords } from './failure-in-words.js';
import type { RenderContext } from './context.js';

/** Markdown for a job summary: verdict, one row a section, the failures in full. */
export function renderMarkdown(report: Report, { documentText }: RenderContext): string {
  const { totals, target } = report;
  const failed = report.requirements.filter(({ verdict }) => verdict === 'fail');
  return [
    `# ${report.exitCode === 0 ? '✅' : '❌'} ${markdown(report.verdict)}`,
    '',
    `${markdown(target.name)} · edition ${report.edition} · seed ${report.seed} · ${target.clock} clock · ` +
      `coverage ${totals.coveragePercent} % · conformance ${totals.conformancePercent} % · ` +
      `${totals.calls} calls in ${duration(report.time.wallMs)}`,
    '',
    ...sectionTable(report.requirements, sectionTitles(documentText)),
    '',
    ...failed.flatMap(failure),
    ...drifted(report),
    ...report.warnings.map((warning) => `> ⚠️ ${markdown(warning)}`),
    ...questions(report),
    '',
  ].join('\n');
}

function sectionTable(
  requirements: readonly ReportRequirement[],
  titles: ReadonlyMap<string, string>,
): readonly string[] {
  const sections = [...new Set(requirements.map(({ section }) => section))].sort(bySection);
  const rows = sections.map((section) => {
    const own = requirements.filter((requirement) => requirement.section === section);
    const of = (...marks: readonly string[]): number =>
      own.filter((requirement) => marks.includes(markOf(requirement))).length;
    const undecided = of('inconclusive', 'not-exercised', 'untestable', 'not-applicable');
    const title = markdown(titles.get(section) ?? '');
    return `| ${section} ${title} | ${of('pass')} | ${of('fail')} | ${of('known')} | ${of('advice')} | ${undecided} |`;
  });
  return [
    '| Section | passed | failed | known failures | advice not followed | undecided |',
    '|---|---:|---:|---:|---:|---:|',
    ...rows,
  ];
}

function failure(requirement: ReportRequirement): readonly string[] {
  const lines = requirement.failures.flatMap((one) => [...failureInWords(one), '']);
  return [
    `### ${MARK_SYMBOL[markOf(requirement)]} \`${requirement.id}\``,
    '',
    markdown(requirement.text),
    ...(requirement.known === null ? [] : ['', markdown(`${MARK_WORDS.known}: ${requirement.known}`)]),
    '',
    // A fence of foreign text ends early if the text holds one; indented code cannot be ended.
    ...lines.map((line) => `    ${plain(line)}`.trimEnd()),
    '',
  ];
}

function drifted({ dialect }: Report): readonly string[] {
  if (dialect === null) return [];
  const kept = dialect.held - dialect.drift.length - dialect.unobserved.length;
  return [
    '### Held to the dialect given',
    '',
    `${dialect.drift.length} drifted, ${kept} as before, ${dialect.unobserved.length} not observed.`,
    '',
    ...dialect.drift.map((drift) => `- ✘ ${markdown(driftInWords(drift))}`),
    '',
  ];
}

function questions({ openQuestions }: Report): readonly string[] {
  const observed = openQuestions.filter(({ readings }) => readings.length > 0);
  if (observed.length === 0) return [];
  return [
    '',
    '<details><summary>What the document leaves open, as observed</summary>',
    '',
    '| Question | Readings | |',
    '|---|---|---|',
    ...observed.map(
      ({ id, readings, stable }) =>
        `| \`${id}\` | ${markdown(readings.join(', '))} | ${stable ? '' : 'differs'} |`,
    ),
    '',
    '</details>',
  ];
}
