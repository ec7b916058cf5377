import { causesFirst } from '../causes.js';
import { escapeControls } from '../escape.js';
import { extrasOf } from '../extras.js';
import type { Report, ReportRequirement } from '../report.js';
import { intermittentLine, isIntermittent, markOf, MARK_WORDS } from '../formatting.js';
import { formatFailure } from './format-failure.js';

/** TAP 14: a test for each requirement, causes first. A failed `should` is a TODO, an undecided requirement a SKIP. */
export function renderTap(report: Report): string {
  const ordered = causesFirst(report);
  const { length } = ordered;
  const tests = ordered.flatMap((requirement, index) => testLines(requirement, index + 1));
  const extras = extrasOf(report);
  return [
    'TAP version 14',
    `1..${length + extras.length}`,
    ...tests,
    ...extras.map(
      ({ suite, text }, index) => `not ok ${length + index + 1} - ${describe(`${suite} ${text}`)}`,
    ),
    `# ${escapeControls(report.verdict)}`,
    '',
  ].join('\n');
}

function describe(text: string): string {
  return escapeControls(text).replaceAll('\\', '\\\\').replaceAll('#', '\\#');
}

function testLines(requirement: ReportRequirement, number: number): string[] {
  const title = `${number} - ${describe(`${requirement.id} ${requirement.text}`)}`;
  const mark = markOf(requirement);
  if (mark === 'pass') return [`ok ${title}`];
  if (mark === 'advice') return [`not ok ${title} # TODO ${MARK_WORDS.advice}`, ...diagnostics(requirement)];
  if (mark === 'known')
    return [
      `not ok ${title} # TODO ${describe(`${MARK_WORDS.known}: ${requirement.known ?? ''}`)}`,
      ...diagnostics(requirement),
    ];
  if (mark === 'fail') return [`not ok ${title}`, ...diagnostics(requirement)];
  return [`ok ${title} # SKIP ${describe(requirement.reason ?? MARK_WORDS[mark])}`];
}

function diagnostics(requirement: ReportRequirement): string[] {
  const { failures } = requirement;
  const lines = failures.flatMap((failure) => formatFailure(failure));
  const rate = intermittentLine(requirement);
  return [
    '  ---',
    `  severity: ${markOf(requirement) === 'fail' ? 'fail' : 'todo'}`,
    ...(isIntermittent(requirement) ? ['  flaky: true'] : []),
    '  message: |',
    ...(rate === null ? [] : [`    ${rate}`]),
    ...lines.map((line) => `    ${escapeControls(line)}`),
    '  ...',
  ];
}
