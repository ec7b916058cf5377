/** The sharpest test of a requirement in time, on the page and in a merged report. */
import { expect, it } from 'vitest';
import { mergeReports } from '../../src/report/compare/merge.js';
import type { Report } from '../../src/report/index.js';
import { requirementTable } from '../../src/report/html/requirement-table.js';
import type { Sharpness } from '../../src/oracle/observed/tolerance.js';
import { madeUpReport } from './sample-report.js';

const ID = '2.2/ttl-from-submission';

/** The made-up report, with another test of the requirement. */
function withTest(sharpest: Sharpness): Report {
  const report = madeUpReport();
  const requirements = report.requirements.map((one) => (one.id === ID ? { ...one, sharpest } : one));
  return { ...report, requirements };
}

it('is told beside the requirement', () => {
  const { markup } = requirementTable(madeUpReport(), new Map(), 0);
  expect(markup.match(/sharpest test: [^<]*/g)).toEqual([
    'sharpest test: more than 2.3 s too late would have failed',
  ]);
});

it('is the least of the parts that are merged', () => {
  const parts = [withTest({ bound: 'too late', ms: 900 }), withTest({ bound: 'too late', ms: 300 })];
  const merged = mergeReports(parts, { scriptOf: () => null });
  expect(merged.requirements.find(({ id }) => id === ID)!.sharpest).toEqual({ bound: 'too late', ms: 300 });
});
