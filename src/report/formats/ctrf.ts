import { causesFirst } from '../causes.js';
import { sectionName } from '../document-lines.js';
import { jsonText } from '../escape.js';
import { extrasOf, type Extra } from '../extras.js';
import type { Report, ReportRequirement } from '../report.js';
import { intermittentLine, isIntermittent, markOf, reasonOf, seedsOf, type Mark } from '../formatting.js';
import { formatFailure } from './format-failure.js';

const STATUS: { readonly [mark in Mark]: 'passed' | 'failed' | 'skipped' | 'pending' | 'other' } = {
  pass: 'passed',
  fail: 'failed',
  known: 'other',
  advice: 'other',
  inconclusive: 'other',
  'not-exercised': 'pending',
  untestable: 'skipped',
  'not-applicable': 'skipped',
};

/** Common Test Report Format, version 0.0.0 of its specification; causes first. */
export function renderCtrf(report: Report): string {
  const tests = [...causesFirst(report).map(test), ...extrasOf(report).map(extraTest)];
  const of = (status: string): number => tests.filter((one) => one.status === status).length;
  const start = report.at === null ? 0 : Date.parse(report.at);
  const value = {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    results: {
      tool: { name: 'runproof', version: report.runproof },
      summary: {
        tests: tests.length,
        passed: of('passed'),
        failed: of('failed'),
        pending: of('pending'),
        skipped: of('skipped'),
        other: of('other'),
        start,
        stop: start + Math.round(report.time.wallMs),
      },
      tests,
      environment: { appName: report.target.name, extra: { edition: report.edition, ...seedsOf(report) } },
    },
  };
  return `${jsonText(value, 2)}\n`;
}

function extraTest({ id, suite, text }: Extra): ReturnType<typeof test> {
  return { name: id, status: 'failed', duration: 0, suite: [suite], tags: [suite], message: text };
}

function test(requirement: ReportRequirement): {
  readonly status: string;
  readonly [member: string]: unknown;
} {
  const { id, section, level, text, failures } = requirement;
  const rate = intermittentLine(requirement);
  const trace = [rate ?? [], ...failures.flatMap((failure) => [...formatFailure(failure), ''])]
    .flat()
    .join('\n');
  return {
    name: id,
    status: STATUS[markOf(requirement)],
    duration: 0,
    suite: [sectionName(section)],
    tags: [level],
    message: reasonOf(requirement) ?? text,
    ...(isIntermittent(requirement) && { flaky: true }),
    ...(trace === '' ? {} : { trace }),
  };
}
