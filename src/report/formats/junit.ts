import { escapeMarkup } from '../escape.js';
import { causesFirst } from '../causes.js';
import { compareSections, sectionTitles } from '../document-lines.js';
import { formatDrift } from '../dialect.js';
import { headlines } from '../headline.js';
import type { Report, ReportRequirement } from '../report.js';
import { formatFailure } from './format-failure.js';
import type { RenderContext } from './context.js';
import { markOf, MARK_WORDS, reasonOf } from '../formatting.js';

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
  const suites = sections.map((section) => {
    const cases = ordered.filter((requirement) => requirement.section === section);
    const name = escapeMarkup(`§${section} ${titles.get(section) ?? ''}`.trim());
    return [
      `  <testsuite name="${name}" ${counts(cases)}>`,
      ...cases.map((one) => testCase(one, messages)),
      '  </testsuite>',
    ].join('\n');
  });
  const seconds = (report.time.wallMs / 1000).toFixed(3);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="runproof" ${counts(report.requirements, report.dialect?.drift.length ?? 0)} time="${seconds}">`,
    ...suites,
    ...dialectSuite(report),
    '</testsuites>',
    '',
  ].join('\n');
}

function dialectSuite({ dialect }: Report): readonly string[] {
  if (dialect === null) return [];
  const cases = dialect.drift.map(
    (drift) =>
      `    <testcase classname="runproof.dialect" name="${escapeMarkup(drift.question)}">\n` +
      `      <failure message="${escapeMarkup(formatDrift(drift))}" type="dialect" />\n    </testcase>`,
  );
  const all = Math.max(dialect.drift.length, 1);
  if (cases.length === 0) cases.push('    <testcase classname="runproof.dialect" name="no drift" />');
  const open = `  <testsuite name="dialect" tests="${all}" failures="${dialect.drift.length}" errors="0" skipped="0">`;
  return [open, ...cases, '  </testsuite>'];
}

function counts(cases: readonly ReportRequirement[], drifted = 0): string {
  const failures = cases.filter((requirement) => markOf(requirement) === 'fail').length;
  const passed = cases.filter(({ verdict }) => verdict === 'pass').length;
  return `tests="${cases.length + drifted}" failures="${failures + drifted}" errors="0" skipped="${cases.length - failures - passed}"`;
}

function testCase(requirement: ReportRequirement, messages: ReturnType<typeof headlines>): string {
  const open = `    <testcase classname="${escapeMarkup(`runproof.${requirement.section}`)}" name="${escapeMarkup(requirement.id)}"`;
  const mark = markOf(requirement);
  if (mark === 'pass') return `${open} />`;
  if (mark === 'fail') {
    const body = requirement.failures
      .map((failure) => formatFailure(failure).map(escapeMarkup).join('\n'))
      .join('\n\n');
    const message = escapeMarkup((messages.get(requirement.id) ?? []).join('; '));
    return `${open}>\n      <failure message="${message}" type="must">${body}</failure>\n    </testcase>`;
  }
  const why = reasonOf(requirement);
  const reason = escapeMarkup(`${MARK_WORDS[mark]}${why === null ? '' : `: ${why}`}`);
  return `${open}>\n      <skipped message="${reason}" />\n    </testcase>`;
}
