/** What machines read of a run of some rules, and of a failure that comes and goes. */
import { describe, expect, it } from 'vitest';
import { renderFormat } from '../../../src/report/formats/index.js';
import type { Report } from '../../../src/report/index.js';
import { CONTEXT, madeUpReport } from '../sample-report.js';

const report = madeUpReport();
const failing = report.requirements.find(({ verdict }) => verdict === 'fail')!;
const unasked = report.requirements.filter(({ id }) => id !== failing.id).map(({ id }) => id);
const ofOne: Report = {
  ...report,
  requirements: report.requirements.map((one) =>
    one.id === failing.id ? one : { ...one, verdict: 'not-applicable', selected: false, failures: [] },
  ),
};

describe('a run of one rule', () => {
  it.each(['junit', 'ctrf', 'tap'] as const)('lists no others: %s', (format) => {
    const text = renderFormat(format, ofOne, CONTEXT).content;
    expect(text).toContain(failing.id);
    expect(unasked.filter((id) => text.includes(`"${id}"`) || text.includes(`- ${id} `))).toEqual([]);
  });

  it('counts that one', () => {
    expect(renderFormat('junit', ofOne, CONTEXT).content).toMatch(/<testsuites name="runproof" tests="1" /);
    expect(renderFormat('tap', ofOne, CONTEXT).content).toContain('\n1..1\n');
  });
});

it.each([
  [1, 3, true],
  [0, 2, true],
  [3, 3, undefined],
])('a failure that failed in %d of %d further runs is flaky: %s', (failed, plays, flaky) => {
  const requirements = report.requirements.map((one) => ({
    ...one,
    failures: one.failures.map((failure) => ({
      ...failure,
      confirmed: { failed, plays, script: null, steps: 1, of: 1, fault: null },
    })),
  }));
  const { results } = JSON.parse(renderFormat('ctrf', { ...report, requirements }, CONTEXT).content) as {
    readonly results: { readonly tests: readonly { readonly name: string; readonly flaky?: boolean }[] };
  };
  expect(results.tests.find(({ name }) => name === failing.id)!.flaky).toBe(flaky);
  const told = `intermittent: the same script failed in ${failed} of ${plays} more runs`;
  for (const format of ['ctrf', 'junit', 'markdown', 'github', 'sarif', 'tap'] as const) {
    const { content } = renderFormat(format, { ...report, requirements }, CONTEXT);
    expect(content.includes(told), format).toBe(flaky === true);
  }
});

const FORMATS = ['ctrf', 'junit', 'markdown', 'github', 'sarif', 'tap', 'html'] as const;

it.each(FORMATS)('%s says with a failure why its script was not run again', (format) => {
  const requirements = report.requirements.map((one) => ({
    ...one,
    failures: one.failures.map((failure) => ({ ...failure, notRunAgain: 'its script takes 16 s' })),
  }));
  const [content, before] = [{ ...report, requirements }, report].map((one) =>
    renderFormat(format, one, CONTEXT).content.replaceAll(/\\(?=.)/g, ''),
  );
  const told = 'not run again, so it may be intermittent: its script takes 16 s';
  expect([content!.includes(told), before!.includes(told)]).toEqual([true, false]);
});
