import { escapeMarkup } from '../escape.js';
import { causesFirst } from '../causes.js';
import { compareSections, sectionName, sectionTitles } from '../document-lines.js';
import { extrasOf, type Extra } from '../extras.js';
import { headlines } from '../headline.js';
import type { Report, ReportRequirement } from '../report.js';
import { formatFailure } from './format-failure.js';
import type { RenderContext } from './context.js';
import { intermittentLine, markOf, MARK_WORDS, reasonOf } from '../formatting.js';

/**
 * JUnit XML: a suite for each section, those with a cause first, and in it a case for each requirement, causes first. Only a
 * failed `must` is a failure.
 */
export function renderJunit(report: Report, { documentText }: RenderContext): string {
  const titles = sectionTitles(documentText);
  const ordered = causesFirst(report);
  const failing = ordered
    .filter((requirement) => markOf(requirement) === 'fail')
    .map(({ section }) => section);
  const others = ordered.map(({ section }) => section).sort(compareSections);
  const sections = [...new Set([...failing, ...others])];
  const messages = headlines(report);
  const extras = extrasOf(report);
  const suites = sections.map((section) => {
    const cases = ordered.filter((requirement) => requirement.section === section);
    const name = escapeMarkup(sectionName(section, titles));
    return [
      `  <testsuite name="${name}" ${counts(cases)}>`,
      ...cases.map((one) => testCase(one, messages)),
      '  </testsuite>',
    ].join('\n');
  });
  const seconds = (report.time.wallMs / 1000).toFixed(3);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="runproof" ${counts(ordered, extras)} time="${seconds}">`,
    ...suites,
    ...(report.dialect === null ? [] : extraSuite('dialect', extras)),
    ...(extras.some(({ suite }) => suite === 'self-check') ? extraSuite('self-check', extras) : []),
    '</testsuites>',
    '',
  ].join('\n');
}

/** That Runproof itself was wrong is an error, and no failure of the client. */
const KIND: { readonly [suite in Extra['suite']]: 'failure' | 'error' } = {
  dialect: 'failure',
  'self-check': 'error',
};

function extraSuite(suite: Extra['suite'], extras: readonly Extra[]): readonly string[] {
  const own = extras.filter((extra) => extra.suite === suite);
  const cases = own.map(
    ({ id, text }) =>
      `    <testcase classname="runproof.${suite}" name="${escapeMarkup(id)}">\n` +
      `      <${KIND[suite]} message="${escapeMarkup(text)}" type="${suite}" />\n    </testcase>`,
  );
  if (cases.length === 0) cases.push(`    <testcase classname="runproof.${suite}" name="no drift" />`);
  return [`  <testsuite name="${suite}" ${totals(cases.length, own, 0, 0)}>`, ...cases, '  </testsuite>'];
}

function counts(cases: readonly ReportRequirement[], extras: readonly Extra[] = []): string {
  const failures = cases.filter((requirement) => markOf(requirement) === 'fail').length;
  const passed = cases.filter(({ verdict }) => verdict === 'pass').length;
  return totals(cases.length + extras.length, extras, failures, cases.length - failures - passed);
}

function totals(tests: number, extras: readonly Extra[], failed: number, skipped: number): string {
  const of = (kind: string): number => extras.filter(({ suite }) => KIND[suite] === kind).length;
  return `tests="${tests}" failures="${failed + of('failure')}" errors="${of('error')}" skipped="${skipped}"`;
}

function testCase(requirement: ReportRequirement, messages: ReturnType<typeof headlines>): string {
  const open = `    <testcase classname="${escapeMarkup(`runproof.${requirement.section}`)}" name="${escapeMarkup(requirement.id)}"`;
  const mark = markOf(requirement);
  if (mark === 'pass') return `${open} />`;
  if (mark === 'fail') {
    const body = requirement.failures
      .map((failure) => formatFailure(failure).map(escapeMarkup).join('\n'))
      .join('\n\n');
    const rate = intermittentLine(requirement) ?? [];
    const message = escapeMarkup([...(messages.get(requirement.id) ?? []), rate].flat().join('; '));
    return `${open}>\n      <failure message="${message}" type="${requirement.level}">${body}</failure>\n    </testcase>`;
  }
  const why = reasonOf(requirement);
  const reason = escapeMarkup(`${MARK_WORDS[mark]}${why === null ? '' : `: ${why}`}`);
  return `${open}>\n      <skipped message="${reason}" />\n    </testcase>`;
}
