import type { Log } from 'sarif';
import { describe, expect, it } from 'vitest';
import { renderFormat } from '../../src/report/formats/index.js';
import { FORMATS, type Format } from '../../src/report/formats/names.js';
import type { Report } from '../../src/report/index.js';
import { isShownByOneCall } from '../../src/report/calls/call-again.js';
import type { FailureSign } from '../../src/report/calls/failure-sign.js';
import { shortScript } from '../../src/report/calls/short-script.js';
import { TraceBuilder } from '../oracle/support/trace-builder.js';
import { CONTEXT, FINDINGS, HISTORY_OF_FRESH, HOSTILE, madeUpReport } from './sample-report.js';

const render = (format: Format): string => renderFormat(format, madeUpReport(), CONTEXT).content;

describe.each(FORMATS)('%s', (format) => {
  it('is the same for the same findings', () => expect(render(format)).toBe(render(format)));

  it('contains no control character from the target', () => {
    expect(render(format)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  });

  it('names the failed must', () =>
    expect(render(format)).toContain(format === 'har' ? '#2' : '2.2/ttl-removes'));
});

it.each(['junit', 'tap', 'markdown', 'github'] as const)('%s equals its golden file', (format) =>
  expect(render(format)).toMatchFileSnapshot(`golden/${format}.txt`),
);

it('markdown folds a long example', () => {
  const [failing, ...others] = FINDINGS.requirements;
  const [failure] = failing!.failures;
  const long = { ...failure!, proof: Array.from({ length: 30 }, (_, nth) => `line ${nth}`) };
  const findings = { ...FINDINGS, requirements: [{ ...failing!, failures: [long] }, ...others] };
  const { content } = renderFormat('markdown', madeUpReport(findings), CONTEXT);
  expect(content).toMatch(/<details><summary>Example, \d+ lines<\/summary>\n\n    scenario: policy\/ttl\n/u);
  expect(render('markdown')).not.toContain('<summary>Example');
});

describe('the steps of a failure', () => {
  const health = (trace: TraceBuilder, sentMs: number, receivedMs: number): TraceBuilder =>
    trace.call(sentMs, 'health', null, 200, {}, { receivedMs });
  const read = (call: number): string => `read /health → 200 (#${call})`;
  const stepsOf = (trace: TraceBuilder, evidence: readonly number[] = []) =>
    shortScript(trace.events, 0, evidence);

  it('tell of a wait, not of the time that a call or its client takes', () => {
    const trace = new TraceBuilder(0);
    for (const [sentMs, receivedMs] of [
      [1, 2],
      [3, 5],
      [1_003, 2_003],
      [2_004, 2_005],
      [3_003, 3_004],
    ] as const)
      health(trace, sentMs, receivedMs);
    expect(stepsOf(trace)).toEqual([
      ...[read(0), read(1), 'wait 1 s', read(2), read(3), 'wait 999 ms', read(4)],
    ]);
  });

  it('are of a long script those that show it, with how many are left out', () => {
    const trace = new TraceBuilder(0);
    for (let nth = 0; nth < 12; nth += 1) health(trace, nth * 100, nth * 100);
    expect(stepsOf(trace, [2, 3, 9])).toEqual([
      ...['… 2 other steps …', 'wait 100 ms', read(2), 'wait 100 ms', read(3), '… 5 other steps …'],
      ...['wait 100 ms', read(9), '… 2 other steps …'],
    ]);
    expect(stepsOf(trace)).toBeNull();
    expect(shortScript(trace.events, 0, [3], true)).toEqual([read(3)]);
    expect(stepsOf(trace, [0, 1, 2, 3, 4, 5, 6, 7, 8])).toBeNull();
  });
});

it('one call shows that an operation is missing, and no call of a job', () => {
  const shrunk = { calls: [0, 2, 5], of: 90, history: null };
  const missing = { calls: [2], shrunk, sign: { missing: '4/operation-runsync' } as FailureSign };
  expect(isShownByOneCall(missing, '/v2/test/runsync')).toBe(true);
  expect(isShownByOneCall(missing, '/v2/test/status/job')).toBe(false);
  expect(isShownByOneCall({ calls: [2], shrunk }, '/v2/test/runsync')).toBe(false);
  expect(isShownByOneCall({ calls: [2], shrunk: null }, '/v2/test/runsync')).toBe(true);
});

it('text from the target stays on one line in a TAP diagnostic and in a workflow command', () => {
  expect(
    render('tap')
      .split('\n')
      .filter((line) => line.startsWith('::error')),
  ).toEqual([]);
  expect(
    render('github')
      .split('\n')
      .filter((line) => line.startsWith('::error')),
  ).toHaveLength(1);
});

it('SARIF points at the sentence in the document of the package, and names a failure the same in each run', () => {
  const { runs } = JSON.parse(render('sarif')) as Log;
  const [result] = runs[0]?.results ?? [];
  expect(result?.locations?.[0]?.physicalLocation).toEqual({
    artifactLocation: { uri: 'docs/queue-endpoint-api.md', uriBaseId: 'RUNPROOF' },
    region: { startLine: 12, startColumn: 24, endColumn: 61 },
  });
  expect(Object.keys(runs[0]?.originalUriBaseIds ?? {})).toEqual(['RUNPROOF']);
  expect(result?.partialFingerprints).toEqual({ 'runproof/requirement': result?.ruleId });
});

it('the hostile text is really in the report', () => {
  expect(madeUpReport().requirements[0]?.failures[0]?.actual).toContain(HOSTILE);
});

it('a call has a curl line unless its endpoint was made for the script, and is gone', () => {
  const linesOf = (report: Report) =>
    report.requirements.flatMap(({ failures }) => failures.map(({ curl }) => curl));
  expect(linesOf(madeUpReport())).toEqual([
    expect.stringContaining('/v2/test/status/abc'),
    expect.stringContaining('/v2/test/status/abc'),
  ]);
  expect(linesOf(madeUpReport(FINDINGS, HISTORY_OF_FRESH))).toEqual([null, null]);
});
